import { describe, expect, test } from "vitest";
import { decideCard, decideIdentification } from "./decide.ts";
import {
  attachPhoto,
  cardAt,
  cardId,
  cardWith,
  edit,
  fieldsOf,
  now,
  price,
  usd,
} from "./fixtures.ts";
import type { ProviderIdentification } from "./identification.ts";
import { identificationOf } from "./state.ts";

const found: ProviderIdentification = {
  provider: "generative_ai",
  confidence: 0.85,
  threshold: 0.85,
  fields: { title: "Charged Serpent", number: "12/180" },
  expected: identificationOf(cardAt.imported),
};

const move = (from: string, to: string) => ({
  type: "card.workflow_status_changed",
  data: { card_id: cardId, from, to },
});
const identified = (title: string, set = "", number = "") => ({
  type: "card.identified",
  data: { card_id: cardId, title, set, number },
});

describe("by hand", () => {
  test("a title identifies an imported card; what is unknown is an empty string in the event", () => {
    const { state, events } = decideCard(cardAt.imported, edit({ title: "Serpent" }), now);
    expect(state).toMatchObject({
      status: "identified",
      identifiedBy: "manual",
      identificationConfidence: null,
      identifiedAt: now,
    });
    expect(events).toEqual([identified("Serpent"), move("imported", "identified")]);
  });

  test("without a title nothing is identified, and a card stored before any is known has no title", () => {
    const { state, events } = decideCard(cardAt.imported, edit({ set: "Storm" }), now);
    expect(state).toMatchObject({ status: "imported", set: "Storm", version: 2 });
    expect(events).toEqual([]);
  });

  test("a price and a photo given before it carry it on, one step at a time, in the same change", () => {
    const card = cardWith({ askingPrice: price }, [attachPhoto]);
    expect(card).toMatchObject({ workflowStatus: "imported", firstPricedAt: now });
    const { state, events } = decideCard(card, edit({ title: "Serpent" }), now);
    expect(events).toEqual([
      identified("Serpent"),
      move("imported", "identified"),
      move("identified", "priced"),
      move("priced", "photographed"),
    ]);
    expect(state.version).toBe(card.version + 1);
  });

  test("the title of an identified card cannot be cleared, that of an imported one can", () => {
    for (const title of [null, "  "]) {
      expect(() => decideCard(cardAt.identified, edit({ title }), now)).toThrow(
        expect.objectContaining({
          code: "validation_failed",
          details: [expect.objectContaining({ path: "title" })],
        }),
      );
    }
    const reset = decideCard(cardAt.identified, { type: "reset" }, now).state;
    expect(decideCard(reset, edit({ title: null }), now).state.title).toBeNull();
  });

  test("the title that a reset card still has identifies it again, and card.priced does not fire again", () => {
    const reset = decideCard(cardAt.priced, { type: "reset" }, now).state;
    expect(reset).toMatchObject({
      status: "imported",
      title: "Charged Serpent",
      askingPrice: price,
    });
    const { events } = decideCard(reset, edit({ title: "Charged Serpent" }), now);
    expect(events).toEqual([
      identified("Charged Serpent"),
      move("imported", "identified"),
      move("identified", "priced"),
    ]);
  });

  test("an archived card that was imported is identified where it is", () => {
    const archived = decideCard(cardAt.imported, { type: "archive" }, now).state;
    const { state, events } = decideCard(archived, edit({ title: "A" }), now);
    expect(state).toMatchObject({ status: "identified", workflowStatus: "archived" });
    expect(events).toEqual([identified("A")]);
  });
});

