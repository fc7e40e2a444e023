import { randomBytes } from "node:crypto";
import { comparableName, readNumber } from "@cardvault/catalogue";
import { createAccount, localEngine } from "@cardvault/core";
import { findNearCards, writeCatalogueCards } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { systemClock, toUuid } from "@cardvault/kit";
import { createRecogniser } from "@cardvault/recogniser";
import { withStack } from "../stack/stack.ts";
import type { Scenario } from "../scenario.ts";
import { round } from "../statistics.ts";
import { conditions, knownCards, photographOf, rowOf } from "./cards.ts";

const threshold = 0.85;
const rowsAtOnce = 1_000;
const hashes = 100_000;
const hashesAtOnce = 5_000;
const searches = 20;

export const recogniserScenario: Scenario = {
  name: "recogniser",
  sentence:
    "drawn cards in poor photos against a card list, without a third party: accepted, wrong, time",
  run: ({ store, cards: wanted = 60 }) =>
    withStack(store, async ({ services }) => {
      const { db } = services;
      const file = process.env["CARD_LIST"];
      const known = await knownCards(file);
      if (file === undefined) {
        console.log("CARD_LIST names no list: measured against the shipped, invented one ONLY");
      }
      for (let at = 0; at < known.length; at += rowsAtOnce) {
        const rows = known.slice(at, at + rowsAtOnce).map(rowOf);
        await db.transaction((tx) => writeCatalogueCards(tx, "bench", rows, systemClock.now()));
      }
      const account = await createAccount(
        services,
        { kind: "operator", id: null },
        { name: "Bench", environment: "live", currency: "USD", ownerId: "bench" },
      );
      const recogniser = createRecogniser({ threads: 1 });
      const engine = localEngine({ db, recogniser });
      const step = Math.max(1, Math.floor(known.length / wanted));
      const counts = { accepted: 0, wrong: 0, review: 0, nothing: 0 };
      const byCondition = new Map(conditions.map((how) => [how, { seen: 0, accepted: 0 }]));
      const times: number[] = [];
      try {
        for (let index = 0; index < wanted; index += 1) {
          const entry = known[index * step];
          const how = conditions[index % conditions.length];
          if (entry === undefined || how === undefined) break;
          const bytes = await photographOf(entry, index + 1, how);
          const startMs = performance.now();
          const { candidates } = await engine.identify(
            {
              pictures: [{ side: "front", mediaType: "image/webp", bytes }],
              accountId: account.id,
            },
            AbortSignal.timeout(120_000),
          );
          // The first starts the thread.
          if (index > 0) times.push(performance.now() - startMs);
          const [best] = candidates;
          const of = byCondition.get(how);
          if (of !== undefined) of.seen += 1;
          if (best === undefined) counts.nothing += 1;
          else if (best.confidence < threshold) counts.review += 1;
          else {
            const { title, set, number } = best.fields;
            const { card } = entry;
            const isRight =
              comparableName(title ?? "") === comparableName(card.name) &&
              set === card.set &&
              readNumber(number ?? "")?.number === readNumber(card.number)?.number;
            counts[isRight ? "accepted" : "wrong"] += 1;
            if (!isRight) console.log("WRONG", card, best);
            if (isRight && of !== undefined) of.accepted += 1;
          }
        }
      } finally {
        await recogniser.close();
      }
      for (const [how, { seen, accepted }] of byCondition) {
        console.log(`${how.padEnd(14)} ${accepted} of ${seen} accepted`);
      }
      const sorted = times.toSorted((left, right) => left - right);
      const nearMs = await searchTime(db, account.id);
      return {
        figures: {
          known: known.length,
          cards: wanted,
          ...counts,
          accepted_percent: round((100 * counts.accepted) / wanted, 1),
          p50_ms: round(sorted[Math.floor(sorted.length / 2)] ?? 0),
          p95_ms: round(sorted[Math.floor(sorted.length * 0.95)] ?? 0),
          hashes,
          near_ms: round(nearMs, 1),
        },
        goals: [
          { figure: "wrong", atMost: 0 },
          { figure: "near_ms", atMost: 250 },
        ],
      };
    }),
};

/** How long the nearest of 100,000 learned cards take to find, both ways round. */
async function searchTime(db: Database, accountId: string): Promise<number> {
  const account = toUuid(accountId);
  await db.query(
    `insert into card (id, account_id, status, workflow_status, title, created_at, updated_at)
     values (uuidv7(), $1, 'identified', 'identified', 'Bench', now(), now())`,
    [account],
  );
  // Each statement below the time that the service gives to one.
  for (let from = 1; from <= hashes; from += hashesAtOnce) {
    await db.query(
      `with made as (
         insert into photo (id, account_id, side, content_hash, width, height, created_at)
         select uuidv7(), $1, 'front', decode(md5(n::text), 'hex'), 600, 840, now()
         from generate_series($2::int, $3::int) n returning id)
       insert into learned_hash (account_id, photo_id, card_id, hash, learned_at)
       select $1, made.id, (select id from card where account_id = $1 limit 1),
         ('x' || md5(random()::text) || md5(random()::text))::bit(256), now() from made`,
      [account, from, from + hashesAtOnce - 1],
    );
  }
  await db.query("analyze learned_hash");
  const startMs = performance.now();
  for (let count = 0; count < searches; count += 1) {
    const pair = [randomBytes(32), randomBytes(32)];
    await findNearCards(db, accountId, pair, { mostDistance: 40, limit: 5 });
  }
  return (performance.now() - startMs) / searches;
}
