import { createSocket } from "node:dgram";
import type { Socket } from "node:dgram";
import { afterEach, expect, it } from "vitest";
import { createGuardedClient } from "./guarded-client.ts";
import { createDnsResolver } from "./resolver.ts";

const typeA = 1;
const typeAaaa = 28;
let server: Socket | undefined;
afterEach(() => server?.close());

/** A name server (RFC 1035) that gives every name these addresses; with none of a type, an empty answer, or none at all. */
async function nameServer(
  ipv4: readonly string[],
  ipv6: readonly string[],
  rcode = 0,
): Promise<string> {
  const socket = createSocket("udp4");
  server = socket;
  socket.on("message", (query, { port, address }) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const type = question.readUInt16BE(question.length - 4);
    const found =
      type === typeA ? ipv4.map(bytesOfIpv4) : type === typeAaaa ? ipv6.map(bytesOfIpv6) : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | rcode, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(found.length, 6);
    const records = found.map((bytes) => {
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
      return Buffer.concat([record, bytes]);
    });
    socket.send(Buffer.concat([header, question, ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return `127.0.0.1:${socket.address().port}`;
}

function bytesOfIpv4(address: string): Buffer {
  return Buffer.from(address.split(".").map(Number));
}

/** Full form only. */
function bytesOfIpv6(address: string): Buffer {
  return Buffer.from(
    address
      .split(":")
      .map((group) => group.padStart(4, "0"))
      .join(""),
    "hex",
  );
}

it("answers the addresses of both families", async () => {
  const resolver = createDnsResolver([
    await nameServer(["93.184.216.34", "10.0.0.1"], ["2606:4700:0:0:0:0:0:1111"]),
  ]);
  expect(await resolver.resolve("a.example.com")).toEqual([
    "93.184.216.34",
    "10.0.0.1",
    "2606:4700::1111",
  ]);
});

it("is content with one family", async () => {
  const resolver = createDnsResolver([await nameServer([], ["2606:4700:0:0:0:0:0:1111"])]);
  expect(await resolver.resolve("a.example.com")).toEqual(["2606:4700::1111"]);
});

it("fails for a name that does not exist", async () => {
  const resolver = createDnsResolver([await nameServer([], [], 3)]);
  await expect(resolver.resolve("a.example.com")).rejects.toThrow(/ENOTFOUND/);
});

it("lets the guard refuse a name by what a real name server says, in either family", async () => {
  for (const [ipv4, ipv6] of [
    [["93.184.216.34", "169.254.169.254"], []],
    [["93.184.216.34"], ["fd00:ec2:0:0:0:0:0:254"]],
    [["93.184.216.34"], ["0:0:0:0:0:ffff:7f00:1"]],
  ] as const) {
    const client = createGuardedClient({
      resolver: createDnsResolver([await nameServer(ipv4, ipv6)]),
    });
    const result = await client.send({
      method: "POST",
      url: "https://receiver.example.com/",
      timeoutMs: 5_000,
      maxResponseBytes: 10,
    });
    expect(result).toMatchObject({
      ok: false,
      errorCode: "address_refused",
      timings: { connectMs: null },
    });
    expect(result.timings.dnsMs).toBeGreaterThan(0);
    await client.close();
    server?.close();
    server = undefined;
  }
});
