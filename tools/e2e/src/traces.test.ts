import { randomBytes } from "node:crypto";
import type { Card } from "@cardvault/contract";
import { toId } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { expectNoSecrets } from "./no-secrets.ts";
import { startOtlpReceiver } from "./otlp.ts";
import type { OtlpReceiver, ReceivedSpan } from "./otlp.ts";
import { quietPort } from "./ports.ts";
import { Program } from "./program.ts";
import { deliveriesTo } from "./rows.ts";
import { openShop } from "./shop.ts";
import { startStack } from "./stack.ts";
import type { Stack } from "./stack.ts";

const price = { amount: 1250, currency: "USD" };
const strangersTrace = "0af7651916cd43dd8448eb211c80319c";

interface EventRow {
  readonly type: string;
  readonly request_id: string | null;
  readonly traceparent: string | null;
}

function eventsOf(stack: Stack, requestId: string): Promise<EventRow[]> {
  return stack.services.db
    .query<EventRow>("select type, request_id, traceparent from webhook_event order by id")
    .then((rows) =>
      rows
        .map((row) => ({ ...row, request_id: row.request_id && toId("req", row.request_id) }))
        .filter((row) => row.request_id === requestId),
    );
}

/** From a step to the beginning of its trace. */
function chainOf(otlp: OtlpReceiver, last: ReceivedSpan): string[] {
  const parent = otlp.spans.find(({ spanId }) => spanId === last.parentSpanId);
  return [
    `${last.service.replace("cardvault-", "")}: ${last.name}`,
    ...(parent === undefined ? [] : chainOf(otlp, parent)),
  ];
}

