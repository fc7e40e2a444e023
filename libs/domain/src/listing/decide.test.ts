import { listingStatuses, VaultError } from "@cardvault/contract";
import type { ListingStatus } from "@cardvault/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attachPhoto,
  cardId,
  cardWith,
  listingId,
  now,
  price,
  publish,
  usd,
} from "../card/fixtures.ts";
import type { CardState } from "../card/state.ts";
import { createListing } from "./create.ts";
import { decideListing, decideListingAndCard } from "./decide.ts";
import { quantityLeft } from "./state.ts";
import type { ListingCommand, ListingState } from "./state.ts";

const address = { externalListingId: "1105", url: "https://market.example/1105" };
const goLive: ListingCommand = { type: "go_live", ...address };
const error = { code: "refused", message: "Refused.", field: null };
const order = (quantity = 1, orderId = "O-1"): ListingCommand => ({
  type: "order",
  order: { orderId, quantity, total: usd(quantity * 1_250), soldAt: now },
});
const close: ListingCommand = {
  type: "close",
  reason: "withdrawn",
  seenEndedAt: now,
  ordersReadAt: now,
};
const cancel = (quantity = 1): ListingCommand => ({
  type: "cancel_order",
  quantity,
  total: usd(quantity * 1_250),
});

function listingOf(quantity: number, ...commands: ListingCommand[]): ListingState {
  const made = createListing(
    {
      id: listingId,
      cardId,
      marketplace: "ebay",
      title: "A",
      description: null,
      categoryId: null,
      price,
      quantity,
    },
    "USD",
  );
  return commands.reduce((listing, command) => decideListing(listing, command, now).state, made);
}

const at: Record<ListingStatus, ListingState> = {
  publishing: listingOf(2),
  live: listingOf(2, goLive),
  sold: listingOf(2, goLive, order(2)),
  ended: listingOf(2, goLive, close),
  failed: listingOf(2, { type: "publishing_failed", error, nothingPublished: true }),
};

const commands: Record<string, [ListingCommand, Partial<Record<ListingStatus, ListingStatus>>]> = {
  go_live: [goLive, { publishing: "live" }],
  publishing_failed: [
    { type: "publishing_failed", error, nothingPublished: true },
    { publishing: "failed" },
  ],
  "publishing_failed, not known": [
    { type: "publishing_failed", error, nothingPublished: false },
    { publishing: "publishing" },
  ],
  "order of one of two": [order(1), { live: "live", ended: "sold", sold: "sold" }],
  "order of the last": [order(2), { live: "sold", ended: "sold", sold: "sold" }],
  "order found while publishing": [
    { ...order(2), address } as ListingCommand,
    { publishing: "sold", live: "sold", ended: "sold", sold: "sold" },
  ],
  cancel_order: [cancel(1), { sold: "sold" }],
  close: [close, { live: "ended" }],
  revise: [{ type: "revise", price: usd(1) }, { live: "live" }],
  revision_failed: [{ type: "revision_failed", error }, { live: "live" }],
  synced: [
    { type: "synced" },
    { publishing: "publishing", live: "live", sold: "sold", ended: "ended" },
  ],
};

describe.each(Object.entries(commands))("%s", (_, [command, results]) => {
  test.each(listingStatuses)("when %s", (status) => {
    expect(at[status].status).toBe(status);
    const expected = results[status];
    if (expected === undefined)
      expect(() => decideListing(at[status], command, now)).toThrow(VaultError);
    else expect(decideListing(at[status], command, now).state.status).toBe(expected);
  });
});

test("a listing that closes with copies sold is sold, with the totals of its orders", () => {
  const { state, events } = decideListing(
    listingOf(3, goLive, order(1, "O-1"), order(1, "O-2")),
    close,
    now,
  );
  expect(state).toMatchObject({
    status: "sold",
    endReason: "withdrawn",
    quantity: 3,
    quantitySold: 2,
  });
  expect(events).toEqual([
    {
      type: "listing.sold",
      data: {
        listing_id: listingId,
        card_id: cardId,
        marketplace: "ebay",
        external_listing_id: "1105",
        sold_price: usd(2_500),
        quantity: 2,
        order_id: "O-2",
        sold_at: now.toISOString(),
      },
    },
  ]);
});

test("ended is declared only after one more look at the orders", () => {
  const early = { ...close, ordersReadAt: new Date(now.getTime() - 1) } as ListingCommand;
  expect(() => decideListing(at.live, early, now)).toThrow(
    expect.objectContaining({ code: "conflict" }),
  );
});

test("a further order on a sold listing adds to it and fires nothing", () => {
  const { state, events } = decideListing(at.sold, order(1, "O-9"), now);
  expect(state).toMatchObject({
    quantity: 3,
    quantitySold: 3,
    soldPrice: usd(3_750),
    orderId: "O-9",
  });
  expect(events).toEqual([]);
});

