import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface StatementCounter {
  /** The same database, through the counter. */
  readonly url: string;
  /** Statements that were sent since the start, whatever library sent them. */
  statements(): number;
  close(): void;
}

/** Of PostgreSQL's messages from a client, those that run a statement. */
const runs = new Set(["Q", "E"]);
const lengthBytes = 4;

/** Stands between a client and PostgreSQL, and counts the statements in what goes by. */
export async function startStatementCounter(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let statements = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const count = messageReader((type) => {
      if (runs.has(type)) statements += 1;
    });
    client.on("data", count);
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy()).on("close", () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    statements: () => statements,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/**
 * Calls back for every message of a stream: a byte that names its type, four that hold the length
 * of itself and the rest. The first message of a connection has no type.
 */
function messageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let typeBytes = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= typeBytes + lengthBytes) {
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (typeBytes > 0) onMessage(String.fromCharCode(rest[0] ?? 0));
      rest = rest.subarray(end);
      typeBytes = 1;
    }
  };
}
