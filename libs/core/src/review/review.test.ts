import type { Card } from "@cardvault/contract";
import { readUnlearnedPhotos } from "@cardvault/db";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SampleOutcome } from "@cardvault/simulators";
import { openSandbox } from "../identify/test-sandbox.ts";
import type { Sandbox } from "../identify/test-sandbox.ts";
import { codeFrom, errorFrom } from "../test-house.ts";
import type { Dealer } from "../test-house.ts";

let sandbox: Sandbox;
let dealer: Dealer;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());
let serial = 0;
beforeEach(async () => {
  serial += 1;
  dealer = await sandbox.house.dealer(`Review ${serial}`, { environment: "test" });
});

/** A card whose identification has ended in the queue. */
async function queued(outcome: SampleOutcome, cardId = "EMC-12"): Promise<Card> {
  const card = await sandbox.card(dealer, outcome, { cardId });
  await dealer.asOwner.identifications.identify({ card_id: card.id }).catch(() => null);
  return dealer.asOwner.cards.get({ id: card.id });
}
const review = () => dealer.asOwner.review;
async function next(more: Parameters<Dealer["asOwner"]["review"]["next"]>[0] = {}) {
  const { items } = await review().next({ ahead: 0, ...more });
  return items;
}
async function second() {
  const member = await sandbox.house.member(dealer, `Clerk ${serial}`, "member");
  return sandbox.house.caller(member).review;
}

describe("next", () => {
  test("answers the card with its reason, candidates and what speaks for each field", async () => {
    const card = await queued("low_confidence");
    const [item] = await next();
    expect(item?.card).toMatchObject({ id: card.id, review_reason: "low_confidence" });
    expect(item?.candidates[0]?.identification.set).toBe("Ember Coast");
    expect(item?.fields.length).toBeGreaterThan(0);
    expect(item?.identification_id).toMatch(/^idn_/u);
    const until = Date.parse(item?.locked_until ?? "");
    expect(until - sandbox.house.clock.now().getTime()).toBe(120_000);
  });

  test("prefetches, keeps what is held first, and orders by confidence, value and age", async () => {
    const failed = await queued("both_failed", "EMC-13");
    const unsure = await queued("low_confidence", "EMC-14");
    const ids = (items: Awaited<ReturnType<typeof next>>) => items.map(({ card }) => card.id);
    expect(ids(await next({ ahead: 1, order: "confidence" }))).toEqual([unsure.id, failed.id]);
    const price = { amount: 9_900, currency: "USD" };
    await dealer.asOwner.cards.update({ id: failed.id, asking_price: price });
    expect(ids(await next({ ahead: 5, order: "value" }))).toEqual([failed.id, unsure.id]);
    expect(ids(await next({ ahead: 5, order: "age" }))).toEqual([unsure.id, failed.id]);
    expect(ids(await next({ reason: ["providers_failed"], ahead: 5 }))).toEqual([failed.id]);
    await review().release({ card_ids: [unsure.id, failed.id] });
    expect(ids(await next({ ahead: 0 }))).toHaveLength(1);
  });

  test("two reviewers never have the same card, and a lock ends by itself", async () => {
    const [one, two] = [await queued("low_confidence"), await queued("both_failed", "EMC-13")];
    const clerk = await second();
    const [mine, theirs] = await Promise.all([
      review().next({ ahead: 0 }),
      clerk.next({ ahead: 0 }),
    ]);
    const seen = [mine.items[0]?.card.id, theirs.items[0]?.card.id];
    expect(new Set(seen)).toEqual(new Set([one.id, two.id]));
    const [held] = mine.items;
    const stolen = clerk.skip({ card_id: held?.card.id ?? "" });
    expect(await codeFrom(stolen)).toBe("conflict");
    expect((await clerk.next({ ahead: 5 })).items).toHaveLength(1);
    sandbox.house.clock.advance(121_000);
    expect((await clerk.next({ ahead: 5 })).items).toHaveLength(2);
    const renewed = await review().renew({ card_ids: [held?.card.id ?? ""] });
    expect(renewed.locks).toEqual([]);
  });

  test("a lock that is renewed holds on", async () => {
    await queued("low_confidence");
    const [item] = await next();
    sandbox.house.clock.advance(100_000);
    const cardIds = [item?.card.id ?? ""];
    expect((await review().renew({ card_ids: cardIds })).locks).toHaveLength(1);
    sandbox.house.clock.advance(100_000);
    expect((await (await second()).next({ ahead: 5 })).items).toEqual([]);
  });

  test("what concerns copies stays out, and so does another account's queue", async () => {
    const card = await queued("low_confidence");
    await queued("both_failed", "EMC-13");
    const waiting = async () => (await dealer.asOwner.accounts.overview()).needs_review;
    expect(await waiting()).toBe(2);
    await sandbox.house.db.query(
      "update card set review_reason = 'oversold' where review_reason = 'low_confidence'",
    );
    expect(await waiting()).toBe(1);
    expect((await review().stats({})).waiting).toBe(1);
    await sandbox.house.db.query("update card set review_reason = 'oversold' where needs_review");
    expect(await waiting()).toBe(0);
    expect(await next()).toEqual([]);
    expect(await codeFrom(review().skip({ card_id: card.id }))).toBe("invalid_transition");
  });
});