/** Lines of a log that were written for a request. */
function linesOf(output: string, requestId: string): Record<string, unknown>[] {
  return output
    .split("\n")
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("one trace, and one request's id, lead from a PATCH to the receiver", async (context) => {
  const otlp = await startOtlpReceiver();
  context.onTestFinished(() => otlp.stop());
  const collectorKey = randomBytes(12).toString("hex");
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${collectorKey}`,
  };
  const stack = await startStack(context, { store: "postgres", environment: tracing });
  const receiver = await startReceiver();
  context.onTestFinished(() => receiver.stop());
  const shop = await openShop(stack);
  const session = await shop.signIn();
  const title = `Tidewing ${randomBytes(6).toString("hex")}`;
  const [first, second] = await session.createCards([{ title }, { title }]);
  const inUrl = randomBytes(9).toString("hex");
  const endpoint = await shop.receive(`${receiver.url}/hook/${inUrl}?key=${inUrl}`);

  // With a trace of the caller's own, which is somebody else's.
  const patched = await fetch(`${stack.url}/cards/${first?.id}`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${shop.token}`,
      "content-type": "application/json",
      traceparent: `00-${strangersTrace}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify({ asking_price: price }),
  });
  expect(patched.status).toBe(200);
  const requestId = patched.headers.get("x-request-id") ?? "";
  await receiver.waitFor(2);

  // Both programs send what they have before they end.
  await waitFor(async () =>
    (await deliveriesTo(stack, endpoint.id)).every(({ status }) => status === "delivered"),
  );
  expect(await Promise.all([stack.api.stop(), stack.worker.stop()])).toEqual([0, 0]);
  // The worker's steps for it carry it too, and may have been sent first.
  const request = otlp.spans.find(
    (span) => span.service === "cardvault-api" && span.attributes["vault.request_id"] === requestId,
  );
  expect(request).toMatchObject({
    name: "PATCH /cards/:id",
    parentSpanId: "",
    links: [strangersTrace],
    isError: false,
    attributes: {
      "http.request.method": "PATCH",
      "http.route": "/cards/:id",
      "http.response.status_code": 200,
    },
  });
  const trace = otlp.spans.filter(({ traceId }) => traceId === request?.traceId);
  const posts = trace.filter(({ name }) => name === "POST");
  expect(posts.map((post) => chainOf(otlp, post))).toEqual(
    Array.from({ length: 2 }, () => [
      "worker: POST",
      "worker: attempt",
      "worker: deliver",
      "api: outbox",
      "api: transaction",
      "api: cards.update",
      "api: PATCH /cards/:id",
    ]),
  );
  expect(
    trace.filter(({ name }) => name === "relay").map((relay) => chainOf(otlp, relay)[1]),
  ).toEqual(["api: outbox", "api: outbox"]);
  expect(posts[0]?.attributes).toMatchObject({
    "server.address": "127.0.0.1",
    "http.response.status_code": 200,
  });
  const [attempt] = trace.filter(({ name }) => name === "attempt");
  expect(attempt).toMatchObject({
    isError: false,
    attributes: {
      "vault.attempt": 1,
      "vault.outcome": "delivered",
      "vault.endpoint_id": endpoint.id,
    },
  });
  const outbox = trace.find(({ name }) => name === "outbox");
  const traceparent = `00-${outbox?.traceId}-${outbox?.spanId}-01`;
  expect(await eventsOf(stack, requestId)).toEqual([
    { type: "card.priced", request_id: requestId, traceparent },
    { type: "card.workflow_status_changed", request_id: requestId, traceparent },
  ]);

  // The pages' procedures begin traces too; pages and probes do not.
  const beginnings = new Set(otlp.spans.filter((span) => span.parentSpanId === "").map(nameOf));
  expect(beginnings).toContain("POST /trpc/:path");
  expect([...beginnings].filter((name) => /livez|readyz/u.test(name))).toEqual([]);

  // The receivers are told nothing of it, and the collector nothing that is secret, typed or personal.
  for (const { headers } of receiver.requests) {
    expect(Object.keys(headers)).not.toContain("traceparent");
    expect(JSON.stringify(headers)).not.toContain(request?.traceId);
  }
  const told = otlp.spans.map((span) => JSON.stringify(span)).join("\n");
  const kept = [shop.email, shop.password, title, inUrl, collectorKey, endpoint.secret, shop.token];
  expectNoSecrets(told, new Set([...stack.secrets, ...kept]));
  expect(otlp.raw.every((sent) => sent.includes(collectorKey))).toBe(true);

  // Both programs name the request in their lines.
  expect(linesOf(stack.worker.output, requestId)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: "delivery attempt", traceId: request?.traceId }) as unknown,
    ]),
  );

  // An api that records no traces leaves nothing of them behind, and the id of the request all the same.
  const sentBefore = otlp.raw.length;
  const port = await quietPort();
  const plain = { ...stack.environment };
  delete plain["OTEL_EXPORTER_OTLP_ENDPOINT"];
  const url = `http://127.0.0.1:${port}`;
  const silent = new Program({
    file: "services/api/src/main-local.ts",
    environment: { ...plain, PORT: String(port) },
    readyUrl: `${url}/readyz`,
  });
  context.onTestFinished(async () => void (await silent.stop()));
  await Promise.all([silent.start(), stack.worker.start()]);
  const untold = await fetch(`${url}/cards/${second?.id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${shop.token}`, "content-type": "application/json" },
    body: JSON.stringify({ asking_price: price }),
  });
  expect(((await untold.json()) as Card).workflow_status).toBe("priced");
  const untoldId = untold.headers.get("x-request-id") ?? "";
  await receiver.waitFor(4);
  const refused = await fetch(`${url}/cards/card_1`, {
    headers: { authorization: `Bearer ${shop.token}` },
  });
  const refusedId = refused.headers.get("x-request-id") ?? "";
  await Promise.all([silent.stop(), stack.worker.stop()]);
  expect(await eventsOf(stack, untoldId)).toEqual([
    { type: "card.priced", request_id: untoldId, traceparent: null },
    { type: "card.workflow_status_changed", request_id: untoldId, traceparent: null },
  ]);
  expect(otlp.raw).toHaveLength(sentBefore);
  expect(linesOf(stack.worker.output, untoldId)).toEqual(
    expect.arrayContaining([expect.objectContaining({ msg: "delivery attempt" }) as unknown]),
  );
  expect(linesOf(silent.output, refusedId)).toEqual([
    expect.objectContaining({ msg: "A request was refused", requestId: refusedId }) as unknown,
  ]);
}, 90_000);

function nameOf({ name }: ReceivedSpan): string {
  return name;
}
