import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse, tokenOf } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

const batches = () => dealer.asOwner.batches;
const unknown = ["nonsense", "batch_01kjn2z6g0fgz9pqafd9r83gq3"];

describe("batches.create", () => {
  test("200: without a code the account's next one", async () => {
    const [one, other] = [
      await batches().create({ name: "First" }),
      await batches().create({ name: "Second" }),
    ];
    expect(one).toMatchObject({ code: "B1", name: "First", status: "open", card_count: 0 });
    expect(other.code).toBe("B2");
  });

  test("200: what is given comes back", async () => {
    const given = {
      name: "Estate",
      code: "EST",
      source: "Estate sale",
      description: "Three boxes",
      cost_basis: { amount: 45_000, currency: "USD" },
      acquired_at: "2026-02-26T00:00:00.000Z",
    };
    const defaults = { game: "Runes of Avarra", price_floor: { amount: 50, currency: "USD" } };
    const made = await batches().create({ ...given, defaults });
    expect(made).toMatchObject({ ...given, defaults });
    expect(await batches().get({ id: made.id })).toEqual(made);
  });

  test("400 validation_failed for another currency", async () => {
    const cost_basis = { amount: 1, currency: "EUR" };
    const error = await errorFrom(batches().create({ name: "x", cost_basis }));
    expect(error.details?.[0]?.path).toBe("cost_basis.currency");
  });

  test("409 conflict for a code that another batch has", async () => {
    await batches().create({ name: "x", code: "TWICE" });
    expect(await codeFrom(batches().create({ name: "y", code: "TWICE" }))).toBe("conflict");
  });
});

test("batches.find looks through every batch, by code and by name in any case", async () => {
  const { asOwner } = await house.dealer("Finding Cards");
  expect(await asOwner.batches.find({})).toEqual({ data: [], count: 0 });
  const names = ["Attic 100%", "Harbour", "An old harbour", "Pier"];
  const ids: string[] = [];
  for (const name of names) ids.push((await asOwner.batches.create({ name })).id);
  await asOwner.batches.complete({ id: ids[3] ?? "" });
  const found = async (input: Parameters<typeof asOwner.batches.find>[0]) => {
    const { data, count } = await asOwner.batches.find(input);
    return [data.map(({ name }) => name), count];
  };
  expect(await found({})).toEqual([names.toReversed(), 4]);
  expect(await found({ limit: 1 })).toEqual([["Pier"], 4]);
  expect(await found({ text: " HARB " })).toEqual([["Harbour", "An old harbour"], 2]);
  expect(await found({ text: "b1" })).toEqual([["Attic 100%"], 1]);
  expect(await found({ text: "0%" })).toEqual([["Attic 100%"], 1]);
  expect(await found({ text: "a_t" })).toEqual([[], 0]);
  expect(await found({ status: ["complete"] })).toEqual([["Pier"], 1]);
});

describe("batches.update", () => {
  test("200: what is given changes, defaults are replaced whole, null clears", async () => {
    const made = await batches().create({
      name: "Before",
      source: "Show",
      defaults: { game: "Runes", location: "A" },
    });
    const updated = await batches().update({
      id: made.id,
      source: null,
      defaults: { set: "Storm" },
    });
    expect(updated).toMatchObject({ name: "Before", source: null });
    expect(updated.defaults).toMatchObject({ set: "Storm", game: null, location: null });
  });

  test("412 precondition_failed where a member is not what was read of it, and nothing is changed", async () => {
    const read = await batches().create({
      name: "Read",
      source: "Show",
      defaults: { set: "Storm" },
      cost_basis: { amount: 900, currency: "USD" },
    });
    const { id, name, source, defaults, cost_basis } = read;
    await batches().update({ id, source: "Estate", expected: { source } });
    const late = { id, source: "Attic", name: "Mine" };
    const error = await errorFrom(batches().update({ ...late, expected: { source, name } }));
    expect(error).toMatchObject({ code: "precondition_failed", status: 412 });
    expect(error.details?.map(({ path }) => path)).toEqual(["source"]);
    expect(await batches().get({ id })).toMatchObject({ name: "Read", source: "Estate" });
    // Another member than the one that somebody else has changed.
    const changed = { name: "Mine", defaults: { set: "Tide" }, cost_basis: null };
    expect(
      await batches().update({ id, ...changed, expected: { name, defaults, cost_basis } }),
    ).toMatchObject({ name: "Mine", source: "Estate", defaults: { set: "Tide" } });
  });

  test("of two who edit the same at once one is told", async () => {
    const { id, name } = await batches().create({ name: "Once" });
    const edits = ["One", "Other"].map((mine) =>
      batches().update({ id, name: mine, expected: { name } }),
    );
    const ends = await Promise.allSettled(edits);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("409 batch_complete", async () => {
    const { id } = await batches().create({ name: "Done" });
    await batches().complete({ id });
    expect(await codeFrom(batches().update({ id, name: "Other" }))).toBe("batch_complete");
  });
});

describe("batches.complete and reopen", () => {
  test("200: every completion fires batch.completed with the count", async () => {
    const { id } = await batches().create({ name: "Harbour" });
    await dealer.asOwner.cards.create({ batch_id: id });
    const complete = await batches().complete({ id, acknowledged: true });
    expect(complete.status).toBe("complete");
    expect(await batches().reopen({ id })).toMatchObject({ status: "open", completed_at: null });
    await batches().complete({ id, acknowledged: true });
    const events = await house.db.query<{ body: string }>(
      "select body from webhook_event where type = 'batch.completed' order by id",
    );
    const fired = events
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.batch_id === id);
    expect(fired).toHaveLength(2);
    expect(fired[0].data).toEqual({
      batch_id: id,
      name: "Harbour",
      card_count: 1,
      completed_at: complete.completed_at,
    });
  });

  test("409 batch_complete twice, invalid_transition for reopening an open one", async () => {
    const { id } = await batches().create({ name: "x" });
    expect(await codeFrom(batches().reopen({ id }))).toBe("invalid_transition");
    await batches().complete({ id });
    expect(await codeFrom(batches().complete({ id }))).toBe("batch_complete");
  });
});

test.each(unknown)("404 batch_not_found for %s, whatever is asked", async (id) => {
  for (const call of [
    () => batches().get({ id }),
    () => batches().cards({ id }),
    () => batches().update({ id, name: "x" }),
    () => batches().complete({ id }),
    () => batches().reopen({ id }),
    () => batches().progress({ id }),
    () => batches().completionCheck({ id }),
    () => batches().previewCost({ id }),
    () => batches().spreadCost({ id }),
  ]) {
    expect(await codeFrom(call())).toBe("batch_not_found");
  }
});

describe("batches.list and batches.cards", () => {
  test("200: for a token with the scopes, the cards of that batch only", async () => {
    const { id } = await batches().create({ name: "Scoped" });
    const card = await dealer.asOwner.cards.create({ batch_id: id });
    const caller = house.caller(tokenOf(dealer, ["batches:read", "cards:read"]));
    expect((await caller.batches.cards({ id })).data).toEqual([card]);
    const { data } = await caller.batches.list({ limit: 200 });
    expect(data.find((batch) => batch.id === id)).toMatchObject({ card_count: 1 });
  });

  test("403 insufficient_scope: cards of a batch need both scopes", async () => {
    const { id } = await batches().create({ name: "Scoped" });
    for (const scope of ["batches:read", "cards:read"] as const) {
      const caller = house.caller(tokenOf(dealer, [scope]));
      expect(await codeFrom(caller.batches.cards({ id }))).toBe("insufficient_scope");
    }
  });
});
