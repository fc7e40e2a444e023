import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";

export interface NameServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** What a name resolves to: one list after another, the last one for ever. */
  teach(name: string, ...answers: readonly (readonly string[])[]): void;
  close(): void;
}

const types = { A: 1, AAAA: 28 };
const headerBytes = 12;

/**
 * A name server whose answers change from question to question, as an attacker's do (DNS rebinding).
 * Nothing may be cached: every answer lives for 0 s. A list counts as used when its A records are asked.
 */
export async function startNameServer(): Promise<NameServer> {
  const known = new Map<string, { answers: readonly (readonly string[])[]; asked: number }>();
  const socket = createSocket("udp4");
  socket.on("message", (query, peer) => {
    const { name, type, end } = questionOf(query);
    const entry = known.get(name);
    const turn = Math.min(entry?.asked ?? 0, (entry?.answers.length ?? 1) - 1);
    const addresses = entry?.answers[turn] ?? [];
    const records = addresses
      .filter((address) => type === (isIPv6(address) ? types.AAAA : types.A))
      .map((address) => recordOf(address, type));
    // AAAA is asked after A: then the next turn begins.
    if (entry !== undefined && type === types.AAAA) entry.asked += 1;
    const header = Buffer.alloc(headerBytes);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const question = query.subarray(headerBytes, end);
    socket.send(Buffer.concat([header, question, ...records]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, "127.0.0.1", resolve);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    teach: (name, ...answers) => void known.set(name, { answers, asked: 0 }),
    close: () => socket.close(),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(address: string, type: number): Buffer {
  const data = isIPv6(address) ? bytesOfV6(address) : address.split(".").map(Number);
  const record = Buffer.alloc(12);
  // The name is the question's.
  record.writeUInt16BE(0xc0_0c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, Buffer.from(data)]);
}

/** The URL parser turns every spelling into one, without dotted parts. */
function bytesOfV6(address: string): number[] {
  const [left = "", right] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const words = (text: string): string[] => text.split(":").filter((word) => word !== "");
  const [before, after] = [words(left), words(right ?? "")];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].flatMap((word) => {
    const value = Number.parseInt(word, 16);
    return [value >> 8, value & 0xff];
  });
}
