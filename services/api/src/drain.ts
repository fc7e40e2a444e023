import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

const lookEveryMs = 50;
/** A connection on which no request has come by then is closed: browsers open some before they need them. */
const unusedMs = 1_000;

/** How a process that was told to stop leaves those who send it requests: none of these fails. */
export class Drain {
  #hasBegun = false;

  /** `/readyz` says so. Requests are answered as ever, each on a connection that ends with its answer. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Resolves after the delay: by then whoever distributes requests has looked at `/readyz`, and the app
   * may be closed.
   */
  async begin(delayMs: number): Promise<void> {
    this.#hasBegun = true;
    await pause(delayMs);
  }

  /** Call it before anything else is registered: its hooks are for every scope. */
  register(fastify: FastifyInstance): void {
    const requestsOn = new Map<Socket, number>();
    let timer: NodeJS.Timeout | undefined;
    const count = (socket: Socket, by: number): void => {
      const requests = requestsOn.get(socket);
      if (requests !== undefined) requestsOn.set(socket, requests + by);
    };
    fastify.server.on("connection", (socket) => {
      requestsOn.set(socket, 0);
      socket.once("close", () => requestsOn.delete(socket));
    });
    fastify.server.prependListener("request", ({ socket }, response) => {
      count(socket, 1);
      response.once("close", () => count(socket, -1));
    });
    fastify.addHook("onSend", async (_request, reply) => {
      // Closed without a word, a connection would take along the request that is just being sent on it.
      if (this.#hasBegun) reply.header("connection", "close");
    });
    fastify.addHook("preClose", async () => {
      this.#hasBegun = true;
      const closesUnusedAt = performance.now() + unusedMs;
      // A stream that began before keeps its connection, and Node waits for those that were never used.
      timer = setInterval(() => {
        fastify.server.closeIdleConnections();
        if (performance.now() < closesUnusedAt) return;
        for (const [socket, requests] of requestsOn) if (requests === 0) socket.destroy();
      }, lookEveryMs);
    });
    fastify.addHook("onClose", async () => clearInterval(timer));
  }
}
