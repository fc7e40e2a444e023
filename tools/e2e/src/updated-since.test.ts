import type { Card } from "@cardvault/contract";
import { waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { isLong } from "./long.ts";
import { openShop } from "./shop.ts";
import type { Shop } from "./shop.ts";
import { openStack } from "./stack.ts";

const writers = 8;
const cardsOfEach = 6;
const writingMs = isLong ? 30_000 : 8_000;

interface Page {
  readonly data: readonly Card[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
  readonly next_updated_since?: string | undefined;
}

/** Follows the changes of an account, as the documentation tells a client to. */
class Poller {
  readonly #shop: Shop;
  readonly #seen = new Map<string, Set<number>>();
  #since: string;
  #polls = 0;

  constructor(shop: Shop, since: string) {
    this.#shop = shop;
    this.#since = since;
  }

  get polls(): number {
    return this.#polls;
  }

  hasSeen(cardId: string, version: number): boolean {
    return this.#seen.get(cardId)?.has(version) === true;
  }

  async poll(): Promise<void> {
    // Pages that are shorter than what changes meanwhile: rows move behind the cursor while it reads.
    let path = `/cards?updated_since=${encodeURIComponent(this.#since)}&limit=3`;
    for (;;) {
      const { status, body } = await this.#shop.call<Page>("GET", path);
      if (status !== 200) throw new Error(`${path} was answered ${status}`);
      for (const { id, version } of body.data) this.#note(id, version);
      if (!body.has_more) {
        this.#since = body.next_updated_since ?? "";
        this.#polls += 1;
        return;
      }
      path = `/cards?updated_since=${encodeURIComponent(this.#since)}&limit=3&cursor=${encodeURIComponent(body.next_cursor ?? "")}`;
    }
  }

  #note(id: string, version: number): void {
    const versions = this.#seen.get(id) ?? new Set();
    this.#seen.set(id, versions.add(version));
  }
}

test(
  `eight writers and a poller for ${writingMs / 1_000} s: no version of any card is missed`,
  async (context) => {
    const stack = await openStack(context, { store: "postgres" });
    await stack.api.start();
    const shop = await openShop(stack);
    const session = await shop.signIn();
    const start = new Date().toISOString();
    const cards = await session.createCards(
      Array.from({ length: writers * cardsOfEach }, (_, index) => ({ title: `Card ${index}` })),
    );
    const poller = new Poller(shop, start);
    const written: { readonly id: string; readonly version: number }[] = [];
    const until = Date.now() + writingMs;
    const writing = { isDone: false };

    // A card is written again only when its version was seen, so that each version can be seen. Where one
    // is missed its card is never written again, and is found in the end.
    const write = async (own: readonly Card[]): Promise<void> => {
      const versions = new Map(own.map(({ id, version }) => [id, version]));
      while (Date.now() < until) {
        const free = (): [string, number] | undefined =>
          [...versions].find(([id, version]) => poller.hasSeen(id, version));
        const next = await waitFor(() => Date.now() >= until || free(), { everyMs: 5 });
        if (next === true) return;
        const [id, before] = next;
        const { status, body } = await shop.call<Card>("PATCH", `/cards/${id}`, {
          location: `Shelf ${before}`,
        });
        expect({ status, version: body.version }).toEqual({ status: 200, version: before + 1 });
        // To the end of the queue, so that all cards have their turn.
        versions.delete(id);
        versions.set(id, body.version);
        written.push({ id, version: body.version });
      }
    };
    const follow = async (): Promise<void> => {
      // What was answered before a poll began is seen by it.
      while (!writing.isDone) {
        const answered = [...written];
        await poller.poll();
        expect(answered.filter(({ id, version }) => !poller.hasSeen(id, version))).toEqual([]);
      }
      await poller.poll();
    };
    const following = follow();
    await Promise.all(
      Array.from({ length: writers }, (_, index) =>
        write(cards.slice(index * cardsOfEach, (index + 1) * cardsOfEach)),
      ),
    ).finally(() => {
      writing.isDone = true;
    });
    await following;

    expect(written.filter(({ id, version }) => !poller.hasSeen(id, version))).toEqual([]);
    process.stdout.write(`${written.length} versions written, ${poller.polls} polls\n`);
    // Had they stood still, nothing would have been shown.
    expect(written.length).toBeGreaterThan(cards.length);
    expect(poller.polls).toBeGreaterThan(10);
  },
  writingMs + 60_000,
);
