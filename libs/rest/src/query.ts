import { VaultError } from "@cardvault/contract";
import type { ErrorDetail } from "@cardvault/contract";
import type { QueryField } from "./fields.ts";

const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** Each pair that is wrong is named; an address can hold thousands of them. */
const maxDetails = 50;
const maxNamedLength = 200;

function refuse(details: readonly ErrorDetail[]): never {
  throw new VaultError("validation_failed", { details });
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** A value as its field wants it; what does not fit is left to the schema, which says why. */
function valueOf(kind: QueryField["kind"], text: string): unknown {
  if (kind === "number") return decimal.test(text) ? Number(text) : text;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

/** The part of a request's target behind the `?`, as it came. */
export function rawQueryOf(target: string): string {
  const at = target.indexOf("?");
  return at === -1 ? "" : target.slice(at + 1);
}

/**
 * The values of a query string by the fields that the procedure takes.
 *
 * @throws VaultError `validation_failed` naming each parameter that is unknown, empty, wrongly
 *   encoded, or repeated where it takes one value.
 */
export function decodeQuery(
  rawQuery: string,
  fields: ReadonlyMap<string, QueryField>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  if (rawQuery === "") return values;
  const details: ErrorDetail[] = [];
  for (const pair of rawQuery.split("&")) {
    if (pair === "" || details.length >= maxDetails) continue;
    const wrong = readPair(pair, fields, values);
    if (wrong !== undefined) details.push(wrong);
  }
  if (details.length > 0) refuse(details);
  return values;
}

function readPair(
  pair: string,
  fields: ReadonlyMap<string, QueryField>,
  values: Record<string, unknown>,
): ErrorDetail | undefined {
  const equals = pair.indexOf("=");
  const rawName = equals === -1 ? pair : pair.slice(0, equals);
  const name = decodePart(rawName);
  const field = name === undefined ? undefined : fields.get(name);
  if (name === undefined || field === undefined) {
    const path = (name ?? rawName).slice(0, maxNamedLength).toWellFormed();
    return { path, message: "Unknown parameter" };
  }
  const text = equals === -1 ? "" : decodePart(pair.slice(equals + 1));
  if (text === undefined) return { path: name, message: "Must be percent-encoded UTF-8" };
  if (text === "") return { path: name, message: "Must not be empty" };
  const value = valueOf(field.kind, text);
  const before = values[name];
  if (field.isList) {
    if (Array.isArray(before)) before.push(value);
    else values[name] = [value];
  } else if (before === undefined) values[name] = value;
  else return { path: name, message: "Must be given once" };
  return undefined;
}
