import { eventSchemas } from "@cardvault/contract";
import type { Card } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, errorFrom } from "../test-house.ts";
import type { Dealer } from "../test-house.ts";
import { openSandbox } from "./test-sandbox.ts";
import type { Sandbox } from "./test-sandbox.ts";

let sandbox: Sandbox;
let dealer: Dealer;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());
let number = 0;
beforeEach(async () => {
  number += 1;
  dealer = await sandbox.house.dealer(`Dealer ${number}`, { environment: "test" });
});
afterEach(() => sandbox.clearFaults());

async function eventsOf(card: Card | null): Promise<{ type: string; data: unknown }[]> {
  const rows = await sandbox.house.db.query<{ type: keyof typeof eventSchemas; body: string }>(
    `select type, body from webhook_event where account_id = $1 and ($2::uuid is null or subject_id = $2)
     order by id`,
    [toUuid(dealer.account.id), card === null ? null : toUuid(card.id)],
  );
  return rows.map(({ type, body }) => {
    const event: unknown = JSON.parse(body);
    return { type, data: eventSchemas[type].parse(event).data };
  });
}
const identify = (card: Card, more: object = {}) =>
  dealer.asOwner.identifications.identify({ card_id: card.id, ...more });
const read = (card: Card) => dealer.asOwner.cards.get({ id: card.id });
async function recordsOf(card: Card) {
  return (await dealer.asOwner.identifications.list({ card_id: card.id })).data;
}

describe("applied", () => {
  test("a sure one identifies the card, fires its events and keeps the evidence", async () => {
    const card = await sandbox.card(dealer, "applied");
    const answer = await identify(card);
    expect(answer).toMatchObject({
      card_id: card.id,
      identified: true,
      provider: "image_recognition",
      confidence: 0.95,
      identification: { set: "Ember Coast", number: "12/142", game: "Aetherbound" },
      attempts: [{ provider: "image_recognition", outcome: "match", error: null }],
    });
    const { title } = answer.identification ?? {};
    expect(await read(card)).toMatchObject({
      status: "identified",
      workflow_status: "identified",
      needs_review: false,
      title,
      identified_by: "image_recognition",
      identification_confidence: 0.95,
      external_ids: { invented: "EMC-12" },
    });
    expect(await eventsOf(card)).toEqual([
      {
        type: "card.identified",
        data: { card_id: card.id, title, set: "Ember Coast", number: "12/142" },
      },
      {
        type: "card.workflow_status_changed",
        data: { card_id: card.id, from: "imported", to: "identified" },
      },
    ]);
    const [record] = await recordsOf(card);
    expect(record).toMatchObject({
      status: "applied",
      review_reason: null,
      threshold: 0.85,
      candidates: [{ engines: ["cardsight"], catalogue: "confirmed" }],
      attempts: [{ engine: "cardsight", outcome: "match", error: null }],
      actor: { kind: "member" },
    });
    expect(record?.fields).toContainEqual({
      field: "number",
      value: "12/142",
      agreeing: ["cardsight"],
      disagreeing: [],
    });
  });

  test("a slab's grading is the card's, until the identification is undone", async () => {
    const card = await sandbox.card(dealer, "graded");
    await identify(card);
    const grading = { grader: "PSA", grade: "9", cert_number: null, qualifier: null };
    expect((await read(card)).grading).toEqual(grading);
    const [record] = await recordsOf(card);
    expect(record?.candidates[0]?.grading).toEqual(grading);
    await dealer.asOwner.identifications.undo({ id: record?.id ?? "" });
    expect((await read(card)).grading).toBeNull();
  });

  test("a grading that they read differently is nobody's, though the card is sure", async () => {
    await dealer.asOwner.accounts.settings.update({ review_threshold: 0.97 });
    await sandbox.fault(dealer, "google", "wrong_grade");
    const card = await sandbox.card(dealer, "graded");
    expect(await identify(card)).toMatchObject({ identified: true });
    expect(await read(card)).toMatchObject({ status: "identified", grading: null });
    await sandbox.clearFaults();
    const other = await sandbox.card(dealer, "graded");
    await identify(other);
    const { grading } = await read(other);
    expect(grading).toMatchObject({ grader: "PSA", grade: "9", cert_number: "48213377" });
  });

  test("the model identifies what image recognition does not know", async () => {
    const card = await sandbox.card(dealer, "generative_only");
    const answer = await identify(card);
    expect(answer).toMatchObject({ identified: true, provider: "generative_ai" });
    expect(answer.attempts.map(({ provider, outcome }) => [provider, outcome])).toEqual([
      ["image_recognition", "no_match"],
      ["generative_ai", "match"],
    ]);
    expect(await read(card)).toMatchObject({ identified_by: "generative_ai" });
  });

  test("a price given before carries the card on in the same change", async () => {
    const card = await sandbox.card(dealer, "applied");
    await dealer.asOwner.cards.update({
      id: card.id,
      asking_price: { amount: 500, currency: "USD" },
    });
    await identify(card);
    expect((await read(card)).workflow_status).toBe("priced");
  });

  test("is undone: imported again, the price and a later edit stay, and only once", async () => {
    const card = await sandbox.card(dealer, "applied");
    await identify(card);
    const price = { amount: 500, currency: "USD" };
    await dealer.asOwner.cards.update({ id: card.id, asking_price: price, location: "A-1" });
    const [record] = await recordsOf(card);
    const undone = await dealer.asOwner.identifications.undo({ id: record?.id ?? "" });
    expect(undone.card).toMatchObject({
      status: "imported",
      workflow_status: "imported",
      title: null,
      set: null,
      identified_by: null,
      external_ids: {},
      asking_price: price,
      location: "A-1",
    });
    expect(undone.events_sent.map(({ event }) => event)).toContain("card.identified");
    expect((await recordsOf(card))[0]?.status).toBe("undone");
    const again = dealer.asOwner.identifications.undo({ id: record?.id ?? "" });
    expect(await codeFrom(again)).toBe("invalid_transition");
  });
});

