import { VaultError, workflowStatuses } from "@cardvault/contract";
import type { WorkflowStatus } from "@cardvault/contract";
import { describe, expect, test } from "vitest";
import { decideCard } from "./decide.ts";
import type { CardCommand } from "./decide.ts";
import {
  attachPhoto,
  cardAt,
  cardWith,
  close,
  edit,
  goLive,
  listingId,
  now,
  price,
  publish,
  sellOne,
} from "./fixtures.ts";
import { cardMoves, factStages } from "./moves.ts";
import type { CardState } from "./state.ts";

/** The contract's table of allowed moves, written out again and independently of the code's. */
const allowed: [
  from: WorkflowStatus,
  command: CardCommand,
  to: WorkflowStatus,
  card?: CardState,
][] = [
  ["imported", edit({ title: "A" }), "identified"],
  ["identified", edit({ askingPrice: price }), "priced"],
  ["priced", attachPhoto, "photographed"],
  ["identified", goLive, "listed"],
  ["priced", goLive, "listed"],
  ["photographed", goLive, "listed"],
  ["listed", { type: "take_order", listingId, quantity: 1 }, "sold"],
  ["archived", { type: "take_order", listingId, quantity: 1 }, "sold"],
  ["imported", { type: "take_order", listingId, quantity: 1 }, "sold"],
  ["imported", sellOne, "sold"],
  ["identified", sellOne, "sold"],
  ["priced", sellOne, "sold"],
  ["photographed", sellOne, "sold"],
  ["listed", sellOne, "sold"],
  ["archived", sellOne, "sold"],
  ["listed", close, "photographed"],
  ["listed", close, "priced", cardWith({ title: "A", askingPrice: price }, [publish, goLive])],
  [
    "listed",
    close,
    "identified",
    cardWith({ title: "A" }, [{ ...publish, price } as CardCommand, goLive]),
  ],
  ["priced", edit({ askingPrice: null }), "identified"],
  ["photographed", edit({ askingPrice: null }), "identified"],
  ["photographed", { type: "remove_listing_photo" }, "priced"],
  ["identified", { type: "reset" }, "imported"],
  ["priced", { type: "reset" }, "imported"],
  ["photographed", { type: "reset" }, "imported"],
  ["photographed", edit({ workflowStatus: "imported" }), "imported"],
  ["sold", { type: "bring_back", quantity: 1 }, "photographed"],
  ["sold", { type: "bring_back", quantity: 1 }, "imported", cardWith({}, [sellOne])],
  ["imported", { type: "archive" }, "archived"],
  ["identified", { type: "archive" }, "archived"],
  ["priced", { type: "move", to: "archived" }, "archived"],
  ["photographed", edit({ workflowStatus: "archived" }), "archived"],
  ["sold", { type: "archive" }, "archived"],
  ["archived", { type: "move", to: "imported" }, "imported", cardWith({}, [{ type: "archive" }])],
  ["archived", { type: "move", to: "identified" }, "identified"],
  ["archived", { type: "move", to: "priced" }, "priced"],
  ["archived", { type: "move", to: "photographed" }, "photographed"],
  ["photographed", { type: "move", to: "identified" }, "identified"],
  ["photographed", { type: "move", to: "priced" }, "priced"],
  ["identified", { type: "move", to: "priced" }, "priced", back("identified")],
  ["identified", { type: "move", to: "photographed" }, "photographed", back("identified")],
];

function back(to: WorkflowStatus): CardState {
  return decideCard(cardAt.photographed, { type: "move", to }, now).state;
}

describe("each move of the table", () => {
  test.each(allowed)("%s by %j becomes %s", (from, command, to, card = cardAt[from]) => {
    expect(card.workflowStatus).toBe(from);
    const { state, events } = decideCard(card, command, now);
    expect(state.workflowStatus).toBe(to);
    expect(events.filter(({ type }) => type === "card.workflow_status_changed")).toEqual([
      { type: "card.workflow_status_changed", data: { card_id: card.id, from, to } },
    ]);
    expect(state.version).toBe(card.version + 1);
  });
});

