import type { Card } from "@cardvault/contract";
import { createMarketplaceSync } from "@cardvault/core";
import { changeAccount, insertPublication, makeSyncDue, writePublication } from "@cardvault/db";
import type { AccountUnit } from "@cardvault/db";
import { createListing, decideCard, decideListing, decideListingAndCard } from "@cardvault/domain";
import { newId, toUuid } from "@cardvault/kit";
import { inThePast } from "./date-back.ts";
import { openPastMarket } from "./market.ts";
import type { LiveOffer, PastMarket } from "./market.ts";
import { dayMs, minuteMs, someOf } from "./shop.ts";
import type { Shop } from "./shop.ts";

const publishedCards = 44;
const soldShare = 0.55;
const endedCards = 2;
const longestAgoDays = 34;
/** What was sold within so long lies in its place still. */
const toPullMs = 40 * 60 * minuteMs;

/** What the marketplace refused, in the words in which it says so. */
const refusal = {
  code: "missing_item_specific",
  message: "The item specific Card Condition is missing. Add it and publish again.",
  field: "condition",
} as const;

interface Listed {
  card: Card;
  listingId: string;
  publishedAt: Date;
  offer: LiveOffer;
}

/**
 * Weeks on the marketplace, with their counterparts in the sandbox: live, sold, ended, one refused, one whose
 * price was changed there, an order that was cancelled, and one of a card that nobody knows. What sold is found as
 * it is always found, by reading the orders.
 */
export async function writeListings(shop: Shop): Promise<void> {
  const { services, access, owner, random } = shop;
  const { data: stock } = await owner.cards.list({
    workflow_status: ["photographed"],
    sort: "-asking_price",
    limit: 200,
  });
  const old = new Set(
    shop.cards
      .filter(({ acquiredAt }) => shop.now.getTime() - acquiredAt.getTime() > 5 * dayMs)
      .map(({ id }) => id),
  );
  const fit = stock.filter(
    ({ id, asking_price: price, condition, grading }) =>
      old.has(id) &&
      price !== null &&
      price.amount >= 300 &&
      (condition !== null || grading !== null),
  );
  const [refused, ...others] = fit;
  const market = await openPastMarket(services, access.accountId);
  try {
    const listed = await publishAll(shop, market, someOf(random, others, publishedCards));
    const { times, cancelled } = await sellSome(shop, market, listed);
    await readMarket(shop, market, listed, times);
    await leaveSomeToPull(shop);
    await cancelOne(shop, market, cancelled);
    await dateFacts(shop);
  } finally {
    await market.close();
  }
  if (refused !== undefined) await refuse(shop, refused);
}

/** Each on a day of its own, a while after its card came in. */
async function publishAll(
  shop: Shop,
  market: PastMarket,
  cards: readonly Card[],
): Promise<Listed[]> {
  const { random, now } = shop;
  const listed: Listed[] = [];
  await inThePast(shop, async () => {
    for (const card of cards) {
      const acquiredAt = shop.cards.find(({ id }) => id === card.id)?.acquiredAt ?? now;
      const earliest = Math.max(
        acquiredAt.getTime() + dayMs,
        now.getTime() - longestAgoDays * dayMs,
      );
      const publishedAt = between(random, new Date(earliest), new Date(now.getTime() - 2 * dayMs));
      market.at(publishedAt);
      const price = card.asking_price?.amount ?? 300;
      const { quantity } = card;
      const offer = await market.publish(card, { title: titleOf(card), price, quantity });
      const listingId = newId("lst");
      await writeLive(shop, { card, listingId, publishedAt, offer });
      listed.push({ card, listingId, publishedAt, offer });
    }
    return new Map(listed.map(({ card, publishedAt }) => [card.id, publishedAt]));
  });
  await dateListings(shop, new Map(listed.map((one) => [one.listingId, one.publishedAt])));
  return listed;
}

function titleOf({ title, number, set }: Pick<Card, "title" | "number" | "set">): string {
  return [set, title, number === null ? null : `#${number}`]
    .filter((part) => part !== null)
    .join(" ")
    .slice(0, 80);
}

