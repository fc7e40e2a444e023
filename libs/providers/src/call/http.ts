import type * as z from "zod";
import { boundedFetch } from "./bounded-fetch.ts";
import { errorOfStatus, ProviderError } from "./provider-error.ts";

export interface JsonRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE" | undefined;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  readonly maxAnswerBytes: number;
  readonly signal: AbortSignal;
  /**
   * What a status means to this provider, where that is something else than usual; null for the usual. It
   * may throw what is no failure of the provider, as a refusal that is an answer.
   */
  readonly errorOf?:
    | ((status: number, headers: Headers, text: string) => ProviderError | null)
    | undefined;
}

/** Sends one request and parses its answer; where that has no body, as 204, the schema is given undefined. */
export async function requestJson<Schema extends z.ZodType>(
  request: JsonRequest,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { maxAnswerBytes, signal, method = "GET", url, headers = {}, body, errorOf } = request;
  const response = await boundedFetch({ maxAnswerBytes, signal })(url, {
    method,
    headers: { accept: "application/json", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw (
      errorOf?.(response.status, response.headers, text) ??
      errorOfStatus(response.status, response.headers, text)
    );
  }
  return text === "" ? checkAnswer(undefined, schema) : parseAnswer(text, schema);
}

/** What a provider wrote, by a schema; what does not fit it is `malformed_answer`. */
function parseAnswer<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ProviderError("malformed_answer", { detail: text, cause: error });
  }
  return checkAnswer(value, schema);
}

export function checkAnswer<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProviderError("malformed_answer", {
    detail: result.error.issues.map((it) => `${it.path.join(".")}: ${it.code}`).join("; "),
  });
}
