import { createHash } from "node:crypto";
import { VaultError } from "@cardvault/contract";

/** Where a page ended: the last row's sort value (null: among the nulls, at the end) and its id. */
export interface Position {
  value: string | number | null;
  id: string;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The digest binds a cursor to its list, account, filters and sort, and to itself: another filter or
 * a changed letter is found. It is no secret, since a cursor can reach nothing that its account cannot.
 */
function digest(scope: readonly unknown[], position: Position): string {
  return createHash("sha256")
    .update(JSON.stringify([scope, position.value, position.id]))
    .digest("base64url")
    .slice(0, 22);
}

/** @param scope everything but the page's size that decides what the list holds, in a fixed order */
export function encodeCursor(scope: readonly unknown[], position: Position): string {
  const content = [position.value, position.id, digest(scope, position)];
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

/** @throws VaultError `invalid_cursor` */
export function decodeCursor(
  scope: readonly unknown[],
  cursor: string,
  isValue: (value: Position["value"]) => boolean,
): Position {
  const content = parsed(cursor);
  if (!Array.isArray(content)) throw new VaultError("invalid_cursor");
  const [value, id, given] = content as unknown[];
  if (!isScalar(value) || typeof id !== "string" || !uuidPattern.test(id)) {
    throw new VaultError("invalid_cursor");
  }
  const position = { value, id };
  if (digest(scope, position) !== given || !isValue(value)) throw new VaultError("invalid_cursor");
  return position;
}

function isScalar(value: unknown): value is Position["value"] {
  return value === null || typeof value === "string" || typeof value === "number";
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}
