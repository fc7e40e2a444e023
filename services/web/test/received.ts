import { createHmac } from "node:crypto";
import type { ReceivedRequest } from "@cardvault/testkit";

interface Envelope {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

export function envelopeOf({ body }: Pick<ReceivedRequest, "body">): Envelope {
  return JSON.parse(body.toString()) as Envelope;
}

export const isOf =
  (event: string) =>
  (request: ReceivedRequest): boolean =>
    envelopeOf(request).event === event;

/** Spec, section 5: the whole secret is the key, over the time, a dot and the raw bytes. */
export function isSignedWith(secret: string, request: ReceivedRequest): boolean {
  const header = String(request.headers["x-vault-signature"]);
  const [, time = "", signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const expected = createHmac("sha256", secret).update(`${time}.`).update(request.body);
  return expected.digest("hex") === signature;
}
