import { isDeepStrictEqual } from "node:util";
import { workflowStatuses } from "@cardvault/contract";
import type { WorkflowStatus } from "@cardvault/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cardId } from "./fixtures.ts";
import { birth, life, live } from "./lives.ts";
import type { Step } from "./lives.ts";
import type { CardState } from "./state.ts";

/** The allowed moves, written out from the contract and independently of the code's table. */
const beforeListing = ["imported", "identified", "priced", "photographed"];
const allowedMoves = new Set([
  ...beforeListing.flatMap((from) => beforeListing.map((to) => `${from}>${to}`)),
  ...["identified", "priced", "photographed"].map((from) => `${from}>listed`),
  ...["identified", "priced", "photographed"].map((to) => `listed>${to}`),
  ...workflowStatuses.map((from) => `${from}>sold`),
  // A listed card has a live listing, so it is never archived from there.
  ...workflowStatuses.filter((from) => from !== "listed").map((from) => `${from}>archived`),
  ...beforeListing.map((to) => `sold>${to}`),
  ...beforeListing.map((to) => `archived>${to}`),
]);

function holdsFor(check: (step: Step) => void): void {
  fc.assert(
    fc.property(birth, life, (fields, makers) => {
      live(fields, makers, check);
    }),
    { numRuns: 1_500 },
  );
}

test("no card stands at a stage whose facts do not hold, and none contradicts itself", () => {
  holdsFor(({ outcome: { state: card } }) => {
    const isIdentified = card.status === "identified";
    const facts: Record<WorkflowStatus, boolean> = {
      imported: !isIdentified && card.quantity > 0,
      identified: isIdentified && card.quantity > 0,
      priced: isIdentified && card.quantity > 0 && card.askingPrice !== null,
      photographed:
        isIdentified &&
        card.quantity > 0 &&
        card.askingPrice !== null &&
        card.listingPhotoCount > 0,
      listed: isIdentified && card.quantity > 0 && card.openListing?.status === "live",
      sold: card.quantity === 0,
      archived: true,
    };
    expect({ stage: card.workflowStatus, holds: facts[card.workflowStatus] }).toEqual({
      stage: card.workflowStatus,
      holds: true,
    });
    expect(
      Math.min(
        card.quantity,
        card.pendingReturnQuantity,
        card.oversoldQuantity,
        card.listingPhotoCount,
      ),
    ).toBeGreaterThanOrEqual(0);
    expect(card.condition === null || card.grading === null).toBe(true);
    expect(card.needsReview).toBe(card.reviewReason !== null);
    if (isIdentified) {
      expect(card.title?.trim()).toBeTruthy();
      expect(["low_confidence", "ambiguous", "unreadable", "providers_failed"]).not.toContain(
        card.reviewReason,
      );
    }
    if (card.openListing !== null) expect(card.listingId).toBe(card.openListing.id);
  });
});

test("every change of the workflow has its event, the events chain, and each move is allowed", () => {
  holdsFor(({ before, outcome }) => {
    let stage = before.workflowStatus;
    for (const event of outcome.events) {
      if (event.type !== "card.workflow_status_changed") continue;
      expect(event.data.from).toBe(stage);
      expect(event.data.to).not.toBe(stage);
      expect(allowedMoves).toContain(`${stage}>${event.data.to}`);
      stage = event.data.to;
    }
    expect(stage).toBe(outcome.state.workflowStatus);
  });
});

test("the version counts exactly the changes of the card's own members", () => {
  holdsFor(({ before, outcome }) => {
    const { openListing: _, version, ...own } = outcome.state;
    const { openListing: __, version: versionBefore, ...ownBefore } = before;
    expect(version - versionBefore).toBe(isDeepStrictEqual(own, ownBefore) ? 0 : 1);
    expect(outcome.changed).toBe(!isDeepStrictEqual(outcome.state, before));
    expect({ ...before, ...outcome.changes }).toEqual(outcome.state);
    // No-op means no event too, but for the report of a failed identification.
    if (!outcome.changed) {
      expect(outcome.events.filter(({ type }) => type !== "identify.failed")).toEqual([]);
    }
  });
});

test("card.priced fires once in a life, with the first price, and card.identified with each identification", () => {
  fc.assert(
    fc.property(birth, life, (fields, makers) => {
      let isPriced = fields.askingPrice !== undefined;
      const events = live(fields, makers, ({ before, command, outcome }) => {
        const given = command.type === "edit" ? command.patch.askingPrice : null;
        const isFirst = !isPriced && given !== null && given !== undefined;
        expect(outcome.events.filter(({ type }) => type === "card.priced")).toEqual(
          isFirst ? [{ type: "card.priced", data: { card_id: cardId, asking_price: given } }] : [],
        );
        isPriced ||= isFirst;
        const identifications = outcome.events.filter(({ type }) => type === "card.identified");
        expect(identifications.length).toBeLessThanOrEqual(before.status === "imported" ? 1 : 0);
        if (outcome.state.status !== before.status) {
          expect(identifications).toHaveLength(outcome.state.status === "identified" ? 1 : 0);
        }
      });
      expect(events.filter(({ type }) => type === "card.priced").length).toBe(isPriced ? 1 : 0);
    }),
    { numRuns: 1_500 },
  );
});

test("while a listing is open nobody moves the stage, renames or clears the price by hand", () => {
  const byHand = new Set(["move", "archive", "reset", "undo_identification", "listing_publishing"]);
  holdsFor(({ before, command, outcome: { state } }) => {
    if (before.openListing === null) return;
    if (byHand.has(command.type)) expect(state).toEqual(before);
    expect(state.sku).toBe(before.sku);
    if (before.askingPrice !== null) expect(state.askingPrice).not.toBeNull();
    if (before.workflowStatus !== "archived") expect(state.workflowStatus).not.toBe("archived");
    expect(state.status === "imported" && before.status === "identified").toBe(false);
  });
});

test("no copy appears or is lost: there, waiting for review and owed always add up", () => {
  const sum = (card: CardState) =>
    card.quantity + card.pendingReturnQuantity - card.oversoldQuantity;
  holdsFor(({ before, command, outcome: { state } }) => {
    if (command.type === "take_order" || command.type === "sell_by_hand") {
      expect(sum(state)).toBe(sum(before) - command.quantity);
    } else if (command.type === "cancel_order" || command.type === "bring_back") {
      expect(sum(state)).toBe(sum(before) + command.quantity);
    } else if (command.type !== "edit" || command.patch.quantity === undefined) {
      expect(sum(state)).toBe(sum(before));
    }
  });
});

test("these lives are rich: every allowed move happens in them", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(birth, life, (fields, makers) => {
      for (const event of live(fields, makers, () => {})) {
        if (event.type === "card.workflow_status_changed")
          seen.add(`${event.data.from}>${event.data.to}`);
      }
    }),
    { numRuns: 4_000, seed: 20_260_301 },
  );
  // A stage is no move to itself, and these three moves by hand lack their facts: an imported card is not identified.
  const never = new Set([
    "imported>priced",
    "imported>photographed",
    ...workflowStatuses.map((stage) => `${stage}>${stage}`),
  ]);
  expect([...allowedMoves].filter((move) => !never.has(move) && !seen.has(move))).toEqual([]);
});
