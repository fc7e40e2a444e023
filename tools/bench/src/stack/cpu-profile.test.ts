import { expect, it } from "vitest";
import { partOf } from "./cpu-profile.ts";

const store = "file:///vault/node_modules/.pnpm";

it.each([
  ["file:///vault/libs/db/src/read/cards.ts", "libs/db/read"],
  ["file:///vault/libs/rest/src/answer.ts", "libs/rest"],
  ["file:///vault/services/api/src/app.ts", "services/api"],
  [`${store}/zod@4.0.0/node_modules/zod/v4/core/schemas.js`, "zod: input and output checks"],
  [
    `${store}/pg-protocol@1.0.0/node_modules/pg-protocol/dist/parser.js`,
    "pg: driver, protocol, pool",
  ],
  [`${store}/@trpc+server@11.0.0/node_modules/@trpc/server/dist/a.mjs`, "tRPC"],
  [`${store}/find-my-way@9.0.0/node_modules/find-my-way/index.js`, "Fastify"],
  [`${store}/lru-cache@11.0.0/node_modules/lru-cache/dist/index.js`, "lru-cache"],
  ["node:_http_outgoing", "node: http, net, streams"],
  ["node:internal/streams/readable", "node: http, net, streams"],
  ["node:internal/crypto/hash", "node: crypto"],
  ["", "native: sockets, JSON, system calls"],
])("the time in %s is that of %s", (url, part) => {
  expect(partOf("f", url)).toBe(part);
});

it("the collector's time is its own", () => {
  expect(partOf("(garbage collector)", "")).toBe("garbage collection");
});
