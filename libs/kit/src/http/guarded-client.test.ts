import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { freePort, startReceiver, waitFor } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { allowLoopback, createGuardedClient } from "./guarded-client.ts";
import type { GuardedClient, GuardedClientOptions, GuardedRequest } from "./guarded-client.ts";
import type { GuardedAnswer, GuardedFailure, GuardedResult } from "./exchange.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function guarded(options: GuardedClientOptions = {}): GuardedClient {
  const client = createGuardedClient({ allowAddress: (it) => it === "127.0.0.1", ...options });
  cleanups.push(() => client.close());
  return client;
}

async function receiver(options?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(options);
  cleanups.push(() => started.stop());
  return started;
}

/** A server that speaks bytes: what it does with each connection is up to the test. */
async function rawServer(
  onConnection: (socket: Socket) => void,
): Promise<{ port: number; server: Server }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, server };
}

const resolver = { resolve: () => Promise.resolve(["127.0.0.1"]) };
const limits = {
  method: "POST",
  body: '{"a":1}',
  timeoutMs: 5_000,
  maxResponseBytes: 16_384,
} as const;

async function answerOf(
  client: GuardedClient,
  request: Partial<GuardedRequest> & { url: string },
): Promise<GuardedAnswer> {
  const result = await client.send({ ...limits, ...request });
  if (!result.ok) throw result.cause;
  return result;
}

async function failureOf(
  client: GuardedClient,
  request: Partial<GuardedRequest> & { url: string },
): Promise<GuardedFailure> {
  const result = await client.send({ ...limits, ...request });
  if (result.ok) throw new Error(`Answered ${result.status}.`);
  return result;
}

describe("one request", () => {
  it("sends method, path, headers and the very bytes, and answers status, headers and body", async () => {
    const { url, requests, always } = await receiver();
    always({ kind: "status", status: 207, headers: { "X-Answer": "yes" }, body: "thanks" });
    const body = Buffer.from([0x7b, 0, 0xff, 0x7d]);
    const answer = await answerOf(guarded(), {
      url: `${url}/hook?x=1`,
      body,
      headers: {
        "X-Vault-Signature": "t=1,v1=a",
        Host: "evil.test",
        "Accept-Encoding": "gzip",
        Connection: "close",
      },
    });
    expect(answer).toMatchObject({ status: 207, truncated: false });
    expect(answer.headers["x-answer"]).toBe("yes");
    expect(answer.body.toString()).toBe("thanks");
    expect(requests[0]).toMatchObject({ method: "POST", path: "/hook?x=1", body });
    expect(requests[0]?.headers).toMatchObject({
      "x-vault-signature": "t=1,v1=a",
      host: new URL(url).host,
      "accept-encoding": "identity",
      "content-length": "4",
    });
  });

  it("does not follow a redirect", async () => {
    const target = await receiver();
    const { url, always } = await receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      always({ kind: "redirect", to: target.url, status });
      expect((await answerOf(guarded(), { url })).status).toBe(status);
    }
    expect(target.requests).toHaveLength(0);
  });

  it.each([
    ["a port that nobody listens at", "connect_failed", () => freePort()],
    [
      "a closed connection",
      "connection_closed",
      async () => (await rawServer((it) => it.destroy())).port,
    ],
    [
      "a connection closed within the headers",
      "connection_closed",
      async () => (await rawServer((it) => it.end("HTTP/1.1 200 OK\r\nx-a"))).port,
    ],
    [
      "what is no HTTP",
      "invalid_response",
      async () => (await rawServer((it) => it.end("SSH-2.0-x\r\n\r\n"))).port,
    ],
    [
      "headers without end",
      "invalid_response",
      async () =>
        (await rawServer((it) => it.end(`HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(100_000)}`))).port,
    ],
  ] as const)("answers a failure for %s: %s", async (_what, errorCode, open) => {
    const failure = await failureOf(guarded(), { url: `http://127.0.0.1:${await open()}/` });
    expect(failure.errorCode).toBe(errorCode);
    expect(failure.timings.totalMs).toBeLessThan(2_000);
  });

  it("tells a name that does not resolve from one without an address", async () => {
    const unknown = { resolve: () => Promise.reject(new Error("ENOTFOUND")) };
    const none = { resolve: () => Promise.resolve([]) };
    for (const it of [unknown, none]) {
      const failure = await failureOf(guarded({ resolver: it }), { url: "https://a.example.com/" });
      expect(failure.errorCode).toBe("dns_failed");
    }
  });

  it.each([
    "ftp://127.0.0.1/",
    "https://user:pass@example.com/",
    "https://@:pass@example.com/",
    "/hook",
    "",
  ])("refuses the URL %j", async (url) =>
    expect((await failureOf(guarded(), { url })).errorCode).toBe("url_refused"),
  );

  it("refuses plain http, and other ports, for public addresses", async () => {
    const client = guarded({ resolver: { resolve: () => Promise.resolve(["93.184.216.34"]) } });
    for (const url of [
      "http://example.com/",
      "http://example.com:443/",
      "https://example.com:444/",
    ]) {
      expect((await failureOf(client, { url })).errorCode).toBe("url_refused");
    }
  });

  it("throws for a header that cannot be written, which is the caller's mistake", async () => {
    const { url, requests } = await receiver();
    await expect(
      guarded().send({ ...limits, url, headers: { "x-a": "b\r\nx-c: d" } }),
    ).rejects.toThrow(/header/);
    expect(requests).toHaveLength(0);
  });

  it("asks no proxy of the environment", async () => {
    const proxy = await receiver();
    for (const name of [
      "HTTP_PROXY",
      "HTTPS_PROXY",
      "ALL_PROXY",
      "http_proxy",
      "https_proxy",
      "all_proxy",
    ]) {
      vi.stubEnv(name, proxy.url);
    }
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    vi.stubEnv("NO_PROXY", "");
    const { url, requests } = await receiver();
    await answerOf(guarded(), { url });
    expect([requests.length, proxy.requests.length]).toEqual([1, 0]);
  });

  it("allows loopback to the local start only as http://127.0.0.1:<port>", () => {
    expect(allowLoopback("127.0.0.1", 4001, "http://127.0.0.1:4001")).toBe(true);
    expect(allowLoopback("127.0.0.1", 4001, "http://receiver.example.com:4001")).toBe(false);
    expect(allowLoopback("127.0.0.2", 4001, "http://127.0.0.2:4001")).toBe(false);
    expect(allowLoopback("10.0.0.1", 4001, "http://127.0.0.1:4001")).toBe(false);
    expect(allowLoopback("::1", 4001, "http://[::1]:4001")).toBe(false);
  });
});

