import { createHash } from "node:crypto";
import type { Card } from "@cardvault/contract";
import { appRouter, createCallerFactory, uploadPhoto } from "@cardvault/core";
import { newId, toUuid } from "@cardvault/kit";
import { createMemoryStore, drawSamplePhoto, startSimulators } from "@cardvault/simulators";
import { waitFor } from "@cardvault/testkit";
import { openShop } from "./shop.ts";
import type { Shop } from "./shop.ts";
import { openStack } from "./stack.ts";
import type { Stack, TestEnd } from "./stack.ts";

const createCaller = createCallerFactory(appRouter);
type Owner = ReturnType<typeof createCaller>;

/** api and worker in processes of their own, and the simulated marketplace in the test's, which sees each call. */
export interface Market {
  readonly stack: Stack;
  /** A shop of its own, connected to the marketplace as every test account is. */
  open(): Promise<MarketShop>;
  clearFaults(): Promise<void>;
  /** Resolves as soon as such a call has come in, and before it is answered. A star stands for one part. */
  nextCall(wanted: string): Promise<void>;
  /** From that call on nothing more can be written of the card's publication, until it is released. */
  blockWrites(from: Promise<void>, card: Card): BlockedWrites;
}

export interface MarketShop {
  readonly stack: Stack;
  readonly shop: Shop;
  readonly owner: Owner;
  /** A card that can be published. */
  card(): Promise<Card>;
  /** What the marketplace does wrong for this shop. */
  fault(fault: object): Promise<void>;
  /** What the marketplace has of a card, and how often something was made for it. */
  simulated(card: Card): Promise<Simulated | undefined>;
}

interface Simulated {
  sku: string;
  listing_id: string | null;
  listing_status: string | null;
  offers_made: number;
  listings_made: number;
  withdrawn: number;
}

interface BlockedWrites {
  /** Somebody has come to write, and waits. */
  waiting(): Promise<unknown>;
  release(): Promise<void>;
}

export async function openMarket(end: TestEnd): Promise<Market> {
  const listeners = new Set<(call: string) => void>();
  const simulators = await startSimulators({
    store: createMemoryStore(),
    onRequest: (_protocol, { method, path }) => {
      for (const listener of listeners) listener(`${method} ${path}`);
    },
  });
  end.onTestFinished(() => simulators.stop());
  const environment = { SANDBOX_URL: simulators.url };
  const stack = await openStack(end, { store: "postgres", kind: "short", environment });
  await Promise.all([stack.api.start(), stack.worker.start()]);
  const photo = await drawSamplePhoto("EMC-12", "applied");
  const { db } = stack.services;

  async function control(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${simulators.url}/control${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  async function open(): Promise<MarketShop> {
    const shop = await openShop(stack);
    const owner = ownerOf(stack, shop);
    return {
      stack,
      shop,
      owner,
      card: () => publishableCard(stack, { shop, owner, photo }),
      fault: async (fault) => {
        await control("POST", "/faults", { protocol: "ebay", key: shop.accountId, ...fault });
      },
      async simulated(card) {
        const { data } = (await control("GET", `/ebay/${shop.accountId}/listings`)) as {
          data: Simulated[];
        };
        return data.find(({ sku }) => sku === card.sku);
      },
    };
  }

  return {
    stack,
    open,
    async clearFaults() {
      await control("DELETE", "/faults");
    },
    nextCall: (wanted) =>
      new Promise((resolve) => {
        const parts = wanted.split("/");
        const listener = (call: string): void => {
          const given = call.split("/");
          const isIt =
            given.length === parts.length &&
            parts.every((part, index) => part === "*" || part === given[index]);
          if (!isIt) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      }),
    blockWrites(from, card) {
      const released = Promise.withResolvers<void>();
      const held = from.then(() =>
        db.transaction(async (tx) => {
          await tx.query(
            `select 1 from listing_publication where listing_id in (select id from listing where card_id = $1)
             for update`,
            [toUuid(card.id)],
          );
          await released.promise;
        }),
      );
      return {
        waiting: () =>
          waitFor(async () => {
            const rows = await db.query("select 1 from pg_locks where not granted limit 1");
            return rows.length > 0;
          }),
        release: async () => {
          released.resolve();
          await held;
        },
      };
    },
  };
}

/** The pages' procedures as the shop's owner, in the test's process: signing in has a limit. */
function ownerOf({ services }: Stack, { access, email }: Shop): Owner {
  const { accountId, environment, currency } = access;
  return createCaller({
    services,
    requestId: newId("req"),
    principal: {
      kind: "session",
      userId: "owner",
      userName: "Robin Vale",
      userEmail: email,
      accountId,
      environment,
      currency,
      role: "owner",
      isOperator: false,
      isSuspended: false,
    },
  });
}

/** A card with all that publishing asks for. */
async function publishableCard(
  { services }: Stack,
  { shop, owner, photo }: Pick<MarketShop, "shop" | "owner"> & { photo: Uint8Array },
): Promise<Card> {
  const made = await owner.cards.create({
    title: "Charged Serpent",
    game: "Runes of Avarra",
    set: "Storm Harbour",
    condition: "near_mint",
    asking_price: { amount: 1_250, currency: "USD" },
  });
  const contentHash = createHash("sha256").update(photo).digest();
  const file = { bytes: photo, contentHash, byteSize: photo.length };
  const { id } = await uploadPhoto(services, shop.access, { name: "front.jpg" }, file);
  const photos = [{ photo_id: id, side: "front" as const }];
  return owner.photos.attach({ card_id: made.id, photos });
}