test("a cancelled order lowers what was sold; sold stays sold, a live one may yet end", () => {
  expect(decideListing(at.sold, cancel(2), now)).toMatchObject({
    state: { status: "sold", quantitySold: 0, quantity: 0 },
    events: [],
  });
  const back = listingOf(2, goLive, order(1), cancel(1));
  expect(back).toMatchObject({ quantity: 1, quantitySold: 0, soldPrice: null, orderId: null });
  expect(decideListing(back, close, now).state.status).toBe("ended");
  expect(() => decideListing(at.sold, cancel(3), now)).toThrow(
    expect.objectContaining({ code: "conflict" }),
  );
});

test("while it cannot be known that nothing is published, it stays publishing and says so", () => {
  const unsure = listingOf(1, { type: "publishing_failed", error, nothingPublished: false });
  expect(unsure).toMatchObject({ status: "publishing", error });
});

test("amounts in another currency are refused", () => {
  const euro = { amount: 1, currency: "EUR" };
  const calls = [
    () => createListing({ ...at.publishing, price: euro }, "USD"),
    () => decideListing(at.live, { type: "revise", price: euro }, now),
    () =>
      decideListing(
        at.live,
        {
          ...order(),
          order: { orderId: "O", quantity: 1, total: euro, soldAt: now },
        } as ListingCommand,
        now,
      ),
  ];
  for (const call of calls)
    expect(call).toThrow(expect.objectContaining({ code: "validation_failed" }));
});

describe("with its card", () => {
  const card = cardWith({ title: "A", askingPrice: price, quantity: 2 }, [attachPhoto, publish]);

  test("a sale found while publishing first goes live: all events, in the order of the steps", () => {
    const sale = { ...order(2), address } as ListingCommand;
    const outcome = decideListingAndCard(at.publishing, card, sale, now);
    expect(
      outcome.events.map(({ type, data }) => ("to" in data ? `${data.from}>${data.to}` : type)),
    ).toEqual(["listing.published", "photographed>listed", "listed>sold", "listing.sold"]);
    expect(outcome.card.state).toMatchObject({
      quantity: 0,
      openListing: null,
      workflowStatus: "sold",
    });
    expect(outcome.card.state.version).toBe(card.version + 1);
  });

  test("closed with something left, the card goes where its facts stand", () => {
    const live = decideListingAndCard(at.publishing, card, goLive, now);
    const sold = decideListingAndCard(live.listing.state, live.card.state, order(1), now);
    const closed = decideListingAndCard(sold.listing.state, sold.card.state, close, now);
    expect(closed.card.state).toMatchObject({ quantity: 1, workflowStatus: "photographed" });
  });
});

const anyCommand: fc.Arbitrary<ListingCommand> = fc.oneof(
  fc.constantFrom<ListingCommand>(
    goLive,
    close,
    { ...close, reason: "expired" } as ListingCommand,
    { type: "publishing_failed", error, nothingPublished: true },
    { type: "publishing_failed", error, nothingPublished: false },
    { type: "revision_failed", error },
    { type: "synced" },
  ),
  fc
    .integer({ min: 1, max: 2 })
    .map((quantity) => ({ ...order(quantity), address }) as ListingCommand),
  fc.integer({ min: 1, max: 2 }).map(cancel),
  fc.integer({ min: 1, max: 4 }).map((left) => ({ type: "revise" as const, quantityLeft: left })),
);

test("any life of a listing: quantity = left + sold, one published, one end, the card closed with it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(anyCommand, { maxLength: 30 }),
      (quantity, life) => {
        let listing = listingOf(quantity);
        let card: CardState = cardWith({ title: "A", askingPrice: price, quantity }, [publish]);
        let left = quantity;
        let sold = 0;
        const fired: string[] = [];
        for (const command of life) {
          let outcome: ReturnType<typeof decideListingAndCard>;
          try {
            outcome = decideListingAndCard(listing, card, command, now);
          } catch (refusal) {
            if (!(refusal instanceof VaultError)) throw refusal;
            continue;
          }
          if (command.type === "order") {
            left = Math.max(0, left - command.order.quantity);
            sold += command.order.quantity;
          }
          if (command.type === "cancel_order") sold -= command.quantity;
          if (command.type === "revise") left = command.quantityLeft ?? left;
          const from = listing.status;
          listing = outcome.listing.state;
          card = outcome.card.state;
          fired.push(...outcome.events.map(({ type }) => type));
          expect(listing).toMatchObject({ quantity: left + sold, quantitySold: sold });
          expect(quantityLeft(listing)).toBe(left);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(`${from}>${listing.status}`).toMatch(
            /^(\w+)>\1$|^publishing>(live|failed|sold)$|^live>(sold|ended)$|^ended>sold$/,
          );
          const isOpen = listing.status === "publishing" || listing.status === "live";
          expect(card.openListing).toEqual(
            isOpen ? { id: listingId, status: listing.status } : null,
          );
          expect(listing.endedAt === null).toBe(isOpen);
        }
        const count = (type: string) => fired.filter((name) => name === type).length;
        expect(count("listing.published")).toBe(listing.publishedAt === null ? 0 : 1);
        expect(count("listing.sold")).toBe(listing.status === "sold" ? 1 : 0);
        expect(count("listing.ended")).toBeLessThanOrEqual(1);
        if (listing.status === "ended") expect(count("listing.ended")).toBe(1);
      },
    ),
    { numRuns: 1_500 },
  );
});