describe("the one deadline", () => {
  const timeoutMs = 300;
  function expectPunctual({ timings }: GuardedResult): void {
    expect(timings.totalMs).toBeGreaterThanOrEqual(timeoutMs - 2);
    expect(timings.totalMs).toBeLessThan(timeoutMs + 300);
  }

  it("is over name resolution", async () => {
    const client = guarded({ resolver: { resolve: () => new Promise(() => undefined) } });
    const failure = await failureOf(client, { url: "https://a.example.com/", timeoutMs });
    expect(failure).toMatchObject({
      errorCode: "timeout",
      timings: { dnsMs: null, connectMs: null },
    });
    expectPunctual(failure);
  });

  it("is over TLS, and ends the connection with it", async () => {
    let closed = 0;
    const { port } = await rawServer((socket) =>
      socket.resume().once("close", () => (closed += 1)),
    );
    const failure = await failureOf(guarded(), { url: `https://127.0.0.1:${port}/`, timeoutMs });
    expect(failure).toMatchObject({
      errorCode: "timeout",
      timings: { tlsMs: null, firstByteMs: null },
    });
    expect(failure.timings.connectMs).toBeGreaterThan(0);
    expectPunctual(failure);
    await waitFor(() => closed === 1);
  });

  it("is over the wait for an answer", async () => {
    const { url, always, requests } = await receiver();
    always({ kind: "hang" });
    const client = guarded();
    const failure = await failureOf(client, { url, timeoutMs });
    expect(failure).toMatchObject({ errorCode: "timeout", timings: { firstByteMs: null } });
    expectPunctual(failure);
    expect(requests).toHaveLength(1);
    await waitFor(() => client.openSockets() === 0);
  });

  it("is over headers that drip", async () => {
    const { port } = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-a: ");
      const timer = setInterval(() => socket.write("a"), 5);
      socket.once("close", () => clearInterval(timer));
    });
    const failure = await failureOf(guarded(), { url: `http://127.0.0.1:${port}/`, timeoutMs });
    expect(failure.errorCode).toBe("timeout");
    expectPunctual(failure);
  });

  it("is over a body that drips, and the status counts all the same", async () => {
    const { url, always } = await receiver();
    always({ kind: "drip", everyMs: 5 });
    const client = guarded();
    const answer = await answerOf(client, { url, timeoutMs: 1_000 });
    expect(answer).toMatchObject({ status: 200, truncated: true, bodyErrorCode: "timeout" });
    expect(answer.body.toString()).toMatch(/^\.{10,}$/);
    expect(answer.timings.firstByteMs).toBeLessThan(500);
    expect(answer.timings.totalMs).toBeGreaterThanOrEqual(998);
    expect(answer.timings.totalMs).toBeLessThan(1_300);
    await waitFor(() => client.openSockets() === 0);
  });

  it("is over the wait for a free connection, and what is late is never sent", async () => {
    const { url, always, requests } = await receiver();
    always({ kind: "hang" });
    const client = guarded({ maxSocketsPerOrigin: 1 });
    const results = await Promise.all([
      failureOf(client, { url: `${url}/first`, timeoutMs: 600 }),
      failureOf(client, { url: `${url}/second`, timeoutMs }),
    ]);
    expect(results.map((it) => it.errorCode)).toEqual(["timeout", "timeout"]);
    always({ kind: "status", status: 200 });
    await answerOf(client, { url: `${url}/third` });
    expect(requests.map((it) => it.path)).toEqual(["/first", "/third"]);
  });

  it("yields to the caller's own signal, before and while it is sent", async () => {
    const { url, always, waitFor: received } = await receiver();
    always({ kind: "hang" });
    const controller = new AbortController();
    const sent = failureOf(guarded(), { url, signal: controller.signal });
    await received(1);
    controller.abort();
    expect((await sent).errorCode).toBe("aborted");
    expect((await failureOf(guarded(), { url, signal: controller.signal })).errorCode).toBe(
      "aborted",
    );
  });
});

