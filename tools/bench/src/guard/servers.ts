import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** The one address of this machine that counts as a public one here. */
export const allowedAddress = "127.0.0.2";

export interface CountingServer {
  readonly port: number;
  /** Connections at addresses that must not be reached, and at the one that may. */
  reached(): { hostile: number; allowed: number };
  close(): void;
}

/** Listens at every address of this machine, of both families where it has them. */
export async function startCountingServer(): Promise<CountingServer> {
  const reached = { hostile: 0, allowed: 0 };
  const server = await listen("::", (socket) => {
    const isAllowed = socket.localAddress?.endsWith(allowedAddress) === true;
    reached[isAllowed ? "allowed" : "hostile"] += 1;
    socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    reached: () => reached,
    close: () => server.close(),
  };
}

export const slowKinds = ["drip_head", "drip_body", "huge_slow", "huge_fast"] as const;
export type SlowKind = (typeof slowKinds)[number];

const hugeBytes = 200 * 1024 * 1024;
const dripEveryMs = 200;
/** So little at a time that ten seconds of it stay below what is kept of an answer. */
const slowChunkBytes = 64;
const hugeHead = `HTTP/1.1 200 OK\r\ncontent-length: ${hugeBytes}\r\n\r\n`;

/** Answers as its path says: a byte now and then, or 200 MB. */
export async function startSlowServer(): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = await listen("127.0.0.1", (socket) => {
    sockets.add(socket);
    socket.once("data", (request) => {
      const path = /^POST \/(\S*)/.exec(request.toString("latin1"))?.[1];
      answer(socket, path as SlowKind);
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function answer(socket: Socket, kind: SlowKind): void {
  switch (kind) {
    case "drip_head":
      socket.write("HTTP/1.1 200 OK\r\nx-drip: ");
      drip(socket, "a");
      return;
    case "drip_body":
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      drip(socket, "1\r\na\r\n");
      return;
    case "huge_slow":
      socket.write(hugeHead);
      drip(socket, "a".repeat(slowChunkBytes));
      return;
    case "huge_fast": {
      socket.write(hugeHead);
      const chunk = Buffer.alloc(1024 * 1024, "a");
      let left = hugeBytes;
      const fill = (): void => {
        while (left > 0 && !socket.destroyed) {
          left -= chunk.length;
          if (!socket.write(chunk)) break;
        }
      };
      socket.on("drain", fill);
      fill();
    }
  }
}

function drip(socket: Socket, drop: string): void {
  const timer = setInterval(() => socket.write(drop), dripEveryMs);
  socket.once("close", () => clearInterval(timer));
}

async function listen(host: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    // A machine without IPv6 has no "::".
    server.once("error", () => server.once("error", reject).listen(0, "0.0.0.0", resolve));
    server.listen(0, host, resolve);
  });
  return server;
}
