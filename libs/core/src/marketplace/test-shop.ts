import type { Money } from "@cardvault/contract";
import { changeAccount, insertPublication, writePublication } from "@cardvault/db";
import { createListing, decideCard, decideListingAndCard } from "@cardvault/domain";
import { createLogger, newId, systemClock, toUuid } from "@cardvault/kit";
import { readProvidersConfig } from "@cardvault/providers";
import { createMemoryStore, startSimulators } from "@cardvault/simulators";
import type { Simulators } from "@cardvault/simulators";
import { writeOutcome } from "../cards/write-outcome.ts";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { openMarketplace } from "./open-marketplace.ts";
import { openMarketplaces } from "./open-marketplaces.ts";
import { syncAccount } from "./sync-account.ts";
import type { SyncRound } from "./sync-account.ts";
import { byMarketplace } from "./sync-take-line.ts";

/** A card that is live at the simulator, as publishing leaves it. */
export interface Listed {
  cardId: string;
  listingId: string;
  sku: string;
  externalListingId: string;
}

/** A service of the test's own whose marketplace is the simulator, over HTTP. Times are the machine's. */
export interface TestShop {
  house: House;
  simulators: Simulators;
  dealer(name: string): Promise<Dealer>;
  list(dealer: Dealer, given?: { quantity?: number; price?: number }): Promise<Listed>;
  /** Moves the simulator: `POST /control/ebay/<account>/…`. */
  control(dealer: Dealer, path: string, body?: object): Promise<Record<string, unknown>>;
  /** Somebody buys. Answers the order. */
  sell(dealer: Dealer, sku: string, line?: object): Promise<string>;
  fault(dealer: Dealer, fault: object): Promise<void>;
  sync(dealer: Dealer): Promise<SyncRound>;
  /** The names of the events of a card or listing, in their order. */
  eventsOf(cardId: string): Promise<string[]>;
  close(): Promise<void>;
}

export const usd = (amount: number): Money => ({ amount, currency: "USD" });

