import { VaultError } from "@cardvault/contract";

const entityTag = /^"([^"]*)"$/;

/**
 * Compares an `If-Match` header with the card's version, whose entity tag is `"<version>"`. The
 * comparison is the strong one: a weak tag never matches (RFC 9110, section 13.1.1).
 * @throws VaultError `precondition_failed`
 */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const tags = ifMatch.split(",").map((tag) => entityTag.exec(tag.trim())?.[1]);
  if (!tags.includes(String(version))) throw new VaultError("precondition_failed");
}
