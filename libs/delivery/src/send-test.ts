import { testMarkHeader } from "@cardvault/contract";
import type { SecretBox } from "@cardvault/kit";
import { SecretCache } from "./secret-cache.ts";
import { post, signedHeaders } from "./send.ts";
import type { AttemptRecord, Sendable, SenderOptions } from "./send.ts";

export interface TestSenderOptions extends Omit<SenderOptions, "secrets"> {
  readonly secretBox: SecretBox;
}

/** One attempt of a test event, with what was sent. */
export interface TestRecord extends AttemptRecord {
  readonly requestHeaders: Record<string, string>;
}

/**
 * Sends test events: signed like any other, with the mark of a test beside, one attempt that is written
 * nowhere. The answer of a receiver that fails is a record, never a throw.
 */
export function createTestSender({
  secretBox,
  ...options
}: TestSenderOptions): (event: Sendable) => Promise<TestRecord> {
  const sender: SenderOptions = { ...options, secrets: new SecretCache(secretBox) };
  return async (event) => {
    const startedAt = sender.clock.now();
    const requestHeaders = {
      ...signedHeaders(event, sender.secrets, startedAt),
      [testMarkHeader.toLowerCase()]: "true",
    };
    return { ...(await post(event, requestHeaders, startedAt, sender)), requestHeaders };
  };
}
