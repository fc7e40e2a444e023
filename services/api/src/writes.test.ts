import { createIdempotencyStore } from "@cardvault/db";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let dealer: Dealer;
let serial = 0;

beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Anna");
});
afterAll(() => house.close());

function patch(body: unknown, headers: Record<string, string> = {}, card = dealer.cards[0].id) {
  // Each write has a window to itself.
  house.clock.advance(5_000);
  return house.call(dealer.token, "PATCH", `/cards/${card}`, { payload: body as object, headers });
}

function freshKey(): string {
  serial += 1;
  return `key-${serial}`;
}

const usd = (amount: number) => ({ amount, currency: "USD" });

async function eventsOfAccount(): Promise<number> {
  return (await house.dump(dealer))["webhook_event"]?.length ?? 0;
}

describe("conditional requests", () => {
  test("a card's ETag is its version; If-None-Match and If-Match act on it", async () => {
    const url = `/cards/${dealer.cards[0].id}`;
    const read = await house.call(dealer.token, "GET", url);
    const tag = String(read.headers.etag);
    expect(tag).toBe(`"${read.json<{ version: number }>().version}"`);
    const again = await house.call(dealer.token, "GET", url, { headers: { "if-none-match": tag } });
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: "" });
    const changed = await patch({ notes: "One" }, { "if-match": tag });
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(tag);
    const stale = await patch({ notes: "Two" }, { "if-match": tag });
    expect(stale.json()).toMatchObject({ error: { code: "precondition_failed", status: 412 } });
    const now = await house.call(dealer.token, "GET", url);
    expect(now.json()).toMatchObject({ notes: "One" });
  });
});

describe("idempotent requests", () => {
  test("a repeat answers byte for byte what the first one answered, and changes nothing", async () => {
    const key = freshKey();
    const first = await patch({ asking_price: usd(1250) }, { "idempotency-key": key });
    expect(first.statusCode).toBe(200);
    const before = await house.dump(dealer);
    const second = await patch({ asking_price: usd(1250) }, { "idempotency-key": key });
    expect({ status: second.statusCode, body: second.body, etag: second.headers.etag }).toEqual({
      status: 200,
      body: first.body,
      etag: first.headers.etag,
    });
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(await house.dump(dealer)).toEqual(before);
  });

  test("another body under the key is 422, another card is another key", async () => {
    const key = freshKey();
    await patch({ notes: "a" }, { "idempotency-key": key });
    const other = await patch({ notes: "b" }, { "idempotency-key": key });
    expect(other.json()).toMatchObject({ error: { code: "idempotency_key_reused", status: 422 } });
    const card = await patch({ notes: "b" }, { "idempotency-key": key }, dealer.cards[1].id);
    expect(card.statusCode).toBe(200);
    expect(card.headers["idempotent-replayed"]).toBeUndefined();
  });

  test("refusals of the state are replayed", async () => {
    const key = freshKey();
    const first = await patch({ workflow_status: "listed" }, { "idempotency-key": key });
    expect(first.statusCode).toBe(409);
    const second = await patch({ workflow_status: "listed" }, { "idempotency-key": key });
    expect(second.body).toBe(first.body);
    expect(second.headers["idempotent-replayed"]).toBe("true");
  });

  test("after 24 hours the key is free again", async () => {
    const key = freshKey();
    await patch({ notes: "a" }, { "idempotency-key": key });
    house.clock.advance(24 * 60 * 60 * 1_000 + 1);
    const later = await patch({ notes: "b" }, { "idempotency-key": key });
    expect(later.statusCode).toBe(200);
  });

  test("ten at once change once: one is answered, the others replay or are told to wait", async () => {
    const key = freshKey();
    const events = await eventsOfAccount();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        house.call(dealer.token, "PATCH", `/cards/${dealer.cards[1].id}`, {
          payload: { title: "Storm Caller" },
          headers: { "idempotency-key": key },
        }),
      ),
    );
    const own = answers.filter(
      ({ statusCode, headers }) =>
        statusCode === 200 && headers["idempotent-replayed"] === undefined,
    );
    expect(own).toHaveLength(1);
    const others = answers
      .filter((one) => one !== own[0])
      .map(({ statusCode, body, headers }) =>
        statusCode === 409 ? { wait: Number(headers["retry-after"]) > 0 } : { body },
      );
    for (const other of others)
      expect([{ wait: true }, { body: own[0]?.body }]).toContainEqual(other);
    // Identified by hand: the identification and the step of its stage.
    expect((await eventsOfAccount()) - events).toBe(2);
  });

  test("a request whose process died is taken over after its deadline, and not before", async () => {
    const key = freshKey();
    const path = `/cards/${dealer.cards[0].id}`;
    const body = { notes: "after the crash" };
    const store = createIdempotencyStore(house.services.db);
    const requestHash = createHash("sha256").update(JSON.stringify(body)).digest();
    const { id: accountId } = dealer.account;
    const reservation = await store.reserve(
      { accountId, method: "PATCH", path, key, requestHash },
      house.clock.now(),
    );
    const waiting = await patch(body, { "idempotency-key": key });
    expect(waiting.json()).toMatchObject({
      error: { code: "idempotency_in_progress", status: 409 },
    });
    const seconds = Number(waiting.headers["retry-after"]);
    expect(seconds).toBeGreaterThan(1);
    house.clock.advance(seconds * 1_000);
    const taken = await patch(body, { "idempotency-key": key });
    expect(taken.json()).toMatchObject({ notes: "after the crash" });
    // The first attempt, were it still alive, could not write its answer any more.
    const held = "reservation" in reservation ? reservation.reservation : undefined;
    if (held === undefined) throw new Error("The key was free");
    const late = store.complete(held, { status: 200, headers: {}, body: "{}" });
    await expect(late).rejects.toMatchObject({ code: "idempotency_in_progress" });
  });
});

describe("lists", () => {
  test("the link leads to the next page, with the same filters", async () => {
    const first = await house.call(dealer.token, "GET", "/cards?limit=1&sort=title");
    const [, address = ""] = /^<(.+)>; rel="next"$/.exec(String(first.headers.link)) ?? [];
    const { data, next_cursor: cursor } = first.json<{ data: unknown[]; next_cursor: string }>();
    expect(data).toHaveLength(1);
    expect(new URL(address).searchParams.get("cursor")).toBe(cursor);
    const { pathname, search } = new URL(address);
    const second = await house.call(dealer.token, "GET", pathname + search);
    expect(second.json()).toMatchObject({ data: [{}], has_more: false });
    expect(second.headers.link).toBeUndefined();
  });
});
