import { describe, expect, test } from "vitest";
import { createCard } from "./create.ts";
import { decideCard } from "./decide.ts";
import {
  attachPhoto,
  batchId,
  cardAt,
  cardId,
  cardWith,
  edit,
  listingId,
  now,
  price,
  publish,
  goLive,
  usd,
} from "./fixtures.ts";
import type { CardPatch } from "./edit.ts";

const move = (from: string, to: string) => ({
  type: "card.workflow_status_changed",
  data: { card_id: cardId, from, to },
});
const grading = { grader: "PSA", grade: "9", certNumber: null, qualifier: null };

describe("the order of one PATCH", () => {
  test("identification, then price, then the rest, then the stage", () => {
    const { state, events, changed } = decideCard(
      cardAt.imported,
      edit({ workflowStatus: "identified", askingPrice: price, title: "Serpent", location: "A-1" }),
      now,
    );
    expect(events.map(({ type }) => type)).toEqual([
      "card.identified",
      "card.workflow_status_changed",
      "card.priced",
      "card.workflow_status_changed",
      "card.workflow_status_changed",
    ]);
    expect(events.slice(-2)).toEqual([move("identified", "priced"), move("priced", "identified")]);
    expect(state).toMatchObject({ workflowStatus: "identified", location: "A-1", version: 2 });
    expect(changed).toBe(true);
  });

  test("a PATCH that changes nothing keeps the version", () => {
    const card = cardWith({ title: "A", askingPrice: price, tags: ["a"], grading });
    const same = edit({
      title: "A",
      askingPrice: { ...price },
      tags: ["a"],
      grading: { ...grading },
    });
    expect(decideCard(card, same, now)).toEqual({
      state: card,
      changes: {},
      changed: false,
      events: [],
      effects: [],
    });
  });

  test("an edit undoes no move made by hand, neither another price nor a photo", () => {
    const back = decideCard(cardAt.priced, { type: "move", to: "identified" }, now).state;
    for (const command of [edit({ askingPrice: usd(1) }), edit({ notes: "x" }), attachPhoto]) {
      expect(decideCard(back, command, now).state.workflowStatus).toBe("identified");
    }
  });
});

describe("price", () => {
  test("on an imported card it is stored and fires, and moves nothing", () => {
    const { state, events } = decideCard(cardAt.imported, edit({ askingPrice: price }), now);
    expect(state).toMatchObject({ workflowStatus: "imported", askingPrice: price });
    expect(events).toEqual([
      { type: "card.priced", data: { card_id: cardId, asking_price: price } },
    ]);
  });

  test("cleared on imported, sold and archived cards the field alone changes", () => {
    for (const card of [cardWith({ askingPrice: price }), cardAt.sold, cardAt.archived]) {
      const { state, events } = decideCard(card, edit({ askingPrice: null }), now);
      expect(state).toMatchObject({ askingPrice: null, workflowStatus: card.workflowStatus });
      expect(events).toEqual([]);
    }
  });

  test("a new price and a new quantity revise the live listing, in one revision", () => {
    const { effects } = decideCard(
      cardAt.listed,
      edit({ askingPrice: usd(999), quantity: 3 }),
      now,
    );
    expect(effects).toEqual([
      {
        type: "revise_listing",
        listingId,
        afterPublishing: false,
        askingPrice: usd(999),
        quantity: 3,
      },
    ]);
  });

  test("every amount in another currency is named", () => {
    const euro = { amount: 1, currency: "EUR" };
    expect(() =>
      decideCard(
        cardAt.imported,
        edit({ askingPrice: euro, priceFloor: euro, purchasePrice: euro }),
        now,
      ),
    ).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        details: ["asking_price", "price_floor", "purchase_price"].map((name) => ({
          path: `${name}.currency`,
          message: "Must be USD, the account's currency",
        })),
      }),
    );
  });
});

describe("the rest", () => {
  test("condition and grading clear each other and are not given together", () => {
    const graded = decideCard(cardWith({ condition: "damaged" }), edit({ grading }), now).state;
    expect(graded).toMatchObject({ condition: null, grading });
    expect(decideCard(graded, edit({ condition: "near_mint" }), now).state).toMatchObject({
      condition: "near_mint",
      grading: null,
    });
    expect(() => decideCard(graded, edit({ condition: "near_mint", grading }), now)).toThrow(
      expect.objectContaining({ code: "validation_failed" }),
    );
  });

  test("null clears, and arrays and objects are replaced whole", () => {
    const card = cardWith({ notes: "n", location: "A", tags: ["a"], externalIds: { a: "1" } });
    const cleared = edit({ notes: null, location: null, tags: null, externalIds: { b: "2" } });
    expect(decideCard(card, cleared, now).state).toMatchObject({
      notes: null,
      location: null,
      tags: [],
      externalIds: { b: "2" },
    });
  });

  test.each<[string, CardPatch]>([
    ["quantity", { quantity: 0 }],
    ["quantity", { quantity: 1.5 }],
    ["quantity", { quantity: 10_000 }],
    ["sku", { sku: "x".repeat(51) }],
    ["sku", { sku: "" }],
  ])("refuses a bad %s: %j", (path, patch) => {
    expect(() => decideCard(cardAt.imported, edit(patch), now)).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        details: [expect.objectContaining({ path })],
      }),
    );
  });

  test("a sold card is not counted up by hand", () => {
    expect(() => decideCard(cardAt.sold, edit({ quantity: 1 }), now)).toThrow(
      expect.objectContaining({ code: "invalid_transition" }),
    );
  });
});