describe("the answer's body", () => {
  it("is read up to the cap, however long it is, and the rest is not waited for", async () => {
    const { url, always } = await receiver();
    always({ kind: "big", bytes: 200_000_000 });
    const client = guarded();
    const answer = await answerOf(client, { url });
    expect(answer).toMatchObject({ status: 200, truncated: true });
    expect(answer.bodyErrorCode).toBeUndefined();
    expect(answer.body).toHaveLength(16_384);
    expect(answer.timings.totalMs).toBeLessThan(1_000);
    await waitFor(() => client.openSockets() === 0);
  });

  it("is whole when it is exactly as long as the cap", async () => {
    const { url, always } = await receiver();
    always({ kind: "status", status: 200, body: "a".repeat(16_384) });
    expect(await answerOf(guarded(), { url })).toMatchObject({ truncated: false });
    always({ kind: "status", status: 200, body: "a".repeat(16_385) });
    expect(await answerOf(guarded(), { url })).toMatchObject({ truncated: true });
  });

  it.each([
    ["is cut short", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "connection_closed"],
    [
      "is badly chunked",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
      "invalid_response",
    ],
  ])("that %s does not change a 2xx", async (_what, bytes, bodyErrorCode) => {
    const { port } = await rawServer((socket) => socket.once("data", () => socket.end(bytes)));
    const answer = await answerOf(guarded(), { url: `http://127.0.0.1:${port}/` });
    expect(answer).toMatchObject({ status: 200, truncated: true, bodyErrorCode });
    expect(answer.body.toString()).toBe("abc");
  });

  it("follows interim answers", async () => {
    const bytes = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n";
    const { port } = await rawServer((socket) => socket.once("data", () => socket.end(bytes)));
    const answer = await answerOf(guarded(), { url: `http://127.0.0.1:${port}/` });
    expect(answer).toMatchObject({ status: 204, truncated: false });
    expect(answer.headers["link"]).toBeUndefined();
  });
});

