import { waitUntil } from "@cardvault/postgres";

export interface WaitForOptions {
  /** Fails after this long; 10 seconds unless told. */
  readonly deadlineMs?: number | undefined;
  /** Time between two looks; 20 ms unless told. */
  readonly everyMs?: number | undefined;
  /** What the error says was waited for. */
  readonly what?: string | undefined;
}

/**
 * Looks again and again until `look` answers something truthy, and answers that. An error that `look`
 * throws counts as "not yet". Throws when the deadline passes, with the last error as its cause.
 */
export async function waitFor<T>(
  look: () => T | Promise<T>,
  options: WaitForOptions = {},
): Promise<Exclude<T, false | null | undefined | 0 | "">> {
  const deadlineMs = options.deadlineMs ?? 10_000;
  let seen: T | undefined;
  let lastError: unknown;
  const holds = await waitUntil(
    async () => {
      try {
        seen = await look();
        lastError = undefined;
        return Boolean(seen);
      } catch (error) {
        lastError = error;
        return false;
      }
    },
    deadlineMs,
    options.everyMs ?? 20,
  );
  if (holds) return seen as Exclude<T, false | null | undefined | 0 | "">;
  throw new Error(`Not within ${deadlineMs} ms: ${options.what ?? look.toString()}`, {
    cause: lastError,
  });
}