/** What publishing writes. */
async function writeLive({ services, access }: Shop, { card, listingId, offer }: Listed) {
  const { db, clock } = services;
  const { accountId } = access;
  await changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const { made, card: begun } = await begin(unit, card, listingId);
    const command = { type: "go_live", ...offer } as const;
    const outcome = decideListingAndCard(made, begun, command, unit.stamp);
    unit.listings.create(outcome.listing.state);
    unit.cards.save(outcome.card.state);
    unit.emit(...outcome.events);
    await unit.tx.em.flush();
    const { sku, offerId } = offer;
    const publication = { listingId, sku, deadlineAt: unit.stamp, given: {} };
    await insertPublication(unit.tx, accountId, publication);
    await writePublication(unit.tx, accountId, listingId, { offerId, step: "done" });
  });
}

/** A listing that begins to be published, and its card with it. */
async function begin(unit: AccountUnit, { id: cardId }: Pick<Card, "id">, listingId: string) {
  const card = await unit.cards.get(cardId);
  const command = { type: "listing_publishing", listingId } as const;
  const begun = decideCard(card, command, unit.stamp).state;
  const made = createListing(
    {
      id: listingId,
      cardId,
      marketplace: "ebay",
      title: titleOf(card),
      description: null,
      categoryId: "183454",
      price: card.askingPrice ?? { amount: 300, currency: unit.account.currency },
      quantity: card.quantity,
    },
    unit.account.currency,
  );
  return { made, card: begun };
}

/** Buyers come, some of the listings end, and one is given another price there. */
async function sellSome(
  { random, now }: Shop,
  market: PastMarket,
  listed: readonly Listed[],
): Promise<{ times: Map<string, Date>; cancelled: Cancelled | undefined }> {
  const times = new Map<string, Date>();
  let cancelled: Cancelled | undefined;
  const [unknown, changed, ...rest] = listed;
  const sold = someOf(random, rest, Math.floor(rest.length * soldShare));
  for (const [index, { card, publishedAt, offer }] of sold.entries()) {
    // The last ones were sold since yesterday, and wait to be pulled.
    const soldAt =
      index < 5
        ? new Date(now.getTime() - random.between(40, 1_800) * minuteMs)
        : between(random, publishedAt, new Date(now.getTime() - 2 * dayMs));
    market.at(soldAt);
    const { order_id: orderId } = await market.control("orders", { lines: [{ sku: offer.sku }] });
    times.set(card.id, soldAt);
    // One that was sold yesterday, and is not pulled yet.
    if (index === 4) cancelled = { cardId: card.id, orderId: String(orderId) };
  }
  const left = rest.filter((one) => !sold.includes(one));
  for (const { card, publishedAt, offer } of left.slice(0, endedCards)) {
    const endedAt = between(random, publishedAt, new Date(now.getTime() - dayMs));
    market.at(endedAt);
    await market.control(`listings/${encodeURIComponent(offer.sku)}/end`);
    times.set(card.id, endedAt);
  }
  if (changed !== undefined) {
    market.at(new Date(now.getTime() - 5 * 60 * minuteMs));
    const price = Math.round(((changed.card.asking_price?.amount ?? 300) * 9) / 1_000) * 100;
    await market.reprice(changed.card, changed.offer, Math.max(100, price));
  }
  if (unknown !== undefined) {
    market.at(new Date(now.getTime() - 26 * 60 * minuteMs));
    const line = { sku: unknown.offer.sku, listing_id: "199024681357", without_sku: true };
    await market.control("orders", { lines: [line] });
  }
  market.at(now);
  return { times, cancelled };
}

interface Cancelled {
  cardId: string;
  orderId: string;
}

/** A buyer changes his mind half an hour ago: the copy is to be put back. */
async function cancelOne(
  shop: Shop,
  market: PastMarket,
  cancelled: Cancelled | undefined,
): Promise<void> {
  if (cancelled === undefined) return;
  const at = new Date(shop.now.getTime() - 24 * minuteMs);
  market.at(at);
  await market.control(`orders/${cancelled.orderId}/cancel`);
  market.at(shop.now);
  await inThePast(shop, async () => {
    await syncNow(shop, market);
    return new Map([[cancelled.cardId, at]]);
  });
}

async function syncNow({ services, access }: Shop, market: PastMarket): Promise<void> {
  await makeSyncDue(services.db, access.accountId, services.clock.now());
  await createMarketplaceSync(market.services).once();
}

