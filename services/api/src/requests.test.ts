import { appRouter } from "@cardvault/core";
import { createLogger, startTracing } from "@cardvault/kit";
import { operationsOf } from "@cardvault/rest";
import { startReceiver } from "@cardvault/testkit";
import { fastify } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { followRequests } from "./requests.ts";

test("every operation of the API begins a trace, and no page or probe does", async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const logger = createLogger({ name: "test", level: "silent" });
  const config = { endpoint: receiver.url, headers: {}, ratio: 1 };
  const tracing = await startTracing("test", config, logger);
  onTestFinished(() => tracing.close());
  const app = fastify();
  followRequests(app, appRouter);
  const operations = operationsOf(appRouter).map(({ method, pattern }) => ({
    method,
    url: pattern,
  }));
  const others = [
    { method: "GET", url: "/auth/*" },
    { method: "GET", url: "/trpc/:path" },
  ];
  const untraced = ["/inventory", "/auth/invite", "/livez"].map((url) => ({ method: "GET", url }));
  for (const route of [...operations, ...others, ...untraced]) {
    app.route({ ...route, handler: () => "answered" });
  }
  for (const { method, url } of [...operations, ...others, ...untraced]) {
    const { statusCode } = await app.inject({ method: method as "GET", url });
    expect({ url, statusCode }).toEqual({ url, statusCode: 200 });
  }
  await app.close();
  await tracing.close();
  const names = receiver.requests.flatMap(({ body }) =>
    Array.from(body.toString().matchAll(/"name":"([A-Z]+ \/[^"]*)"/gu), ([, name]) => name),
  );
  // Spans are sent in the order in which they ended.
  expect(names).toEqual([...operations, ...others].map(({ method, url }) => `${method} ${url}`));
  expect(names).toEqual(expect.arrayContaining(["POST /identify", "POST /price-lookup"]));
});
