import { verifyWebhook } from "@cardvault/client";
import {
  allowLoopback,
  createGuardedClient,
  createSecretBox,
  newId,
  systemClock,
} from "@cardvault/kit";
import { startReceiver } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestSender } from "./send-test.ts";

const secretBox = createSecretBox([{ id: "test", key: Buffer.alloc(32, 3) }]);
const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const client = createGuardedClient({});
const loopbackClient = createGuardedClient({ allowAddress: allowLoopback });
const send = createTestSender({ secretBox, clock: systemClock, client, loopbackClient });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await Promise.all([receiver.stop(), client.close(), loopbackClient.close()]);
});

function eventTo(url: string, environment: "live" | "test") {
  const endpointId = newId("whe");
  const secrets = { current: secretBox.seal(secret, endpointId), next: null, switchAt: null };
  const eventId = newId("evt");
  const body = JSON.stringify({
    id: eventId,
    event: "card.priced",
    created_at: "2026-03-01T09:30:00.000Z",
    account_id: newId("acc"),
    data: { card_id: newId("card"), asking_price: { amount: 1250, currency: "USD" } },
  });
  return { eventId, endpointId, environment, url, body, secrets };
}

test("signed like a delivery, with the mark of a test; the whole answer comes back", async () => {
  receiver.script({ kind: "status", status: 500, headers: { "x-till": "7" }, body: "broken" });
  const outcome = await send(eventTo(receiver.url, "test"));
  const [request] = receiver.requests;
  expect(request?.headers["x-vault-test"]).toBe("true");
  verifyWebhook(request?.body ?? "", request?.headers["x-vault-signature"], secret);
  expect(outcome.requestHeaders["x-vault-signature"]).toBe(request?.headers["x-vault-signature"]);
  expect(outcome).toMatchObject({
    statusCode: 500,
    errorCode: null,
    responseHeaders: { "x-till": "7" },
    responseTruncated: false,
  });
  expect(outcome.responseBody?.toString()).toBe("broken");
  expect(outcome.timings.totalMs).toBeGreaterThan(0);
});

test("more than 16 KiB of an answer are cut, and marked", async () => {
  receiver.script({ kind: "big", bytes: 100_000 });
  const outcome = await send(eventTo(receiver.url, "test"));
  expect(outcome.responseBody).toHaveLength(16 * 1024);
  expect(outcome.responseTruncated).toBe(true);
});

test("a live account reaches no address of this machine, and learns nothing of it", async () => {
  const before = receiver.requests.length;
  const outcome = await send(eventTo(receiver.url, "live"));
  expect(outcome).toMatchObject({ statusCode: null, errorCode: "url_refused" });
  expect(receiver.requests).toHaveLength(before);
});
