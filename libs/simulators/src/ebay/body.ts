import type * as z from "zod";
import type { SimulatedRequest } from "../protocol.ts";
import { EbayError } from "./errors.ts";

/** @throws EbayError where it is no JSON, or not of the shape. */
export function parsedBody<Schema extends z.ZodType>(
  { body, headers }: SimulatedRequest,
  schema: Schema,
  errorId = 25_709,
): z.output<Schema> {
  if (headers["content-type"]?.startsWith("application/json") !== true) {
    throw headerError("Content-Type");
  }
  const result = schema.safeParse(jsonOf(body));
  if (result.success) return result.data;
  const fieldName = result.error.issues[0]?.path.join(".") ?? "";
  throw new EbayError(400, errorId, `Invalid value for ${fieldName}`, { fieldName });
}

/** @throws EbayError where the header that says a text's language is missing. */
export function requireLanguage({ headers }: SimulatedRequest): string {
  const given = headers["content-language"];
  if (given === undefined || !/^[a-z]{2}-[A-Z]{2}$/.test(given)) {
    throw headerError("Content-Language");
  }
  return given;
}

function headerError(name: string): EbayError {
  return new EbayError(400, 25_709, `Invalid value for header ${name}.`, { fieldName: name });
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
