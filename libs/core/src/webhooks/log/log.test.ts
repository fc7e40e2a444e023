import { eventSchemas, eventTypes } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse } from "../../test-house.ts";
import type { Dealer, House } from "../../test-house.ts";
import { createServices } from "../../services.ts";
import type { TestEvent, TestOutcome } from "../test-sender.ts";

let house: House;
let dealer: Dealer;
let first: string;
let second: string;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Logged Cards");
  const { create } = dealer.asOwner.webhooks.endpoints;
  first = (await create({ url: "https://first.example.com/" })).endpoint.id;
  second = (await create({ url: "https://second.example.com/" })).endpoint.id;
  const { id } = await dealer.asOwner.batches.create({ name: "Harbour" });
  await dealer.asOwner.batches.complete({ id });
  await dealer.asOwner.cards.create({ title: "Serpent" });
  // Batch: 200 at the first, 503 then nothing at the second. Card: all pending.
  await attempted(first, 1, 200, null);
  await attempted(second, 1, 503, null);
  await attempted(second, 2, null, "timeout");
  await house.db.query(
    `update webhook_delivery d set status = case when endpoint_id = $1 then 'delivered' else 'retrying' end,
       attempts = case when endpoint_id = $1 then 1 else 2 end,
       finished_at = case when endpoint_id = $1 then $2::timestamptz end,
       next_attempt_at = case when endpoint_id <> $1 then $2::timestamptz + interval '10 minutes' end
     from webhook_event e where e.id = d.event_id and e.type = 'batch.completed'`,
    [toUuid(first), house.clock.now()],
  );
});
afterAll(() => house.close());

async function attempted(
  endpointId: string,
  number: number,
  status: number | null,
  error: string | null,
): Promise<void> {
  await house.db.query(
    `insert into webhook_attempt (id, account_id, delivery_id, endpoint_id, number, started_at, status_code, error_code,
       dns_ms, total_ms, response_headers, response_body, response_truncated, event_type)
     select uuidv7(), d.account_id, d.id, d.endpoint_id, $2, $3, $4, $5, 1.6, 12.4, '{"server": "till"}', '\\xff6f6b', true, e.type
     from webhook_delivery d join webhook_event e on e.id = d.event_id
     where d.endpoint_id = $1 and e.type = 'batch.completed'`,
    [toUuid(endpointId), number, house.clock.now(), status, error],
  );
  house.clock.advance(1_000);
}

const webhooks = () => dealer.asOwner.webhooks;

describe("webhooks.attempts.list", () => {
  test("200: the latest first, with what they belong to and how long each part took", async () => {
    const { data } = await webhooks().attempts.list({});
    expect(data.map((one) => [one.endpoint_id, one.number, one.status_code, one.error])).toEqual([
      [second, 2, null, "timeout"],
      [second, 1, 503, null],
      [first, 1, 200, null],
    ]);
    expect(data[2]).toMatchObject({
      event: "batch.completed",
      endpoint_url: "https://first.example.com/",
      delivered: true,
      dns_ms: 2,
      tls_ms: null,
      total_ms: 12,
    });
  });

  test.each<[object, (string | number)[]]>([
    [{ delivered: true }, [200]],
    [{ delivered: false }, ["timeout", 503]],
    [{ outcome: ["5xx"] }, [503]],
    [{ outcome: ["no_answer"] }, ["timeout"]],
    [{ outcome: ["2xx", "no_answer"] }, ["timeout", 200]],
    [{ outcome: ["4xx"] }, []],
    [{ status_code: [503, 200] }, [503, 200]],
    [{ error: ["timeout"] }, ["timeout"]],
    [{ error: ["tls"] }, []],
    [{ event: ["card.identified"] }, []],
    [{ event: ["batch.completed", "card.identified"], delivered: true }, [200]],
    [{ since: "2026-03-01T12:00:02Z" }, ["timeout"]],
    [{ until: "2026-03-01T12:00:01Z" }, [200]],
    [{ endpoint_id: "whe_01kjn2z6g0fgz9pqafd9r83gq3" }, []],
  ])("200: filtered by %j", async (filter, expected) => {
    const { data } = await webhooks().attempts.list(filter);
    expect(data.map((one) => one.error ?? one.status_code)).toEqual(expected);
  });

  test("200: pages meet; 400 invalid_cursor with another filter", async () => {
    const page = await webhooks().attempts.list({ limit: 2 });
    expect(page).toMatchObject({ has_more: true, total: 3 });
    const cursor = page.next_cursor ?? "";
    const last = await webhooks().attempts.list({ limit: 2, cursor });
    // Whoever goes on has been told how many there are.
    expect(last).toMatchObject({ data: [{ status_code: 200 }], has_more: false, total: null });
    expect(await webhooks().attempts.list({ delivered: false, limit: 1 })).toMatchObject({
      total: 2,
    });
    expect(await webhooks().attempts.list({ event: ["batch.completed"] })).toMatchObject({
      total: null,
    });
    const other = webhooks().attempts.list({ delivered: true, cursor });
    expect(await codeFrom(other)).toBe("invalid_cursor");
  });
});