describe("decisions", () => {
  test("a candidate is accepted: the card is identified by hand and leaves the queue", async () => {
    const card = await queued("low_confidence");
    const [item] = await next();
    const answer = await review().accept({
      card_id: card.id,
      version: card.version,
      choice: { identification_id: item?.identification_id ?? "", candidate: 1 },
    });
    expect(answer.card).toMatchObject({
      status: "identified",
      identified_by: "manual",
      needs_review: false,
      title: item?.candidates[0]?.identification.title,
      version: card.version + 1,
    });
    expect(Object.keys(answer.card.external_ids).length).toBeGreaterThan(0);
    expect(await next()).toEqual([]);
  });

  test("a slab's grading comes with its candidate, unless the card has a condition", async () => {
    await dealer.asOwner.accounts.settings.update({ review_threshold: 1 });
    const accepted = async ({ id }: Card) => {
      const items = await next({ ahead: 5 });
      const item = items.find(({ card }) => card.id === id);
      const choice = { identification_id: item?.identification_id ?? "", candidate: 1 };
      const version = item?.card.version ?? 0;
      const { card } = await review().accept({ card_id: id, version, choice });
      return { item, card };
    };
    const grading = { grader: "PSA", grade: "9", cert_number: "48213377", qualifier: null };
    const slab = await queued("graded");
    expect(slab).toMatchObject({ review_reason: "low_confidence", grading: null });
    const { item, card } = await accepted(slab);
    expect(item?.candidates[0]?.grading).toEqual(grading);
    expect(card).toMatchObject({ status: "identified", grading, condition: null });
    const undone = await review().undoLast();
    expect(undone?.card).toMatchObject({ status: "imported", grading: null });
    await dealer.asOwner.cards.update({ id: slab.id, condition: "near_mint" });
    expect((await accepted(slab)).card).toMatchObject({ grading: null, condition: "near_mint" });
  });

  test("a grading that engines read differently is not in the candidate, nor on the card", async () => {
    await dealer.asOwner.accounts.settings.update({ review_threshold: 1 });
    await sandbox.fault(dealer, "google", "wrong_grade");
    const slab = await queued("graded");
    const [item] = await next();
    expect(item?.candidates[0]).toMatchObject({ engines: ["cardsight", "google"], grading: null });
    const choice = { identification_id: item?.identification_id ?? "", candidate: 1 };
    const { card } = await review().accept({ card_id: slab.id, version: slab.version, choice });
    expect(card).toMatchObject({ status: "identified", grading: null });
    await sandbox.clearFaults();
  });

  test("400, 404, 409, 412: what cannot be accepted changes nothing", async () => {
    const card = await queued("low_confidence");
    const [item] = await next();
    const identification_id = item?.identification_id ?? "";
    const base = { card_id: card.id, version: card.version };
    const accept = review().accept;
    expect(await codeFrom(accept(base))).toBe("validation_failed");
    const none = { ...base, choice: { identification_id, candidate: 5 } };
    expect(await codeFrom(accept(none))).toBe("validation_failed");
    const unknown = { identification_id: "idn_01kjn2z6g0fgz9pqafd9r83gq3", candidate: 1 };
    expect(await codeFrom(accept({ ...base, choice: unknown }))).toBe("not_found");
    const stale = { ...base, version: 99, choice: { identification_id, candidate: 1 } };
    expect(await codeFrom(accept(stale))).toBe("precondition_failed");
    const clerk = await second();
    const choice = { identification_id, candidate: 1 };
    expect((await errorFrom(clerk.accept({ ...base, choice }))).code).toBe("conflict");
    expect(await dealer.asOwner.cards.get({ id: card.id })).toEqual(card);
  });

  test("corrected by hand, with whatever else a card has", async () => {
    const card = await queued("both_failed");
    const answer = await review().correct({
      card_id: card.id,
      version: card.version,
      fields: {
        title: "Charged Serpent",
        number: "12/180",
        condition: "near_mint",
        asking_price: { amount: 500, currency: "USD" },
      },
    });
    expect(answer.card).toMatchObject({
      title: "Charged Serpent",
      status: "identified",
      workflow_status: "priced",
      condition: "near_mint",
      needs_review: false,
      version: card.version + 1,
    });
  });

  test("a valuable card is accepted as it is", async () => {
    const limit = { amount: 1, currency: "USD" };
    await dealer.asOwner.accounts.settings.update({ high_value_limit: limit });
    const card = await queued("applied");
    expect(card.review_reason).toBe("high_value");
    const isLearnable = async (): Promise<boolean> => {
      const { photos } = await readUnlearnedPhotos(sandbox.house.db, dealer.account.id, 1_000);
      return photos.some(({ cardId }) => cardId === card.id);
    };
    expect(await isLearnable()).toBe(false);
    const answer = await review().accept({ card_id: card.id, version: card.version });
    expect(answer.card).toMatchObject({
      needs_review: false,
      identified_by: "image_recognition",
      title: card.title,
    });
    // A person has confirmed what the provider said, until that is taken back.
    expect(await isLearnable()).toBe(true);
    await review().undoLast();
    expect(await isLearnable()).toBe(false);
  });

  test("a skipped card comes last, for this reviewer only", async () => {
    const [one] = [await queued("low_confidence"), await queued("both_failed", "EMC-13")];
    await review().skip({ card_id: one.id });
    expect((await next({ ahead: 5 })).at(-1)?.card.id).toBe(one.id);
    sandbox.house.clock.advance(121_000);
    const clerk = await second();
    expect((await clerk.next({ ahead: 5 })).items[0]?.card.id).toBe(one.id);
  });

  test("each is undone, the last first", async () => {
    const [one, two] = [await queued("low_confidence"), await queued("both_failed", "EMC-13")];
    const fields = { title: "By hand" };
    await review().correct({ card_id: one.id, version: one.version, fields });
    sandbox.house.clock.advance(1_000);
    await review().skip({ card_id: two.id });
    expect(await review().undoLast()).toMatchObject({ kind: "skipped", card: { id: two.id } });
    const undone = await review().undoLast();
    expect(undone?.kind).toBe("corrected");
    expect(undone?.events_sent.map(({ event }) => event)).toContain("card.identified");
    expect(undone?.card).toMatchObject({
      id: one.id,
      status: "imported",
      title: null,
      needs_review: true,
      review_reason: "low_confidence",
    });
    expect(await review().undoLast()).toBeNull();
  });

  test("what was changed since is not undone", async () => {
    const card = await queued("low_confidence");
    const { version } = card;
    await review().correct({ card_id: card.id, version, fields: { title: "By hand" } });
    await dealer.asOwner.cards.update({ id: card.id, title: "Another one" });
    expect(await codeFrom(review().undoLast())).toBe("conflict");
    expect(await dealer.asOwner.cards.get({ id: card.id })).toMatchObject({ title: "Another one" });
  });
});

test("stats count what waits, what others hold, and how fast it goes", async () => {
  const [one] = [
    await queued("low_confidence"),
    await queued("both_failed", "EMC-13"),
    await queued("both_failed", "EMC-14"),
  ];
  const clerk = await second();
  await clerk.next({ ahead: 0, reason: ["providers_failed"] });
  expect(await review().stats({})).toEqual({
    waiting: 3,
    by_reason: {
      low_confidence: 1,
      ambiguous: 0,
      unreadable: 0,
      providers_failed: 2,
      high_value: 0,
    },
    held_by_others: 1,
    decided_last_hour: 0,
    decided_last_24_hours: 0,
    rate_per_minute: null,
  });
  const fields = { title: "By hand" };
  await review().correct({ card_id: one.id, version: one.version, fields });
  expect(await review().stats({})).toMatchObject({
    waiting: 2,
    decided_last_hour: 1,
    rate_per_minute: 1,
  });
});
