import { openMarketplace, openMarketplaces, readProvidersConfig } from "@cardvault/core";
import type { Services } from "@cardvault/core";
import {
  deleteSandboxRecords,
  listSandboxRecords,
  lockSandboxKey,
  readSandboxRecord,
  takeSandboxTurn,
  writeSandboxRecord,
} from "@cardvault/db";
import type { Database, Queryable } from "@cardvault/db";
import type { Card } from "@cardvault/contract";
import { startSimulators } from "@cardvault/simulators";
import type { SimulatorStore } from "@cardvault/simulators";

/** What a card is live as. */
export interface LiveOffer {
  readonly sku: string;
  readonly offerId: string;
  readonly externalListingId: string;
  readonly url: string;
}

/** The sandbox's marketplace at any moment of the past: what is made in it is there when the shop opens. */
export interface PastMarket {
  /** From now on it is then. */
  at(moment: Date): void;
  publish(
    card: Card,
    terms: { title: string; price: number; quantity: number },
  ): Promise<LiveOffer>;
  /** Gives a live one another price there, as its owner does who is in a hurry. */
  reprice(card: Card, offer: LiveOffer, price: number): Promise<void>;
  /** `POST /control/ebay/<account>/…` */
  control(path: string, body?: object): Promise<Record<string, unknown>>;
  /** With the marketplace, for who reads it. */
  readonly services: Services;
  close(): Promise<void>;
}

const categoryId = "183454";
const currency = "USD";

/** Opens the simulator on the sandbox's own records. */
export async function openPastMarket(services: Services, accountId: string): Promise<PastMarket> {
  const { db, clock, logger } = services;
  let moment = clock.now();
  const now = (): Date => moment;
  const simulators = await startSimulators({ store: recordsOf(db, now), clock: { now } });
  const config = readProvidersConfig({ SANDBOX_URL: simulators.url });
  const marketplaces = openMarketplaces({ db, clock, logger, config });
  const withMarket: Services = { ...services, marketplaces };
  const opened = await openMarketplace(withMarket, accountId);
  if (!opened.isOpen) throw new Error(opened.message);
  const { port, seller, choices } = opened;
  const termsOf = (sku: string, description: string, price: number, quantity: number) => ({
    sku,
    categoryId,
    description,
    price: { amount: price, currency },
    quantity,
    paymentPolicyId: choices.paymentPolicyId ?? "",
    returnPolicyId: choices.returnPolicyId ?? "",
    fulfillmentPolicyId: choices.fulfillmentPolicyId ?? "",
    locationKey: choices.locationKey ?? "",
  });
  return {
    services: withMarket,
    at: (then) => void (moment = then),
    async publish(card, { title, price, quantity }) {
      const sku = card.sku ?? card.id;
      const item = await port.putItem(seller, {
        sku,
        title,
        description: title,
        quantity,
        categoryId,
        condition: card.condition,
        grading: card.grading,
        aspects: { Game: [card.game ?? "Other"], Set: [card.set ?? "Other"] },
        imageUrls: ["https://localhost/demonstration.webp"],
      });
      if (!item.ok) throw new Error(`The sandbox did not take an item: ${item.code}`);
      const offer = await port.createOffer(seller, termsOf(sku, title, price, quantity));
      if (!offer.ok) throw new Error(`The sandbox did not take an offer: ${offer.code}`);
      const live = await port.publishOffer(seller, offer.offerId);
      if (!live.ok) throw new Error(`The sandbox did not publish: ${live.code}`);
      const { externalListingId, url } = live;
      return { sku, offerId: offer.offerId, externalListingId, url };
    },
    async reprice(card, { sku, offerId }, price) {
      const terms = termsOf(sku, card.title ?? sku, price, card.quantity);
      const updated = await port.updateOffer(seller, offerId, terms);
      if (!updated.ok) throw new Error(`The sandbox did not revise: ${updated.code}`);
    },
    async control(path, body = {}) {
      const answer = await fetch(`${simulators.url}/control/ebay/${accountId}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Record<string, unknown>;
    },
    close: () => simulators.stop(),
  };
}

/** The records that the sandbox keeps in the service's own database. */
function recordsOf(db: Database, now: () => Date): SimulatorStore {
  const on = (queryable: Queryable, exclusive: SimulatorStore["exclusive"]): SimulatorStore => ({
    read: (protocol, key) => readSandboxRecord(queryable, protocol, key),
    write: (protocol, key, value) => writeSandboxRecord(queryable, protocol, key, value, now()),
    take: (protocol, key) => takeSandboxTurn(queryable, protocol, key, now()),
    forget: (protocol, prefix) => deleteSandboxRecords(queryable, protocol, prefix),
    list: (protocol, prefix) => listSandboxRecords(queryable, protocol, prefix),
    exclusive,
  });
  return on(db, (protocol, key, work) =>
    db.transaction(async (tx) => {
      await lockSandboxKey(tx, protocol, key);
      // Nothing within asks for a lock of its own: one who makes the past is alone.
      const inner: SimulatorStore = on(tx, (_protocol, _key, more) => more(inner));
      return work(inner);
    }),
  );
}
