import { request } from "node:https";
import { afterEach, expect, test } from "vitest";
import { startReceiver } from "./receiver.ts";
import type { Receiver, ReceiverOptions } from "./receiver.ts";

let receiver: Receiver | undefined;
async function start(options?: ReceiverOptions): Promise<Receiver> {
  receiver = await startReceiver(options);
  return receiver;
}
afterEach(() => receiver?.stop());

test("keeps the raw bytes and headers of every request, in order", async () => {
  const { url, waitFor } = await start();
  const bytes = Buffer.from([0x7b, 0x00, 0xff, 0x7d]);
  await fetch(`${url}/hook?x=1`, { method: "POST", body: bytes, headers: { "X-Test": "Yes" } });
  const [first] = await waitFor(1);
  expect(first).toMatchObject({ method: "POST", path: "/hook?x=1", body: bytes });
  expect(first?.headers["x-test"]).toBe("Yes");
});

test("answers as scripted, one request each, then as usual", async () => {
  const { url, script } = await start();
  script(
    { kind: "status", status: 500, body: "no" },
    { kind: "redirect", to: "http://example.com/" },
    { kind: "close" },
    { kind: "big", bytes: 300_000 },
  );
  expect((await fetch(url)).status).toBe(500);
  const redirect = await fetch(url, { redirect: "manual" });
  expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "http://example.com/"]);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(300_000);
  expect((await fetch(url)).status).toBe(200);
});

test("holds its answer until it is let go", async () => {
  const { url, script, waitFor } = await start();
  const gate = Promise.withResolvers<void>();
  script({ kind: "held", until: gate.promise });
  let isAnswered = false;
  const answer = fetch(url).finally(() => {
    isAnswered = true;
  });
  await waitFor(1);
  expect(isAnswered).toBe(false);
  gate.resolve();
  expect((await answer).status).toBe(200);
});

test("hangs and drips until the sender gives up, and stops nevertheless", async () => {
  const { url, script, waitFor } = await start();
  script({ kind: "hang" }, { kind: "drip", everyMs: 1 });
  await expect(fetch(url, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/u);
  const dripping = await fetch(url, { signal: AbortSignal.timeout(50) });
  await expect(dripping.text()).rejects.toThrow(/timeout/u);
  expect(await waitFor(2)).toHaveLength(2);
});

test("serves HTTPS that a client trusts by its certificate, and only so", async () => {
  const { url, certificate } = await start({ https: true });
  const status = (ca: string | undefined): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(url, { ca }, (res) => resolve(res.resume().statusCode))
        .once("error", reject)
        .end();
    });
  expect(await status(certificate)).toBe(200);
  await expect(status(undefined)).rejects.toThrow(/self-signed/u);
});
