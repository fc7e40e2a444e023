import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isPublicAddress } from "./addresses.ts";
import { createGuardedClient } from "./guarded-client.ts";
import type { GuardedClient } from "./guarded-client.ts";
import type { AddressResolver } from "./resolver.ts";

/** Each as it may stand in a URL. Most of the spellings lead to this machine, where a server listens on every address. */
const hostileHosts = [
  // Loopback, and ways to write it.
  "127.0.0.1",
  "127.0.0.1.",
  "127.0.0.2",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7f.1",
  "0x7F.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.0x0.1",
  "127.0.0.0x1",
  "00000177.0.0.1",
  "%31%32%37.0.0.1",
  "１２７.0.0.1",
  "①②⑦.0.0.1",
  "127。0。0。1",
  // This network.
  "0",
  "0.0.0.0",
  "0x0",
  "0.1.2.3",
  "0.255.255.255",
  // Private (RFC 1918).
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.254",
  "192.168.0.1",
  "192.168.255.255",
  "0xa000001",
  "3232235521",
  // Shared by carriers (RFC 6598).
  "100.64.0.1",
  "100.127.255.254",
  // Link-local, and the clouds' metadata services.
  "169.254.0.1",
  "169.254.169.254",
  "0xa9fea9fe",
  "2852039166",
  "169.254.170.2",
  "100.100.100.200",
  "192.0.0.192",
  // Protocol assignments, documentation, benchmarks, 6to4 relays.
  "192.0.0.1",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "198.18.0.1",
  "198.19.255.255",
  "192.88.99.1",
  // Multicast, reserved, broadcast.
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.254",
  "255.255.255.255",
  // IPv6: loopback, unspecified, and IPv4 inside.
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:0:127.0.0.1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:169.254.169.254]",
  "[::ffff:0.0.0.0]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[::a00:1]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::1]",
  "[2001:0:7f00:1::]",
  "[2001::1]",
  // IPv6: unique local, link-local, site-local, multicast and the rest.
  "[fc00::1]",
  "[fd00::1]",
  "[fd00:ec2::254]",
  "[fdff:ffff::1]",
  "[fe80::1]",
  "[febf::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[ff0e::1]",
  "[100::1]",
  "[2001:2::1]",
  "[2001:10::1]",
  "[2001:20::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[4000::1]",
  "[1::1]",
];

let server: Server;
let port: number;
let connections = 0;
let receivedBytes = 0;
let client: GuardedClient | undefined;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket
      .on("error", () => undefined)
      .on("data", (chunk) => {
        receivedBytes += chunk.length;
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
      });
  });
  // Every address of this machine, of both families where it has them.
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => server.listen(0, "0.0.0.0", resolve).once("error", reject));
    server.listen(0, "::", resolve);
  });
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  await client?.close();
  connections = 0;
  receivedBytes = 0;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Every scheme and port is allowed here, so that nothing but the address can be the reason. */
function guarded(resolver?: AddressResolver): GuardedClient {
  client = createGuardedClient({ allowedPorts: [port], resolver });
  return client;
}

const limits = { method: "POST", body: "{}", timeoutMs: 5_000, maxResponseBytes: 100 } as const;

function answering(
  ...answers: readonly (readonly string[])[]
): AddressResolver & { asked: number } {
  const resolver = {
    asked: 0,
    resolve: (): Promise<readonly string[]> => {
      const answer = answers[Math.min(resolver.asked, answers.length - 1)] ?? [];
      resolver.asked += 1;
      return Promise.resolve(answer);
    },
  };
  return resolver;
}

/** The address behind a spelling, as a name server would give it. */
function addressOf(host: string): string {
  return new URL(`https://${host}/`).hostname.replaceAll(/^\[|\]$/g, "");
}

describe("hostile addresses", () => {
  it("are many", () => {
    expect(hostileHosts.length).toBeGreaterThanOrEqual(60);
    expect(new Set(hostileHosts).size).toBe(hostileHosts.length);
  });

  it("would reach the server without the guard, so that the tests below can fail", async () => {
    client = createGuardedClient({ allowAddress: () => true });
    for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "0", "127.0.0.2"]) {
      const result = await client.send({ ...limits, url: `http://${host}:${port}/` });
      expect([host, result]).toMatchObject([host, { ok: true, status: 200 }]);
    }
    expect(connections).toBe(6);
  });

  it.each(hostileHosts)("%s is refused, and not reached, by http and https", async (host) => {
    for (const scheme of ["https", "http"]) {
      const result = await guarded().send({ ...limits, url: `${scheme}://${host}:${port}/` });
      expect(result).toMatchObject({ ok: false, errorCode: "address_refused" });
      await client?.close();
    }
    expect(connections).toBe(0);
  });

  it.each(hostileHosts)(
    "a name that resolves to %s is refused, alone or among good ones",
    async (host) => {
      const bad = addressOf(host);
      const good = "93.184.216.34";
      for (const answer of [[bad], [good, bad], [bad, good], [good, "2606:4700::1111", bad]]) {
        const url = `https://receiver.example.com:${port}/`;
        const result = await guarded(answering(answer)).send({ ...limits, url });
        expect(result).toMatchObject({ ok: false, errorCode: "address_refused" });
        expect(result.timings).toMatchObject({ connectMs: null, tlsMs: null, firstByteMs: null });
        await client?.close();
      }
      expect(connections).toBe(0);
    },
  );

  it.each(["", "example.com", "fe80::1%lo", "2606:4700::1111%lo", "1.2.3", "::g"])(
    "%j is no public address",
    (text) => expect(isPublicAddress(text)).toBe(false),
  );

  it.each([
    "1.1.1.1",
    "93.184.216.34",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "::ffff:1.1.1.1",
  ])("%s is a public address", (text) => expect(isPublicAddress(text)).toBe(true));

  it("a name that turns bad is refused at its next connection", async () => {
    // The first answer counts as good because it is allowed; the connection is closed after it.
    const resolver = answering(["127.0.0.2"], ["127.0.0.1"]);
    client = createGuardedClient({ resolver, allowAddress: (address) => address === "127.0.0.2" });
    const url = `http://receiver.example.com:${port}/`;
    expect(await client.send({ ...limits, url })).toMatchObject({ ok: true, status: 200 });
    expect(await client.send({ ...limits, url })).toMatchObject({
      ok: false,
      errorCode: "address_refused",
    });
    expect([connections, resolver.asked]).toEqual([1, 2]);
  });

  it("is connected to the address that was checked: the name is asked once for a connection", async () => {
    const resolver = answering(["127.0.0.2"], ["10.0.0.1"]);
    client = createGuardedClient({ resolver, allowAddress: (address) => address === "127.0.0.2" });
    const result = await client.send({ ...limits, url: `http://receiver.example.com:${port}/` });
    expect(result).toMatchObject({ ok: true, status: 200 });
    expect(resolver.asked).toBe(1);
  });

  it("sends no byte to a peer that is not the address that was checked", async () => {
    let checks = 0;
    // Allowed when it is resolved, and no longer when the connection stands.
    client = createGuardedClient({ allowAddress: () => (checks += 1) === 1 });
    const result = await client.send({ ...limits, url: `http://127.0.0.1:${port}/` });
    expect(result).toMatchObject({ ok: false, errorCode: "address_refused" });
    expect([checks, receivedBytes]).toEqual([2, 0]);
  });
});