describe("TLS", () => {
  it("is verified: a certificate that nobody trusts is refused, whatever the environment says", async () => {
    const { port, requests } = await receiver({ https: true, hosts: ["receiver.example.com"] });
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const failure = await failureOf(guarded({ resolver }), {
      url: `https://receiver.example.com:${port}/`,
    });
    expect(failure).toMatchObject({ errorCode: "tls_failed", cause: { message: /self-signed/ } });
    expect(requests).toHaveLength(0);
  });

  it("is verified: a trusted certificate for another name is refused", async () => {
    const { port, certificate, requests } = await receiver({
      https: true,
      hosts: ["other.example.com"],
    });
    const client = guarded({ resolver, tls: { ca: certificate } });
    const failure = await failureOf(client, { url: `https://receiver.example.com:${port}/` });
    expect(failure.errorCode).toBe("tls_failed");
    expect(requests).toHaveLength(0);
  });

  it("reaches a receiver whose certificate is good, by name, also with a dot at its end", async () => {
    const { port, certificate } = await receiver({ https: true, hosts: ["receiver.example.com"] });
    const client = guarded({ resolver, tls: { ca: certificate } });
    for (const name of ["receiver.example.com", "receiver.example.com."]) {
      const { status, timings } = await answerOf(client, { url: `https://${name}:${port}/` });
      expect(status).toBe(200);
      for (const part of [timings.dnsMs, timings.connectMs, timings.tlsMs, timings.firstByteMs]) {
        expect(part).toBeGreaterThan(0);
      }
    }
  });
});

describe("connections", () => {
  it("are kept and used again, and each request has its own timings", async () => {
    const { url, requests } = await receiver();
    const client = guarded();
    const timings = [];
    for (let at = 0; at < 5; at += 1) timings.push((await answerOf(client, { url })).timings);
    expect(timings.map((it) => it.reusedConnection)).toEqual([false, true, true, true, true]);
    expect(timings[0]?.connectMs).toBeGreaterThan(0);
    expect(timings[4]).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null });
    expect(timings[4]?.firstByteMs).toBeGreaterThan(0);
    expect([requests.length, client.openSockets()]).toEqual([5, 1]);
  });

  it("are bounded for one origin, and every request gets its turn", async () => {
    const { url, requests } = await receiver();
    const client = guarded({ maxSocketsPerOrigin: 3 });
    const results = await Promise.all(Array.from({ length: 50 }, () => answerOf(client, { url })));
    expect(results.filter((it) => !it.timings.reusedConnection)).toHaveLength(3);
    expect(requests).toHaveLength(50);
    expect(client.openSockets()).toBe(3);
  });

  it("are closed when nobody has used them for a while", async () => {
    const bytes = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
    const { port } = await rawServer((socket) => socket.on("data", () => socket.write(bytes)));
    const url = `http://127.0.0.1:${port}/`;
    const client = guarded({ keepAliveMs: 50 });
    await answerOf(client, { url });
    expect(client.openSockets()).toBe(1);
    await waitFor(() => client.openSockets() === 0);
    expect((await answerOf(client, { url })).timings.reusedConnection).toBe(false);
  });

  it("are bounded over all origins: the longest unused are closed first", async () => {
    const receivers = await Promise.all(Array.from({ length: 6 }, () => receiver()));
    const client = guarded({ maxSockets: 3 });
    for (const { url } of receivers) {
      await answerOf(client, { url });
      await waitFor(() => client.openSockets() <= 3);
    }
    const isReused = async (at: number): Promise<boolean> =>
      (await answerOf(client, { url: receivers[at]?.url ?? "" })).timings.reusedConnection;
    expect([await isReused(5), await isReused(0)]).toEqual([true, false]);
  });

  it("of one origin that hangs do not hold up another", async () => {
    const dead = await receiver();
    const healthy = await receiver();
    dead.always({ kind: "hang" });
    const client = guarded();
    const hanging = Array.from({ length: 40 }, () =>
      failureOf(client, { url: dead.url, timeoutMs: 1_500 }),
    );
    await dead.waitFor(40);
    expect((await answerOf(client, { url: healthy.url })).timings.totalMs).toBeLessThan(1_000);
    expect((await Promise.all(hanging)).every((it) => it.errorCode === "timeout")).toBe(true);
  });

  it("are closed in order: what is under way is finished, what comes later is refused", async () => {
    const { url, requests } = await receiver();
    const client = createGuardedClient({ allowAddress: allowLoopback });
    const sent = answerOf(client, { url });
    await client.close();
    expect((await sent).status).toBe(200);
    await expect(client.send({ ...limits, url })).rejects.toThrow(/closed/);
    expect(requests).toHaveLength(1);
    await waitFor(() => client.openSockets() === 0);
  });
});
