import { once } from "node:events";
import { Agent, createServer, get, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { waitFor } from "@cardvault/testkit";

const lookEveryMs = 100;
const lookTimeoutMs = 2_000;
/** A page that is open for a while uses the same connection again. */
const keepAliveMs = 60_000;

/** Says which process answered: its place in the list. */
export const servedBy = "x-served-by";

/**
 * A load balancer as simple as one can be: those that answer `/readyz` with 200 get requests in turn, over
 * connections that are kept. It tries nothing twice: what fails behind it fails for its client.
 */
export interface Balancer {
  readonly url: string;
  /** Whether a process gets requests now. */
  isReady(index: number): boolean;
  stop(): Promise<void>;
}

interface Target {
  readonly url: string;
  readonly agent: Agent;
  isReady: boolean;
}

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const targets: Target[] = urls.map((url) => ({
    url,
    agent: new Agent({ keepAlive: true }),
    isReady: false,
  }));
  let turn = 0;
  const next = (): Target | undefined => {
    for (const _ of targets) {
      turn = (turn + 1) % targets.length;
      if (targets[turn]?.isReady === true) return targets[turn];
    }
    return undefined;
  };
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (incoming, answer) => {
    // On a machine that is too slow for all of them none may be ready for a moment.
    waitFor(next).then(
      (target) => pass(target, targets.indexOf(target), incoming, answer),
      () => answer.writeHead(503).end("nobody is ready"),
    );
  });
  const timer = setInterval(() => targets.forEach(look), lookEveryMs);
  targets.forEach(look);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: (index) => targets[index]?.isReady === true,
    stop: async () => {
      clearInterval(timer);
      for (const { agent } of targets) agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function look(target: Target): void {
  const asked = get(`${target.url}/readyz`, { agent: false, timeout: lookTimeoutMs }, (answer) => {
    answer.resume();
    target.isReady = answer.statusCode === 200;
  });
  asked.on("timeout", () => asked.destroy());
  asked.on("error", () => (target.isReady = false));
}

function pass(
  { url, agent }: Target,
  index: number,
  incoming: IncomingMessage,
  answer: ServerResponse,
): void {
  const { connection: _, ...headers } = incoming.headers;
  const passed = request(
    `${url}${incoming.url}`,
    { method: incoming.method, headers, agent },
    (said) => {
      // What a connection is told is between the two at its ends.
      const { connection: _own, "keep-alive": _time, ...rest } = said.headers;
      answer.writeHead(said.statusCode ?? 502, { ...rest, [servedBy]: index });
      said.on("error", () => answer.destroy());
      said.pipe(answer);
    },
  );
  passed.on("error", (error) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502, { [servedBy]: index }).end(`${error.message} (process ${index})`);
  });
  answer.once("close", () => passed.destroy());
  incoming.pipe(passed);
}
