import { describe, expect, test } from "vitest";
import { decideCard } from "./decide.ts";
import type { CardCommand } from "./decide.ts";
import {
  attachPhoto,
  cardAt,
  cardWith,
  edit,
  goLive,
  listingId,
  now,
  otherListingId,
  price,
  publish,
  sellOne,
} from "./fixtures.ts";
import { reviewReasonTable } from "./review.ts";
import type { CardState } from "./state.ts";

const order = (quantity: number, id = listingId): CardCommand => ({
  type: "take_order",
  listingId: id,
  quantity,
});
const run = (card: CardState, ...commands: CardCommand[]) =>
  commands.reduce((state, command) => decideCard(state, command, now).state, card);
const two = cardWith({ title: "A", askingPrice: price, quantity: 2 }, [
  attachPhoto,
  publish,
  goLive,
]);

describe("copies and the open listing", () => {
  test("an order of the listing itself does not revise it", () => {
    expect(decideCard(two, order(1), now)).toMatchObject({
      state: { quantity: 1, workflowStatus: "listed" },
      effects: [],
    });
  });

  test("a late order of an earlier listing lowers the one that is open", () => {
    expect(decideCard(two, order(1, otherListingId), now).effects).toEqual([
      { type: "revise_listing", listingId, afterPublishing: false, quantity: 1 },
    ]);
  });

  test("a sale elsewhere of the last copy withdraws it", () => {
    expect(decideCard(cardAt.listed, sellOne, now)).toMatchObject({
      state: { quantity: 0, workflowStatus: "sold" },
      effects: [
        { type: "withdraw_listing", listingId, afterPublishing: false, endReason: "out_of_stock" },
      ],
    });
  });

  test("a late order takes the last copy while another listing is publishing: withdrawn once it is known", () => {
    const publishing = cardWith({ title: "A", askingPrice: price }, [publish]);
    expect(decideCard(publishing, order(1, otherListingId), now)).toMatchObject({
      state: { workflowStatus: "sold", openListing: { status: "publishing" } },
      effects: [{ type: "withdraw_listing", afterPublishing: true }],
    });
  });

  test("the end of an earlier listing, by a late order, leaves the open one open", () => {
    const end: CardCommand = { type: "listing_closed", listingId: otherListingId };
    expect(decideCard(two, end, now)).toMatchObject({ changed: false, events: [] });
  });

  test("a sold card stays sold when its listing closes", () => {
    const sold = run(cardAt.listed, sellOne, { type: "listing_closed", listingId });
    expect(sold).toMatchObject({ workflowStatus: "sold", openListing: null, listingId });
  });
});

describe("more sold than there was", () => {
  test.each([order(2), { type: "sell_by_hand", quantity: 2 } as const])("%j", (command) => {
    expect(run(cardAt.priced, command)).toMatchObject({
      quantity: 0,
      workflowStatus: "sold",
      oversoldQuantity: 1,
      reviewReason: "oversold",
    });
  });

  test("a copy that was never there does not come back", () => {
    const oversold = run(cardAt.priced, order(1), order(1));
    expect(oversold).toMatchObject({ quantity: 0, oversoldQuantity: 1 });
    const cancelled = run(oversold, { type: "cancel_order", quantity: 1 });
    expect(cancelled).toMatchObject({ oversoldQuantity: 0, pendingReturnQuantity: 0 });
    expect(run(cancelled, { type: "accept_review" })).toMatchObject({
      quantity: 0,
      workflowStatus: "sold",
      needsReview: false,
    });
  });

  test("an archived card without a copy stays archived", () => {
    const gone = run(cardAt.priced, sellOne, { type: "archive" });
    expect(run(gone, order(1))).toMatchObject({
      workflowStatus: "archived",
      reviewReason: "oversold",
    });
  });
});

test("a cancelled order fires nothing; accepting the review brings the copies back", () => {
  const sold = run(cardAt.photographed, order(1));
  const cancelled = decideCard(sold, { type: "cancel_order", quantity: 1 }, now);
  expect(cancelled.events).toEqual([]);
  expect(cancelled.state).toMatchObject({
    quantity: 0,
    workflowStatus: "sold",
    reviewReason: "order_cancelled",
  });
  const accepted = decideCard(cancelled.state, { type: "accept_review" }, now);
  expect(accepted.state).toMatchObject({
    quantity: 1,
    workflowStatus: "photographed",
    pendingReturnQuantity: 0,
    needsReview: false,
    reviewReason: null,
  });
  expect(accepted.events).toHaveLength(1);
});

describe("review", () => {
  test("a hand edit of title, set or number answers what is about identification only", () => {
    for (const [reason, { isClearedByEdit }] of Object.entries(reviewReasonTable)) {
      const card = { ...cardAt.imported, needsReview: true, reviewReason: reason } as CardState;
      for (const patch of [{ set: "Storm" }, { number: "1/2" }, { title: "A" }]) {
        expect(run(card, edit(patch)).needsReview).toBe(!isClearedByEdit);
      }
      expect(run(card, edit({ notes: "x", team: "y" })).needsReview).toBe(true);
    }
  });

  test("a question about copies is not displaced by a failed identification", () => {
    const cancelled = run(cardAt.imported, { type: "cancel_order", quantity: 1 });
    const failed = run(cancelled, {
      type: "identification_failed",
      failure: { photo_url: null, attempts: [] },
    });
    expect(failed.reviewReason).toBe("order_cancelled");
  });

  test("accepting a card that is not in review is refused", () => {
    expect(() => run(cardAt.priced, { type: "accept_review" })).toThrow(
      expect.objectContaining({ code: "invalid_transition" }),
    );
  });
});

test("what is no count of copies is refused, and more than a card can hold", () => {
  for (const quantity of [0, -1, 0.5, Number.NaN]) {
    for (const type of ["sell_by_hand", "bring_back", "cancel_order"] as const) {
      expect(() => run(cardAt.priced, { type, quantity })).toThrow(
        expect.objectContaining({ code: "validation_failed" }),
      );
    }
  }
  expect(() => run(cardAt.priced, { type: "bring_back", quantity: 9_999 })).toThrow(
    expect.objectContaining({ code: "validation_failed" }),
  );
});
