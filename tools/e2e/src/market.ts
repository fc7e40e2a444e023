import { accountHeader } from "@cardvault/contract";
import type { Card, UploadAnswer } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { createMemoryStore, drawSamplePhoto, startSimulators } from "@cardvault/simulators";
import { waitFor } from "@cardvault/testkit";
import { openShop } from "./shop.ts";
import type { Shop } from "./shop.ts";
import { openStack } from "./stack.ts";
import type { Stack, TestEnd } from "./stack.ts";

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
  readonly session: Awaited<ReturnType<Shop["signIn"]>>;
  /** A card that can be published. */
  card(): Promise<Card>;
  /** What the marketplace does wrong for this shop. */
  fault(fault: object): Promise<void>;
  /** What the marketplace has of a card, and how often something was made for it. */
  simulated(card: Card): Promise<object | undefined>;
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
    const session = await shop.signIn();
    return {
      stack,
      shop,
      session,
      card: () => publishableCard(stack, { shop, session, photo }),
      fault: async (fault) => {
        await control("POST", "/faults", { protocol: "ebay", key: shop.accountId, ...fault });
      },
      async simulated(card) {
        const { data } = (await control("GET", `/ebay/${shop.accountId}/listings`)) as {
          data: { sku: string }[];
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

/** A card with all that publishing asks for. */
async function publishableCard(
  { url, publicUrl }: Stack,
  { shop, session, photo }: Pick<MarketShop, "shop" | "session"> & { photo: Uint8Array },
): Promise<Card> {
  const [made] = await session.createCards([
    {
      title: "Charged Serpent",
      game: "Runes of Avarra",
      set: "Storm Harbour",
      condition: "near_mint",
      asking_price: { amount: 1_250, currency: "USD" },
    },
  ]);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(photo)]), "front.jpg");
  const uploaded = await fetch(`${url}/photos`, {
    method: "POST",
    headers: { cookie: session.cookie, origin: publicUrl, [accountHeader]: shop.accountId },
    body: form,
  });
  const { files } = (await uploaded.json()) as UploadAnswer;
  const attached = await session.call("photos.attach", {
    card_id: made?.id,
    photos: [{ photo_id: files[0]?.photo?.id, side: "front" }],
  });
  return attached.body.result?.data as Card;
}
