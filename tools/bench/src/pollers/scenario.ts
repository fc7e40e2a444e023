import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openAccount } from "../stack/account.ts";
import { seedCards, someCards } from "../stack/seed-cards.ts";
import { withStack } from "../stack/stack.ts";
import type { Scenario } from "../scenario.ts";
import { round } from "../statistics.ts";
import type { Version, WriterSettings } from "./writer.ts";

const cards = 100_000;
const onceCards = 50_000;
const hotCards = 20;
const writers = 8;
const defaultSeconds = 30;
const pageSize = 100;
/** A poller that never rests would only measure itself. */
const betweenPollsMs = 100;

export const pollersScenario: Scenario = {
  name: "pollers",
  sentence: "GET /cards?updated_since while 8 clients write: no version of any card is missed",
  run: ({ store, seconds = defaultSeconds }) =>
    withStack(store, async (stack) => {
      const { databaseUrl } = stack;
      const { accountId, token } = await openAccount(stack.services, "Bench");
      await seedCards({ databaseUrl, accountId, cards });
      const ids = await someCards(databaseUrl, accountId, onceCards + hotCards, ["priced"]);
      const api = await stack.startApi();
      const writer = await stack.start({ file: join(import.meta.dirname, "writer.ts") });
      const since = new Date().toISOString();
      await writer.ask("start", {
        origin: api.publicUrl,
        token,
        writers,
        onceIds: ids.slice(hotCards),
        hotIds: ids.slice(0, hotCards),
      } satisfies WriterSettings);

      const poller = createPoller(api.publicUrl, token, since);
      const untilMs = performance.now() + seconds * 1_000;
      while (performance.now() < untilMs) {
        await poller.poll();
        await wait(betweenPollsMs);
      }
      const written = await writer.ask<Version[]>("stop");
      // The last poll goes on from where the poller stands, like every other: nothing is looked at twice.
      await poller.poll();

      const tally = compare(written, poller.seen);
      console.log(
        `${writers} writers, ${poller.requests()} pages polled; ${tally.seen} versions seen, ${tally.replaced} replaced by a later one before the poller came`,
      );
      return {
        figures: {
          written: written.length,
          seen: tally.seen,
          replaced: tally.replaced,
          missed: tally.missed,
          unexpected: tally.unexpected,
          writes_per_s: round(written.length / seconds),
          polls: poller.polls(),
          seconds,
        },
        goals: [
          { figure: "missed", atMost: 0 },
          { figure: "unexpected", atMost: 0 },
          { figure: "written", atLeast: seconds * writers },
          { figure: "polls", atLeast: seconds },
        ],
      };
    }),
};

interface CardPage {
  readonly data: readonly { readonly id: string; readonly version: number }[];
  readonly next_cursor: string | null;
  readonly next_updated_since?: string;
}

/** A client that knows only the documented way: pages by cursor, then on from `next_updated_since`. */
function createPoller(origin: string, token: string, from: string) {
  let since = from;
  let requests = 0;
  let polls = 0;
  const seen = new Map<string, Set<number>>();

  async function readPage(query: URLSearchParams): Promise<CardPage> {
    requests += 1;
    const response = await fetch(`${origin}/cards?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`GET /cards: ${response.status} ${body}`);
    return JSON.parse(body) as CardPage;
  }

  return {
    seen,
    requests: () => requests,
    polls: () => polls,
    /** Everything from where the last poll ended to the end. */
    async poll(): Promise<void> {
      polls += 1;
      const query = new URLSearchParams({ updated_since: since, limit: String(pageSize) });
      for (;;) {
        const page = await readPage(query);
        for (const { id, version } of page.data) {
          const versions = seen.get(id) ?? new Set();
          seen.set(id, versions.add(version));
        }
        if (page.next_cursor === null) {
          since = page.next_updated_since ?? since;
          return;
        }
        query.set("cursor", page.next_cursor);
      }
    },
  };
}

/**
 * Every version that a writer was told of, against those that the poller met. One that was replaced
 * before the poller came cannot be met by anybody; it counts as missed unless a later one was seen.
 */
function compare(
  written: readonly Version[],
  seen: ReadonlyMap<string, ReadonlySet<number>>,
): { seen: number; replaced: number; missed: number; unexpected: number } {
  const tally = { seen: 0, replaced: 0, missed: 0, unexpected: 0 };
  const told = new Set<string>();
  for (const [id, version] of written) {
    told.add(`${id} ${version}`);
    const versions = seen.get(id);
    if (versions?.has(version) === true) tally.seen += 1;
    else if (versions !== undefined && Math.max(...versions) > version) tally.replaced += 1;
    else tally.missed += 1;
  }
  for (const [id, versions] of seen) {
    for (const version of versions) if (!told.has(`${id} ${version}`)) tally.unexpected += 1;
  }
  return tally;
}