export async function openTestShop(): Promise<TestShop> {
  const house = await openHouse();
  house.services.clock = systemClock;
  const simulators = await startSimulators({ store: createMemoryStore(), clock: systemClock });
  const { services, db } = house;
  services.sandboxUrl = simulators.url;
  services.marketplaces = openMarketplaces({
    db,
    clock: systemClock,
    logger: createLogger({ name: "test", level: "silent" }),
    config: readProvidersConfig({ SANDBOX_URL: simulators.url }),
  });
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${simulators.url}/control${path}`, init);
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, unknown>;
  };
  const control: TestShop["control"] = (dealer, path, body = {}) =>
    post(`/ebay/${dealer.account.id}/${path}`, body);
  let cards = 0;
  return {
    house,
    simulators,
    control,
    dealer: (name) => house.dealer(name, { environment: "test" }),
    async list(dealer, { quantity = 1, price = 1_000 } = {}) {
      cards += 1;
      const card = await dealer.asOwner.cards.create({
        title: `Charged Serpent ${cards}`,
        quantity,
        condition: "near_mint",
        asking_price: usd(price),
        purchase_price: usd(300),
      });
      const sku = card.sku ?? "";
      const found = await publishAt(dealer, { sku, title: card.title ?? "", quantity, price });
      const listingId = newId("lst");
      await writeLive(dealer, { cardId: card.id, listingId, sku, quantity, price, ...found });
      return { cardId: card.id, listingId, sku, externalListingId: found.externalListingId };
    },
    async sell(dealer, sku, line = {}) {
      const { order_id } = await control(dealer, "orders", { lines: [{ sku, ...line }] });
      return String(order_id);
    },
    fault: async (dealer, fault) =>
      void (await post("/faults", { protocol: "ebay", key: dealer.account.id, ...fault })),
    sync: (dealer) => syncAccount(services, dealer.account.id),
    async eventsOf(cardId) {
      const rows = await db.query<{ type: string; body: string }>(
        `select type, body from webhook_event where body like '%' || $1 || '%' order by id`,
        [cardId],
      );
      return rows.map(({ type, body }) => {
        const { data } = JSON.parse(body) as { data: Record<string, unknown> };
        return type === "card.workflow_status_changed"
          ? `${String(data["from"])}>${String(data["to"])}`
          : type;
      });
    },
    async close() {
      await house.close();
      await simulators.stop();
    },
  };

  /** The calls that publishing makes. */
  async function publishAt(
    { account }: Dealer,
    {
      sku,
      title,
      quantity,
      price,
    }: { sku: string; title: string; quantity: number; price: number },
  ) {
    const opened = await openMarketplace(services, account.id);
    if (!opened.isOpen) throw new Error(opened.message);
    const { port, seller, choices } = opened;
    const categoryId = "183454";
    const item = await port.putItem(seller, {
      sku,
      title,
      description: title,
      quantity,
      categoryId,
      condition: "near_mint",
      grading: null,
      aspects: { Game: ["Invented"] },
      imageUrls: ["https://vault.example.com/photos/1"],
    });
    if (!item.ok) throw new Error(`putItem: ${JSON.stringify(item)}`);
    const offer = await port.createOffer(seller, {
      sku,
      categoryId,
      description: title,
      price: usd(price),
      quantity,
      paymentPolicyId: choices.paymentPolicyId ?? "",
      returnPolicyId: choices.returnPolicyId ?? "",
      fulfillmentPolicyId: choices.fulfillmentPolicyId ?? "",
      locationKey: choices.locationKey ?? "",
    });
    if (!offer.ok) throw new Error(`createOffer: ${JSON.stringify(offer)}`);
    const published = await port.publishOffer(seller, offer.offerId);
    if (!published.ok) throw new Error(`publishOffer: ${JSON.stringify(published)}`);
    const { externalListingId, url } = published;
    return { offerId: offer.offerId, externalListingId, url };
  }

  /** What publishing writes. */
  async function writeLive(
    { account, access }: Dealer,
    live: {
      cardId: string;
      listingId: string;
      sku: string;
      quantity: number;
      price: number;
      offerId: string;
      externalListingId: string;
      url: string;
    },
  ): Promise<void> {
    const { id: accountId } = account;
    const { cardId, listingId: id, sku, quantity, offerId } = live;
    await changeAccount(db, { accountId, clock: systemClock, by: access }, async (unit) => {
      const card = await unit.cards.get(cardId);
      const begun = decideCard(card, { type: "listing_publishing", listingId: id }, unit.stamp);
      const made = createListing(
        {
          id,
          cardId,
          marketplace: "ebay",
          title: card.title ?? "",
          description: null,
          categoryId: null,
          price: usd(live.price),
          quantity,
        },
        "USD",
      );
      const command = { type: "go_live", ...live } as const;
      const outcome = decideListingAndCard(made, begun.state, command, unit.stamp);
      unit.listings.create(outcome.listing.state);
      unit.cards.save(outcome.card.state);
      await writeOutcome(db, unit, byMarketplace, outcome.card);
      await unit.tx.em.flush();
      await insertPublication(unit.tx, accountId, {
        listingId: id,
        sku,
        deadlineAt: unit.stamp,
        given: {},
      });
      await writePublication(unit.tx, accountId, id, { offerId, step: "done" });
    });
  }
}

/** How often an account's ledger, outbox and listings have something: what a count is about. */
export async function countsOf(
  { house }: TestShop,
  { account }: Dealer,
): Promise<Record<string, number>> {
  const rows = await house.db.query<{ name: string; count: number }>(
    `select type as name, count(*) as count from webhook_event where account_id = $1 group by 1
     union all select 'status ' || status, count(*) from listing where account_id = $1 group by 1
     union all select 'lines', count(*) from marketplace_order_line where account_id = $1`,
    [toUuid(account.id)],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