describe("webhooks.deliveries", () => {
  test("list: 200 by endpoint, status, event and time", async () => {
    const at = async (filter: object) =>
      (await webhooks().deliveries.list(filter)).data.map((one) => [one.event, one.status]);
    expect(await at({ endpoint_id: second, event: ["batch.completed"] })).toEqual([
      ["batch.completed", "retrying"],
    ]);
    expect(await at({ status: ["delivered"] })).toEqual([["batch.completed", "delivered"]]);
    expect(await webhooks().deliveries.list({ status: ["delivered"] })).toMatchObject({ total: 1 });
    const open = await at({ status: ["pending", "retrying"], endpoint_id: first });
    expect(open.every(([, status]) => status === "pending")).toBe(true);
    expect(open.length).toBeGreaterThan(0);
    expect(await at({ since: "2026-03-02T00:00:00Z" })).toEqual([]);
    expect(await at({ until: "2026-02-01T00:00:00Z" })).toEqual([]);
  });

  test("get: 200 what is sent, every attempt with the answer, the next one and the end of trying", async () => {
    const [row] = (
      await webhooks().deliveries.list({ endpoint_id: second, event: ["batch.completed"] })
    ).data;
    const detail = await webhooks().deliveries.get({ id: row?.id ?? "" });
    expect(JSON.parse(detail.request_body)).toMatchObject({
      id: detail.event_id,
      event: "batch.completed",
    });
    expect(detail.attempts).toMatchObject([
      { number: 1, status_code: 503, response_truncated: true, response_body: "\ufffdok" },
      { number: 2, error: "timeout", response_headers: { server: "till" } },
    ]);
    // After the third: 10 min, 1 h, 6 h and 24 h more.
    const nextMs = Date.parse(detail.next_attempt_at ?? "");
    expect(Date.parse(detail.drops_at ?? "") - nextMs).toBe(
      (600 + 3_600 + 21_600 + 86_400) * 1_000,
    );
  });

  test("get: 404 not_found", async () => {
    for (const id of ["nonsense", "dlv_01kjn2z6g0fgz9pqafd9r83gq3"]) {
      expect(await codeFrom(webhooks().deliveries.get({ id }))).toBe("not_found");
    }
  });
});

describe("webhooks.endpoints.test", () => {
  const answer: TestOutcome = {
    startedAt: new Date("2026-03-01T12:00:00.000Z"),
    statusCode: 418,
    errorCode: null,
    timings: { dnsMs: 0.6, connectMs: null, tlsMs: null, firstByteMs: 3, totalMs: 4.4 },
    requestHeaders: { "x-vault-test": "true" },
    responseHeaders: { server: "till" },
    responseBody: Buffer.from("no coffee"),
    responseTruncated: false,
  };

  /** A house's services with a sender that keeps what it is given. */
  async function withSender() {
    const sent: TestEvent[] = [];
    const { db, clock, services } = house;
    const own = await createServices({
      db,
      clock,
      databaseUrl: house.databaseUrl,
      logger: services.logger,
      encryptionKeys: [{ id: "test", key: Buffer.alloc(32, 7) }],
      config: services.config,
      sendTestEvent: (event) => {
        sent.push(event);
        return Promise.resolve(answer);
      },
    });
    const { webhooks: own_webhooks } = house.caller(dealer.owner, { services: own });
    return { sent, test: own_webhooks.endpoints.test, close: () => own.close() };
  }

  test("200: an event of every type as it would be sent, with ids that are never issued; written nowhere", async () => {
    const { sent, test: send, close } = await withSender();
    const before = await house.db.query(
      "select (select count(*) from webhook_event) as e, (select count(*) from webhook_attempt) as a",
    );
    for (const event of eventTypes) {
      const result = await send({ id: first, event });
      expect(result).toMatchObject({
        delivered: false,
        status_code: 418,
        dns_ms: 1,
        response_body: "no coffee",
        request: { url: "https://first.example.com/", headers: { "x-vault-test": "true" } },
      });
      const envelope = eventSchemas[event].parse(JSON.parse(result.request.body));
      expect(envelope.id).toMatch(/^evt_0{10}/);
      expect(envelope.account_id).toBe(dealer.account.id);
      const ids = JSON.stringify(envelope.data).match(/(?:card|lst|batch)_[0-9a-z]{26}/g) ?? [];
      expect(ids.every((id) => /_0{10}/.test(id))).toBe(true);
    }
    expect(sent.map(({ endpointId }) => endpointId)).toEqual(eventTypes.map(() => first));
    const after = await house.db.query(
      "select (select count(*) from webhook_event) as e, (select count(*) from webhook_attempt) as a",
    );
    expect(after).toEqual(before);
    await close();
  });

  test("429 rate_limit_exceeded above ten a minute in an account", async () => {
    const { test: send, close } = await withSender();
    for (let count = 0; count < 10; count += 1) await send({ id: first, event: "card.priced" });
    const refused = await errorFrom(send({ id: second, event: "card.priced" }));
    expect(refused).toMatchObject({ code: "rate_limit_exceeded", retryAfterSeconds: 60 });
    house.clock.advance(60_001);
    expect(await send({ id: second, event: "card.priced" })).toMatchObject({ status_code: 418 });
    await close();
  });

  test("503 service_unavailable in a process that cannot send", async () => {
    const call = webhooks().endpoints.test({ id: first, event: "card.priced" });
    expect(await codeFrom(call)).toBe("service_unavailable");
  });
});