/** Events of listings are of the time at which they would have been fired, and say so. */
async function dateFacts({ services: { db }, access }: Shop): Promise<void> {
  const written = `to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await db.query(
    `update webhook_event e set created_at = t.at, body = regexp_replace(e.body,
       '"(created_at|published_at|ended_at)":"[^"]+"', '"\\1":"' || ${written} || '"', 'g')
     from (select e.id, case e.type when 'listing.published' then l.published_at else l.ended_at end as at
       from webhook_event e join listing l on l.id = e.subject_id
       where e.account_id = $1 and e.type like 'listing.%') t
     where e.id = t.id and t.at is not null`,
    [toUuid(access.accountId)],
  );
}

function between(random: Shop["random"], from: Date, to: Date): Date {
  const minutes = Math.max(1, Math.floor((to.getTime() - from.getTime()) / minuteMs));
  return new Date(from.getTime() + random.between(1, minutes) * minuteMs);
}

/** What the worker does each minute, and then dated back to when it would have been found. */
async function readMarket(
  shop: Shop,
  market: PastMarket,
  listed: readonly Listed[],
  times: ReadonlyMap<string, Date>,
): Promise<void> {
  await inThePast(shop, async () => {
    await syncNow(shop, market);
    return times;
  });
  const closed = listed.flatMap(({ card, listingId }) => {
    const at = times.get(card.id);
    return at === undefined ? [] : [[listingId, at] as const];
  });
  const { db } = shop.services;
  await db.query(
    `update listing l set ended_at = case when l.ended_at is null then null else t.at end, updated_at = t.at
     from unnest($1::uuid[], $2::timestamptz[]) as t (id, at) where l.id = t.id`,
    [closed.map(([id]) => toUuid(id)), closed.map(([, at]) => at)],
  );
  await db.query(
    "update marketplace_order_line set recorded_at = sold_at + interval '40 s' where account_id = $1",
    [toUuid(shop.access.accountId)],
  );
}

async function dateListings(
  { services: { db } }: Shop,
  times: ReadonlyMap<string, Date>,
): Promise<void> {
  await db.query(
    `update listing l set created_at = t.at - interval '8 s', updated_at = t.at, published_at = t.at
     from unnest($1::uuid[], $2::timestamptz[]) as t (id, at) where l.id = t.id`,
    [[...times.keys()].map((id) => toUuid(id)), [...times.values()]],
  );
}

/** What was sold before yesterday was pulled and sent long ago. */
async function leaveSomeToPull({ services: { db }, access, now }: Shop): Promise<void> {
  await db.query(
    `update marketplace_order_line set pulled_at = sold_at + interval '5 hours', pulled_by = $2
     where account_id = $1 and unmatched is null and sold_at < $3`,
    [toUuid(access.accountId), access.actor.id, new Date(now.getTime() - toPullMs)],
  );
}

/** A publish that the marketplace refused two days ago: the card is where it was, and the reason stands there. */
async function refuse(shop: Shop, card: Card): Promise<void> {
  const { services, access, now } = shop;
  const { db, clock } = services;
  const { accountId } = access;
  const listingId = newId("lst");
  const refusedAt = new Date(now.getTime() - 51 * 60 * minuteMs);
  await inThePast(shop, async () => {
    await changeAccount(db, { accountId, clock, by: access }, async (unit) => {
      const { made, card: begun } = await begin(unit, card, listingId);
      const command = {
        type: "publishing_failed",
        error: refusal,
        nothingPublished: true,
      } as const;
      unit.listings.create(decideListing(made, command, unit.stamp).state);
      const closed = { type: "listing_closed", listingId } as const;
      unit.cards.save(decideCard(begun, closed, unit.stamp).state);
      await unit.tx.em.flush();
      const { sku } = card;
      const publication = { listingId, sku: sku ?? card.id, deadlineAt: unit.stamp, given: {} };
      await insertPublication(unit.tx, accountId, publication);
      await writePublication(unit.tx, accountId, listingId, { refusal, step: "done" });
    });
    return new Map([[card.id, refusedAt]]);
  });
  await db.query(
    "update listing set created_at = $2, updated_at = $2, ended_at = $2 where id = $1",
    [toUuid(listingId), refusedAt],
  );
}
