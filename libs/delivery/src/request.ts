import { standardSignature, vaultSignature } from "./signature.ts";

export interface SignedMessage {
  readonly eventId: string;
  /** The stored text, which is sent as it is: another order of members would break the signature. */
  readonly body: string;
  /** Signs the header of the spec, which has room for one. */
  readonly secret: string;
  /** Sign the headers of Standard Webhooks: during a rotation both. */
  readonly standardSecrets: readonly string[];
  readonly at: Date;
}

export const userAgent = "CardVault-Webhooks/1.0";

/** All headers of ours, in lower case. The client adds `host`, `content-length` and the like. */
export function deliveryHeaders(message: SignedMessage): Record<string, string> {
  const { eventId, body, at } = message;
  const seconds = Math.floor(at.getTime() / 1_000);
  return {
    "content-type": "application/json",
    "user-agent": userAgent,
    "x-vault-signature": vaultSignature(message.secret, seconds, body),
    "webhook-id": eventId,
    "webhook-timestamp": String(seconds),
    "webhook-signature": standardSignature(message.standardSecrets, eventId, seconds, body),
  };
}