describe("create", () => {
  const create = (
    fields: Omit<CardPatch, "sku">,
    batch: Parameters<typeof createCard>[0]["batch"] = null,
  ) => createCard({ id: cardId, sku: "CV-1", batch, fields, accountCurrency: "USD" }, now);

  test("blank: imported, version 1, no event", () => {
    expect(create({})).toMatchObject({
      state: {
        status: "imported",
        workflowStatus: "imported",
        version: 1,
        sku: "CV-1",
        quantity: 1,
      },
      events: [],
    });
  });

  test("with a title and a price: each step with its event", () => {
    expect(create({ title: "A", askingPrice: price }).events).toEqual([
      { type: "card.identified", data: { card_id: cardId, title: "A", set: "", number: "" } },
      move("imported", "identified"),
      { type: "card.priced", data: { card_id: cardId, asking_price: price } },
      move("identified", "priced"),
    ]);
  });

  test("the batch's defaults stand where nothing is given, and say nothing to a graded card", () => {
    const batch = {
      id: batchId,
      status: "open" as const,
      defaults: { set: "Storm", condition: "damaged" as const, location: "A" },
    };
    expect(create({ location: null, title: "A" }, batch).state).toMatchObject({
      batchId,
      set: "Storm",
      condition: "damaged",
      location: null,
    });
    expect(create({ grading }, batch).state).toMatchObject({ condition: null, grading });
    expect(() => create({}, { ...batch, status: "complete" })).toThrow(
      expect.objectContaining({ code: "batch_complete" }),
    );
  });
});

test("membership: in, out and over, never of a complete batch", () => {
  const open = { id: batchId, status: "open" as const };
  const complete = { id: "batch_01kjm2yc00e00rf6sv9yp2y9rf", status: "complete" as const };
  const inside = decideCard(
    cardAt.priced,
    { type: "change_batch", from: null, to: open },
    now,
  ).state;
  expect(inside.batchId).toBe(batchId);
  expect(
    decideCard(inside, { type: "change_batch", from: open, to: null }, now).state.batchId,
  ).toBeNull();
  const refused = [
    { from: open, to: complete },
    { from: { ...open, status: "complete" as const }, to: null },
  ];
  for (const change of refused) {
    expect(() => decideCard(inside, { type: "change_batch", ...change }, now)).toThrow(
      expect.objectContaining({ code: "batch_complete" }),
    );
  }
  expect(() => decideCard(inside, { type: "change_batch", from: null, to: open }, now)).toThrow(
    expect.objectContaining({ code: "conflict" }),
  );
});

test("archiving frees the SKU only where an import is undone", () => {
  expect(decideCard(cardAt.priced, { type: "archive" }, now).state.sku).toBe("CV-00001");
  expect(decideCard(cardAt.priced, { type: "archive", freeSku: true }, now).state.sku).toBeNull();
});

test("a market price keeps its own currency and is never an asking price", () => {
  const marketPrice = { amount: 5, currency: "EUR", source: "guide", asOf: now };
  const { state } = decideCard(
    cardAt.identified,
    { type: "set_market_price", price: marketPrice },
    now,
  );
  expect(state).toMatchObject({ marketPrice, askingPrice: null, workflowStatus: "identified" });
});

test("publishing names every failed rule at once, the marketplace's too", () => {
  const bare = decideCard(
    cardWith({ priceFloor: usd(500) }),
    { type: "archive", freeSku: true },
    now,
  ).state;
  const problem = { path: "category_id", message: "Unknown" };
  expect(() =>
    decideCard(bare, { ...publish, price: usd(499), marketplaceProblems: [problem] } as never, now),
  ).toThrow(
    expect.objectContaining({
      code: "card_not_publishable",
      status: 422,
      details: [
        expect.objectContaining({ path: "workflow_status" }),
        expect.objectContaining({ path: "title" }),
        expect.objectContaining({ path: "sku" }),
        expect.objectContaining({ path: "price" }),
        problem,
      ],
    }),
  );
  expect(() => decideCard(cardAt.identified, publish, now)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ path: "price" })] }),
  );
});

test("a second listing does not go live beside an open one", () => {
  expect(() =>
    decideCard(cardAt.listed, { ...goLive, listingId: "lst_other" } as never, now),
  ).toThrow(expect.objectContaining({ code: "already_listed" }));
});
