import { once } from "node:events";
import { Agent, get } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { waitFor } from "@cardvault/testkit";
import { fastify } from "fastify";
import { afterEach, expect, test } from "vitest";
import { Drain } from "./drain.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let release: (() => void)[] = [];
afterEach(() => {
  release = [];
  agent.destroy();
});

async function open() {
  const app = fastify({ forceCloseConnections: "idle", return503OnClosing: false });
  const drain = new Drain();
  drain.register(app);
  void app.register(async (scope) => {
    scope.get("/", () => "said");
    scope.get("/held", async () => {
      await new Promise<void>((resolve) => release.push(resolve));
      return "said late";
    });
    scope.get("/stream", (_request, reply) => {
      void reply.send(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode("begun"));
            release.push(() => controller.close());
          },
        }),
      );
    });
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const ask = async (path: string): Promise<IncomingMessage> => {
    const [response] = (await once(get({ agent, port, path }), "response")) as [IncomingMessage];
    response.resume();
    return response;
  };
  return { app, drain, port, ask };
}

test("from its begin on every answer ends its connection, what was under way before too", async () => {
  const { app, drain, ask } = await open();
  expect((await ask("/")).headers.connection).toBe("keep-alive");
  const held = ask("/held");
  await waitFor(() => release.length === 1);
  expect(drain.hasBegun).toBe(false);
  await drain.begin(0);
  expect(drain.hasBegun).toBe(true);
  release[0]?.();
  expect((await held).headers.connection).toBe("close");
  const next = await ask("/");
  expect([next.statusCode, next.headers.connection]).toEqual([200, "close"]);
  expect((await ask("/nowhere")).headers.connection).toBe("close");
  await app.close();
});

test("closing waits for what is under way, and for no connection that nobody uses", async () => {
  const { app, ask, port } = await open();
  // As a browser does before it needs one.
  const unused = connect(port, "127.0.0.1");
  await once(unused, "connect");
  const stream = await ask("/stream");
  const closing = app.close();
  await once(unused, "close");
  expect(stream.complete).toBe(false);
  release[0]?.();
  await closing;
  expect(stream.complete).toBe(true);
});