describe("what the table does not name by hand is refused", () => {
  const pairs = workflowStatuses.flatMap((from) =>
    workflowStatuses.filter((to) => to !== from).map((to) => [from, to] as const),
  );
  const canBeNamed = new Set([
    ...["imported", "identified", "priced", "photographed", "sold"].map(
      (from) => `${from}>archived`,
    ),
    ...["identified", "priced", "photographed"].flatMap((from) =>
      ["imported", "identified", "priced", "photographed"].map((to) => `${from}>${to}`),
    ),
    ...["identified", "priced", "photographed"].map((to) => `archived>${to}`),
  ]);

  test.each(pairs)("%s to %s", (from, to) => {
    // Whatever the stage, this card has the facts of photographed but for the imported one.
    const card = from === "identified" || from === "priced" ? back(from) : cardAt[from];
    const run = () => decideCard(card, { type: "move", to }, now).state.workflowStatus;
    if (canBeNamed.has(`${from}>${to}`)) expect(run()).toBe(to);
    else expect(run).toThrow(expect.objectContaining({ code: "invalid_transition" }));
  });

  test.each([
    ["imported", "identified", "It is not identified."],
    ["imported", "photographed", "It is not identified."],
    ["identified", "priced", "It has no asking price."],
    ["identified", "photographed", "It has no asking price."],
    ["priced", "photographed", "It has no listing photo."],
  ] as const)("%s to %s without its facts says which is missing first", (from, to, lack) => {
    expect(() => decideCard(cardAt[from], { type: "move", to }, now)).toThrow(
      expect.objectContaining({
        code: "invalid_transition",
        message: `The card cannot be ${to}. ${lack}`,
      }),
    );
  });

  test("a restored card needs a copy", () => {
    const gone = cardWith({ title: "A" }, [sellOne, { type: "archive" }]);
    const restore = () => decideCard(gone, { type: "move", to: "identified" }, now);
    expect(restore).toThrow(
      new VaultError("invalid_transition", {
        message: "The card cannot be identified. No copy is left.",
      }),
    );
    const counted = decideCard(gone, edit({ quantity: 1 }), now).state;
    expect(decideCard(counted, { type: "move", to: "identified" }, now).state.workflowStatus).toBe(
      "identified",
    );
  });

  test("naming the present stage is no change, whatever the stage", () => {
    for (const stage of workflowStatuses) {
      const outcome = decideCard(cardAt[stage], edit({ workflowStatus: stage }), now);
      expect(outcome).toMatchObject({ changed: false, changes: {}, events: [], effects: [] });
      expect(outcome.state.version).toBe(cardAt[stage].version);
    }
  });
});

describe("while a listing is open", () => {
  const publishing = decideCard(cardAt.photographed, publish, now).state;
  const soldWhileLive = decideCard(cardAt.listed, sellOne, now).state;
  const forbidden: CardCommand[] = [
    ...factStages.map((to) => ({ type: "move" as const, to })),
    { type: "archive" },
    { type: "reset" },
    { type: "undo_identification", before: { fields: cardAt.imported, reviewReason: null } },
    edit({ sku: "OTHER" }),
    edit({ askingPrice: null }),
  ];

  test.each([
    ["publishing", publishing],
    ["live", cardAt.listed],
    ["live and sold elsewhere", soldWhileLive],
  ] as const)("%s: nobody moves, archives, resets, renames or clears the price", (_, card) => {
    for (const command of forbidden) {
      if (command.type === "move" && command.to === card.workflowStatus) continue;
      expect(() => decideCard(card, command, now)).toThrow(
        expect.objectContaining({ code: "invalid_transition" }),
      );
    }
    expect(() => decideCard(card, publish, now)).toThrow(
      expect.objectContaining({ code: "already_listed" }),
    );
  });

  test("the last copy is not sold elsewhere while it is publishing, another one is", () => {
    expect(() => decideCard(publishing, sellOne, now)).toThrow(
      expect.objectContaining({ code: "invalid_transition" }),
    );
    const two = cardWith({ title: "A", askingPrice: price, quantity: 2 }, [publish]);
    expect(decideCard(two, sellOne, now)).toMatchObject({
      state: { quantity: 1, workflowStatus: "priced" },
      effects: [{ type: "revise_listing", listingId, afterPublishing: true, quantity: 1 }],
    });
  });
});

test("the code's table names only moves between different stages, and each trigger of it is used", () => {
  for (const row of cardMoves) {
    expect(row.from.length).toBeGreaterThan(0);
    expect(row.to.length).toBeGreaterThan(0);
  }
  expect(cardMoves.filter(({ to }) => to.includes("listed")).map(({ by }) => by)).toEqual([
    "listing_live",
  ]);
  expect(cardMoves.filter(({ to }) => to.includes("sold")).map(({ by }) => by)).toEqual([
    "order_took_last_copy",
    "hand_sale_took_last_copy",
  ]);
});
