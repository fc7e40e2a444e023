import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A server of something else at a port of its own, which can be taken away and brought back. */
export interface CuttableServer {
  readonly port: number;
  /** `gone`: connections end, and new ones with them. `silent`: they stay, and nothing comes through. */
  cut(how: "gone" | "silent"): void;
  restore(): void;
  stop(): Promise<void>;
}

/** Passes every byte on to a port of this machine, and back. */
export async function startCuttable(to: number): Promise<CuttableServer> {
  const sockets = new Set<Socket>();
  let cutHow: "gone" | "silent" | undefined;
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    if (cutHow === "silent") socket.pause();
  };
  const server = createServer((client) => {
    if (cutHow === "gone") {
      client.destroy();
      return;
    }
    const target = connect(to, "127.0.0.1");
    for (const [from, into] of [
      [client, target],
      [target, client],
    ] as const) {
      keep(from);
      from.on("data", (bytes: Buffer) => into.write(bytes)).once("close", () => into.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut: (how) => {
      cutHow = how;
      if (how === "gone") endAll();
      else sockets.forEach((socket) => socket.pause());
    },
    restore: () => {
      cutHow = undefined;
      sockets.forEach((socket) => socket.resume());
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
  };
}