describe("review", () => {
  test("below the threshold the card keeps its states and gets its candidates", async () => {
    const card = await sandbox.card(dealer, "low_confidence");
    const answer = await identify(card);
    expect(answer).toMatchObject({ identified: false, provider: "image_recognition" });
    expect(answer.candidates.length).toBeGreaterThan(0);
    expect(answer.attempts.map(({ outcome }) => outcome)).toEqual([
      "low_confidence",
      "low_confidence",
    ]);
    expect(await read(card)).toMatchObject({
      status: "imported",
      workflow_status: "imported",
      title: null,
      needs_review: true,
      review_reason: "low_confidence",
    });
    expect(await eventsOf(card)).toEqual([]);
    expect(await recordsOf(card)).toMatchObject([
      { status: "review", review_reason: "low_confidence" },
    ]);
  });

  test("providers that say different cards are ambiguous", async () => {
    const card = await sandbox.card(dealer, "ambiguous");
    expect(await identify(card)).toMatchObject({ identified: false });
    expect(await read(card)).toMatchObject({ review_reason: "ambiguous", status: "imported" });
  });

  test("an account may raise the threshold, and then the sure one is not sure enough", async () => {
    await dealer.asOwner.accounts.settings.update({ review_threshold: 1 });
    const card = await sandbox.card(dealer, "applied");
    const answer = await identify(card);
    expect(answer.attempts).toHaveLength(2);
    expect(answer).toMatchObject({ identified: false });
    expect(answer.confidence).toBeGreaterThan(0.95);
  });

  test("a valuable card is identified and in review", async () => {
    const limit = { amount: 1, currency: "USD" };
    await dealer.asOwner.accounts.settings.update({ high_value_limit: limit });
    const card = await sandbox.card(dealer, "applied");
    expect(await identify(card)).toMatchObject({ identified: true });
    expect(await read(card)).toMatchObject({
      status: "identified",
      needs_review: true,
      review_reason: "high_value",
    });
  });
});

