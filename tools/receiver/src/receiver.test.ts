import { createHmac } from "node:crypto";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createReceiver } from "./receiver.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const event = {
  id: "evt_01jd3q6v5se0m8kz4t1f9r2abc",
  event: "card.priced",
  created_at: "2026-01-02T03:04:05.678Z",
  account_id: "acc_01jd3q6v5se0m8kz4t1f9r2abc",
  data: {
    card_id: "card_01jd3q6v5se0m8kz4t1f9r2abc",
    asking_price: { amount: 1250, currency: "USD" },
  },
};

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function started() {
  const events: string[] = [];
  const refusals: string[] = [];
  const server = createReceiver({
    secrets: [secret],
    onEvent: ({ id }) => events.push(id),
    onRefused: (reason) => refusals.push(reason),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const post = (body: string, header: string) =>
    fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      body,
      headers: { "x-vault-signature": header },
    });
  return { events, refusals, post };
}

function signed(body: string, key = secret): string {
  const seconds = Math.floor(Date.now() / 1000);
  return `t=${seconds},v1=${createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex")}`;
}

test("a signed event is taken once, however often it arrives", async () => {
  const { events, post } = await started();
  const body = JSON.stringify(event);
  expect((await post(body, signed(body))).status).toBe(204);
  expect((await post(body, signed(body))).status).toBe(204);
  expect(events).toEqual([event.id]);
});

test("a request signed with another secret is refused and does nothing", async () => {
  const { events, refusals, post } = await started();
  const body = JSON.stringify(event);
  expect((await post(body, signed(body, "whsec_other"))).status).toBe(400);
  expect(events).toEqual([]);
  expect(refusals).toEqual(["wrong_signature"]);
});
