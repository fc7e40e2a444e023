import { randomBytes } from "node:crypto";
import { eventTypes, scopes, VaultError } from "@cardvault/contract";
import {
  createAccount,
  createEndpoint,
  createKey,
  createPerson,
  createServices,
} from "@cardvault/core";
import type { Access, CoreConfig, Services } from "@cardvault/core";
import { openDatabase } from "@cardvault/db";
import { createLogger, encryptionKeys, systemClock } from "@cardvault/kit";
import { writeDeliveries } from "./history/deliveries.ts";
import { ageHouse, writeHouse, writeProviders } from "./history/house.ts";
import { writeListings } from "./history/listings.ts";
import { priceEngines, writePrices } from "./history/prices.ts";
import { pastEngines, writeReviews } from "./history/reviews.ts";
import type { PastEngines } from "./history/reviews.ts";
import { writeSales } from "./history/sales.ts";
import { openShop } from "./history/shop.ts";
import type { Shop } from "./history/shop.ts";
import { demoInventory } from "./inventory.ts";
import { createRandom } from "./random.ts";
import { writeBatch } from "./write-inventory.ts";
import type { WrittenCard } from "./write-inventory.ts";

/** How to get in. Shown by the start, and kept in a file that only its owner can read. */
export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** A card that is identified and waits for its first price. */
  readonly cardId: string;
  readonly webhookSecret: string;
}

export interface SeedDemoOptions {
  readonly databaseUrl: string;
  /** As in VAULT_ENCRYPTION_KEYS. */
  readonly encryptionKeys: string;
  /** The example receiver, on loopback. */
  readonly receiverUrl: string;
  readonly photoFolder: string;
}

const historySeed = 20_240_812;
const accountName = "Harbor Lane Cards";

/**
 * Makes the demonstration account: a test account with six batches of cards and a past of weeks, a
 * sign-in, a token and the example receiver. Where an earlier try was killed on its way, each call makes a shop and a
 * sign-in of its own, so that nothing that somebody may have worked in is touched.
 */
export async function seedDemo(options: SeedDemoOptions): Promise<DemoAccount> {
  const db = await openDatabase({ url: options.databaseUrl, applicationName: "cardvault-demo" });
  const config: CoreConfig = {
    publicUrl: "http://localhost",
    photoFolder: options.photoFolder,
    isPlainHttp: true,
    allowsLoopbackReceivers: true,
  };
  const past = pastEngines();
  const known = demoInventory().flatMap(({ cards }) => cards);
  const engines = {
    ...past.engines,
    ...priceEngines(known, () => systemClock.now()),
  };
  const services = await createServices({
    db,
    databaseUrl: options.databaseUrl,
    clock: systemClock,
    logger: createLogger({ name: "demo", level: "warn" }),
    encryptionKeys: encryptionKeys().parse(options.encryptionKeys),
    config,
    // Nobody is asked: the shop's past is told by engines of its own.
    engines: () => engines,
  });
  try {
    return await seed({ services, past }, options.receiverUrl);
  } finally {
    await services.close();
    await db.close();
  }
}

interface OpenServices {
  readonly services: Services;
  readonly past: PastEngines;
}

async function seed(open: OpenServices, receiverUrl: string): Promise<DemoAccount> {
  const { services } = open;
  const { db, clock } = services;
  const password = randomBytes(12).toString("base64url");
  const person = await firstFreePerson(services, password);
  const actor = { kind: "member", id: person.userId } as const;
  const account = await createAccount(services, actor, {
    name: accountName,
    environment: "test",
    currency: "USD",
    ownerId: person.userId,
  });
  const cards: WrittenCard[] = [];
  for (const batch of demoInventory()) {
    cards.push(...(await writeBatch(db, clock, account.id, batch)));
  }
  const { id: accountId, environment, currency } = account;
  const access: Access = { accountId, environment, currency, actor, via: "web" };
  const owner = { userId: person.userId, userName: person.name, userEmail: person.email };
  const random = createRandom(historySeed);
  const shop = openShop(services, owner, { access, cards, random, now: clock.now() });
  await writeHouse(shop);
  await writePrices(shop);
  await writeSales(shop);
  await writeReviews(shop, open.past);
  await writeListings(shop);
  // From now on events are delivered: what is written of the past has no endpoint yet.
  const { token } = await createKey(services, access, { name: "Demonstration", scopes });
  const { endpoint, secret } = await createEndpoint(services, access, {
    url: receiverUrl,
    description: "The example receiver of the local start",
    events: [...eventTypes],
  });
  await writeDeliveries(shop, endpoint.id);
  await writeProviders(shop);
  await ageHouse(shop);
  await sortTheTray(shop);
  const unpriced = cards.find(({ workflowStatus }) => workflowStatus === "identified");
  if (unpriced === undefined) throw new Error("The demonstration shop has no card to price");
  return { email: person.email, password, token, cardId: unpriced.id, webhookSecret: secret };
}

/** Work that is left to the worker, so that the shop opens with a job that was done. */
async function sortTheTray({ owner, cards }: Shop): Promise<void> {
  const tray = cards.filter(({ card }) => card.location?.startsWith("IN") === true);
  await owner.bulk.start({
    selection: { ids: tray.map(({ id }) => id) },
    action: { type: "move", location: "IN-02" },
  });
}

/** The first address that nobody has: a try that was killed may have left its person behind. */
async function firstFreePerson(services: Services, password: string) {
  for (let count = 1; ; count += 1) {
    const email = `robin${count === 1 ? "" : count}@harborlane.example`;
    try {
      return { ...(await createPerson(services, { name: "Robin Vale", email, password })), email };
    } catch (error) {
      if (!(error instanceof VaultError && error.code === "conflict")) throw error;
    }
  }
}
