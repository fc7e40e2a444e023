import { VaultError } from "@cardvault/contract";

/** No documented body is nested deeper than four; what is walked later must have an end. */
const maxDepth = 32;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The value of a JSON body.
 *
 * @throws VaultError `invalid_json` for bytes that are no UTF-8 or no JSON, an empty body too;
 *   `validation_failed` for a member named `__proto__` and for nesting beyond 32 levels.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new VaultError("invalid_json", { cause });
  }
  checkTree(value, "", 0);
  return value;
}

function checkTree(value: unknown, path: string, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth >= maxDepth) {
    throw new VaultError("validation_failed", {
      details: [{ path: "", message: `Must not be nested deeper than ${maxDepth} levels` }],
    });
  }
  for (const [name, member] of Object.entries(value)) {
    const memberPath = path === "" ? name : `${path}.${name}`;
    // Copying such a member would set the copy's prototype.
    if (name === "__proto__") {
      throw new VaultError("validation_failed", {
        details: [{ path: memberPath.slice(0, 200).toWellFormed(), message: "Unknown member" }],
      });
    }
    checkTree(member, memberPath, depth + 1);
  }
}

/**
 * The members of a body. A request without one gives none.
 * @throws VaultError `validation_failed` for null, arrays, strings, numbers and booleans.
 */
export function bodyMembers(body: unknown): Record<string, unknown> {
  if (body === undefined) return {};
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new VaultError("validation_failed", {
      details: [{ path: "", message: "Must be a JSON object" }],
    });
  }
  return body as Record<string, unknown>;
}

/** JSON with the members of every object in order, so that the same value has the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
