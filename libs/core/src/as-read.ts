import { isDeepStrictEqual } from "node:util";
import { VaultError } from "@cardvault/contract";

/**
 * Holds back an edit that was made for other values than there are now, so that nobody's is overwritten
 * unseen. Call it where what is compared is locked until the edit is written.
 * @param now what stands there, by the contract's names; null where there is nothing
 * @param expected what the editor read of the members that are changed; null for nothing at all, and
 * without it nothing is asked
 * @param what names the thing in the error: "batch"
 * @throws VaultError `precondition_failed`, whose details name the members that are others now
 */
export function requireAsRead<Thing extends object>(
  now: Thing | null,
  expected: { readonly [Member in keyof Thing]?: unknown } | null | undefined,
  what: string,
): void {
  if (expected === undefined) return;
  if (expected === null) {
    if (now !== null) throw changed(what, [""]);
    return;
  }
  const names = Object.keys(expected) as (keyof Thing & string)[];
  const others = names.filter(
    (name) => now === null || !isDeepStrictEqual(now[name], expected[name]),
  );
  if (others.length > 0) throw changed(what, others);
}

function changed(what: string, paths: readonly string[]): VaultError {
  return new VaultError("precondition_failed", {
    message: `The ${what} has changed since it was read.`,
    details: paths.map((path) => ({ path, message: "Has changed since it was read" })),
  });
}