describe("both fail", () => {
  test.each(["both_failed", "set_level", "provider_errors"] as const)("%s", async (outcome) => {
    const card = await sandbox.card(dealer, outcome);
    const error = await errorFrom(identify(card));
    expect([error.status, error.code]).toEqual([422, "identification_failed"]);
    expect(await read(card)).toMatchObject({
      status: "imported",
      workflow_status: "imported",
      needs_review: true,
      review_reason: "providers_failed",
    });
    const reason = outcome === "provider_errors" ? "error" : "no_match";
    expect(await eventsOf(card)).toEqual([
      {
        type: "identify.failed",
        data: {
          card_id: card.id,
          photo_url: null,
          attempts: [
            { provider: "image_recognition", reason },
            { provider: "generative_ai", reason },
          ],
        },
      },
    ]);
    expect(await recordsOf(card)).toMatchObject([
      { status: "failed", review_reason: "providers_failed", candidates: [] },
    ]);
  });

  test("and so it is where nobody is configured", async () => {
    const live = await sandbox.house.dealer(`Live ${number}`);
    dealer = live;
    const card = await sandbox.card(live, "applied");
    expect(await codeFrom(identify(card))).toBe("identification_failed");
    const [event] = await eventsOf(card);
    expect(event?.data).toMatchObject({
      attempts: [
        { provider: "image_recognition", reason: "not_configured" },
        { provider: "generative_ai", reason: "not_configured" },
      ],
    });
  });

  test("no word of a provider's reaches the answer, the event or the evidence", async () => {
    await sandbox.fault(dealer, "cardsight", "unauthorized");
    await sandbox.fault(dealer, "google", "quota");
    const card = await sandbox.card(dealer, "applied");
    const error = await errorFrom(identify(card));
    const all = JSON.stringify([
      error.message,
      error.details,
      await eventsOf(card),
      await recordsOf(card),
    ]);
    expect(all).not.toMatch(/simulated|key is not|nothing left/iu);
    expect((await recordsOf(card))[0]?.attempts.map(({ error: code }) => code)).toEqual([
      "unauthorized",
      "quota",
    ]);
  });

  test("a hostile answer is nothing but text that fits", async () => {
    await sandbox.fault(dealer, "cardsight", "hostile");
    await sandbox.fault(dealer, "google", "hostile");
    const card = await sandbox.card(dealer, "applied");
    const answer = await identify(card).catch(() => null);
    expect(JSON.stringify([answer, await read(card)])).not.toMatch(/<script|polluted/u);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test("a model's word alone does not overrule what image recognition saw", async () => {
  await sandbox.fault(dealer, "google", "wrong_card");
  const card = await sandbox.card(dealer, "low_confidence");
  expect(await identify(card)).toMatchObject({ provider: "generative_ai", identified: false });
  expect(await read(card)).toMatchObject({ status: "imported", review_reason: "ambiguous" });
});

describe("the photo", () => {
  test("a card without one is 422 photo_unavailable, and nobody is asked", async () => {
    const card = await dealer.asOwner.cards.create({});
    sandbox.requests.length = 0;
    expect(await codeFrom(identify(card))).toBe("photo_unavailable");
    expect(sandbox.requests).toEqual([]);
    expect(await recordsOf(card)).toEqual([]);
    expect((await read(card)).version).toBe(card.version);
  });
});

describe("dry_run changes nothing", () => {
  test.each(["applied", "low_confidence", "both_failed"] as const)("%s", async (outcome) => {
    const card = await sandbox.card(dealer, outcome);
    const call = identify(card, { dry_run: true });
    if (outcome === "both_failed") expect(await codeFrom(call)).toBe("identification_failed");
    else expect(await call).toMatchObject({ identified: outcome === "applied" });
    expect(await read(card)).toEqual(card);
    expect(await eventsOf(card)).toEqual([]);
    expect(await recordsOf(card)).toEqual([]);
  });
});

describe("somebody is quicker", () => {
  test("two calls at once for one card: the second is told, and the first is applied once", async () => {
    await sandbox.fault(dealer, "cardsight", "slow", { delay_ms: 1_500 });
    const card = await sandbox.card(dealer, "applied");
    const first = identify(card);
    await begun(card);
    const error = await errorFrom(identify(card));
    expect([error.status, error.code]).toEqual([409, "identification_in_progress"]);
    expect(await codeFrom(identify(card, { dry_run: true }))).toBe("identification_in_progress");
    expect(await first).toMatchObject({ identified: true });
    expect((await eventsOf(card)).map(({ type }) => type)).toEqual([
      "card.identified",
      "card.workflow_status_changed",
    ]);
  });

  test("a hand edit during the call wins; the candidates are kept and the card is in review", async () => {
    await sandbox.fault(dealer, "cardsight", "slow", { delay_ms: 1_500 });
    const card = await sandbox.card(dealer, "applied");
    const call = identify(card);
    await begun(card);
    await dealer.asOwner.cards.update({ id: card.id, set: "My own set" });
    expect(await call).toMatchObject({ identified: false, confidence: 0.95 });
    expect(await read(card)).toMatchObject({
      status: "imported",
      set: "My own set",
      title: null,
      needs_review: true,
      review_reason: "ambiguous",
    });
    expect(await recordsOf(card)).toMatchObject([{ status: "late" }]);
  });

  test("a card identified by hand during the call stays as the person made it, and in no review", async () => {
    await sandbox.fault(dealer, "cardsight", "slow", { delay_ms: 1_500 });
    const card = await sandbox.card(dealer, "applied");
    const call = identify(card);
    await begun(card);
    await dealer.asOwner.cards.update({ id: card.id, title: "By hand" });
    expect(await call).toMatchObject({ identified: false });
    expect(await read(card)).toMatchObject({
      title: "By hand",
      identified_by: "manual",
      needs_review: false,
    });
  });

  test("an edit of something else is none of its business", async () => {
    await sandbox.fault(dealer, "cardsight", "slow", { delay_ms: 1_500 });
    const card = await sandbox.card(dealer, "applied");
    const call = identify(card);
    await begun(card);
    await dealer.asOwner.cards.update({ id: card.id, location: "B-2" });
    expect(await call).toMatchObject({ identified: true });
    expect(await read(card)).toMatchObject({ location: "B-2", status: "identified" });
  });

  test("for a card that is identified already the candidates are kept, and nothing else", async () => {
    const card = await sandbox.card(dealer, "applied");
    const named = await dealer.asOwner.cards.update({ id: card.id, title: "By hand" });
    expect(await identify(card)).toMatchObject({ identified: false, confidence: 0.95 });
    expect(await read(card)).toEqual(named);
    expect((await recordsOf(card))[0]).toMatchObject({ status: "late", review_reason: null });
  });
});

/** The identification is written down before a provider is asked. */
async function begun(card: Card): Promise<void> {
  await expect
    .poll(async () => (await recordsOf(card))[0]?.status, { timeout: 10_000 })
    .toBe("running");
}

describe("a process dies in the middle", () => {
  test("what was begun is visible, and the card is free once its lease is over", async () => {
    const card = await sandbox.card(dealer, "applied");
    // What a killed process leaves: the row of its first commit.
    await sandbox.house.db.query(
      `insert into identification (id, account_id, card_id, status, threshold, actor_kind, started_at, lease_until)
       values (uuidv7(), $1, $2, 'running', 0.85, 'token', $3, $4)`,
      [
        toUuid(dealer.account.id),
        toUuid(card.id),
        sandbox.house.clock.now(),
        new Date(sandbox.house.clock.now().getTime() + 60_000),
      ],
    );
    expect(await recordsOf(card)).toMatchObject([{ status: "running", finished_at: null }]);
    expect(await codeFrom(identify(card))).toBe("identification_in_progress");
    sandbox.house.clock.advance(60_001);
    expect((await recordsOf(card))[0]?.status).toBe("interrupted");
    expect(await identify(card)).toMatchObject({ identified: true });
    expect((await recordsOf(card)).map(({ status }) => status)).toEqual(["applied", "interrupted"]);
  });

  test("one that comes back after its lease was taken over writes nothing", async () => {
    await sandbox.fault(dealer, "cardsight", "slow", { delay_ms: 1_500, remaining: 1 });
    const card = await sandbox.card(dealer, "applied");
    const slow = errorFrom(identify(card));
    await begun(card);
    sandbox.house.clock.advance(80_000);
    expect(await identify(card)).toMatchObject({ identified: true });
    const { version } = await read(card);
    expect((await slow).code).toBe("identification_in_progress");
    expect((await read(card)).version).toBe(version);
    expect((await recordsOf(card)).map(({ status }) => status)).toEqual(["applied", "interrupted"]);
  });
});