describe("by a provider", () => {
  test("what stands on a slab is the card's grading, unless it has a condition or a grading", () => {
    const grading = { grader: "PSA", grade: "9", certNumber: null, qualifier: null };
    const read = { ...found, grading };
    expect(decideIdentification(cardAt.imported, read, now).state.grading).toEqual(grading);
    const own = { ...grading, grade: "10" };
    const graded = { ...cardAt.imported, grading: own };
    expect(decideIdentification(graded, read, now).state.grading).toEqual(own);
    const raw = { ...cardAt.imported, condition: "near_mint" as const };
    expect(decideIdentification(raw, read, now).state).toMatchObject({
      condition: "near_mint",
      grading: null,
    });
    const unsure = { ...read, confidence: 0.5 };
    expect(decideIdentification(cardAt.imported, unsure, now).state.grading).toBeNull();
  });

  test("at the threshold it is applied", () => {
    const { result, state, events } = decideIdentification(cardAt.imported, found, now);
    expect(result).toBe("applied");
    expect(state).toMatchObject({ identifiedBy: "generative_ai", identificationConfidence: 0.85 });
    expect(events).toEqual([
      identified("Charged Serpent", "", "12/180"),
      move("imported", "identified"),
    ]);
  });

  test.each([
    ["low_confidence", { confidence: 0.849 }],
    ["ambiguous", { doubt: "ambiguous" as const }],
    ["unreadable", { doubt: "unreadable" as const }],
    ["unreadable", { fields: { title: " " } }],
  ])("not applied, it goes to review: %s", (reviewReason, change) => {
    const outcome = decideIdentification(cardAt.imported, { ...found, ...change }, now);
    expect(outcome).toMatchObject({
      result: "review",
      events: [],
      state: { status: "imported", needsReview: true, reviewReason, title: null },
    });
  });

  test("an edit made meanwhile wins: late, and ambiguous where it is still imported", () => {
    const edited = decideCard(cardAt.imported, edit({ set: "Storm" }), now).state;
    expect(decideIdentification(edited, found, now)).toMatchObject({
      result: "late",
      events: [],
      state: { set: "Storm", title: null, needsReview: true, reviewReason: "ambiguous" },
    });
    expect(decideIdentification(cardAt.identified, found, now)).toMatchObject({
      result: "late",
      changed: false,
      events: [],
    });
  });

  test("applied above the account's limit it is reviewed all the same", () => {
    const costly = { ...found, value: usd(50_001), highValueLimit: usd(50_000) };
    expect(decideIdentification(cardAt.imported, costly, now).state.reviewReason).toBe(
      "high_value",
    );
    const atLimit = { ...costly, value: usd(50_000) };
    expect(decideIdentification(cardAt.imported, atLimit, now).state.needsReview).toBe(false);
  });

  test("applied it answers an earlier doubt", () => {
    const doubted = decideIdentification(cardAt.imported, { ...found, confidence: 0.1 }, now).state;
    expect(decideIdentification(doubted, found, now).state).toMatchObject({
      needsReview: false,
      reviewReason: null,
    });
  });
});

describe("both providers fail", () => {
  const failure = {
    photo_url: "https://cards.example/1.jpg",
    attempts: [
      { provider: "image_recognition" as const, reason: "no_match" as const },
      { provider: "generative_ai" as const, reason: "timeout" as const },
    ],
  };

  test("the states stay, an imported card goes to review, and the event fires", () => {
    const { state, events } = decideCard(
      cardAt.imported,
      { type: "identification_failed", failure },
      now,
    );
    expect(state).toMatchObject({ status: "imported", reviewReason: "providers_failed" });
    expect(events).toEqual([{ type: "identify.failed", data: { card_id: cardId, ...failure } }]);
  });

  test("a card that is identified by then only fires it", () => {
    const outcome = decideCard(cardAt.priced, { type: "identification_failed", failure }, now);
    expect(outcome.changed).toBe(false);
    expect(outcome.events).toHaveLength(1);
  });
});

test("an identification undone gives back fields and review, and leaves the price", () => {
  const priced = cardWith({ askingPrice: price });
  const doubted = decideIdentification(priced, { ...found, confidence: 0.2 }, now).state;
  const accepted = decideCard(
    doubted,
    { type: "accept_review", identification: { title: "Serpent" } },
    now,
  ).state;
  expect(accepted).toMatchObject({ workflowStatus: "priced", needsReview: false });
  const { state, events } = decideCard(
    accepted,
    {
      type: "undo_identification",
      before: { fields: identificationOf(doubted), reviewReason: "low_confidence" },
    },
    now,
  );
  expect(events).toEqual([move("priced", "imported")]);
  expect(state).toEqual({ ...doubted, version: accepted.version + 1 });
  expect(fieldsOf()).toEqual(identificationOf(state));
});
