import { bySystem, changeAccount } from "@cardvault/db";
import type { AccountUnit, Database } from "@cardvault/db";
import { createCard, decideBatch, decideCard } from "@cardvault/domain";
import type { BatchState, CardCommand, CardState } from "@cardvault/domain";
import { newId, toUuid } from "@cardvault/kit";
import type { Clock } from "@cardvault/kit";
import { cardHeight, cardWidth } from "./draw.ts";
import { faceHash } from "./face-hash.ts";
import type { DemoBatch, DemoCard } from "./inventory.ts";

const currency = "USD";
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A card of the shop that stands in the database. */
export interface WrittenCard {
  readonly id: string;
  readonly card: DemoCard;
  readonly workflowStatus: CardState["workflowStatus"];
  readonly acquiredAt: Date;
}

/** When a row of the demonstration came to be, by its id. */
type Times = Map<string, Date>;

/**
 * Writes one batch of the shop in one change, by the same rules as everybody's cards, and then dates
 * it back to the day on which it came in. No endpoint may be registered yet: the time in the events'
 * bodies moves too.
 * @returns its cards, in the order of the plan
 */
export async function writeBatch(
  db: Database,
  clock: Clock,
  accountId: string,
  batch: DemoBatch,
): Promise<WrittenCard[]> {
  const acquiredAt = new Date(clock.now().getTime() - batch.acquiredDaysAgo * dayMs);
  const times: Times = new Map();
  const cards: WrittenCard[] = [];
  await changeAccount(db, { accountId, clock, by: bySystem }, async (unit) => {
    times.clear();
    cards.length = 0;
    const state = newBatch(await unit.counters.nextBatchCode(), batch, acquiredAt);
    unit.batches.create(state);
    times.set(state.id, acquiredAt);
    for (const card of batch.cards) {
      const written = await writeCard(unit, state, card);
      times.set(written.id, new Date(acquiredAt.getTime() + card.ageOffsetMinutes * minuteMs));
      const { id, workflowStatus } = written;
      cards.push({ id, card, workflowStatus, acquiredAt });
    }
    if (batch.complete) {
      const counted = { ...state, cardCount: batch.cards.length };
      const completed = decideBatch(counted, { type: "complete" }, unit.stamp);
      unit.batches.save(completed.state);
      unit.emit(...completed.events);
    }
  });
  await dateBack(db, times);
  return cards;
}

function newBatch(code: string, batch: DemoBatch, acquiredAt: Date): BatchState {
  return {
    id: newId("batch"),
    code,
    name: batch.name,
    status: "open",
    source: batch.source,
    description: batch.description,
    defaults: {
      set: null,
      game: null,
      condition: null,
      language: "English",
      location: null,
      priceFloor: null,
    },
    costBasis: { amount: batch.costCents, currency },
    acquiredAt,
    completedAt: null,
    cardCount: 0,
    jobCount: 0,
    membershipJobCount: 0,
  };
}

async function writeCard(unit: AccountUnit, batch: BatchState, card: DemoCard): Promise<CardState> {
  const { set } = card;
  const isKnown = card.title !== null;
  const counter = unit.counters.nextCardNumber();
  const created = createCard(
    {
      id: newId("card"),
      sku: `${batch.code}-${String(counter).padStart(5, "0")}`,
      batch,
      accountCurrency: currency,
      fields: {
        ...(isKnown
          ? {
              title: card.title,
              game: set.game,
              set: set.name,
              setCode: set.code,
              number: card.number,
              year: set.year,
              subject: card.subject,
              team: card.team,
              manufacturer: set.manufacturer,
              variant: card.variant,
              rarity: card.rarity,
              isRookie: card.isRookie,
            }
          : {}),
        ...(card.grading === null
          ? { condition: card.condition }
          : { grading: { ...card.grading, qualifier: null } }),
        quantity: card.quantity,
        askingPrice: money(card.askingPriceCents),
        purchasePrice: money(card.purchasePriceCents),
        location: card.location,
      },
    },
    unit.stamp,
  );
  unit.emit(...created.events);
  let state = created.state;
  const doNext = (command: CardCommand): void => {
    const outcome = decideCard(state, command, unit.stamp);
    state = outcome.state;
    unit.emit(...outcome.events);
  };
  if (card.photographed) doNext({ type: "attach_listing_photo" });
  state = await unit.cards.create({ ...state, version: 1 });
  await unit.tx.em.flush();
  await writePhotos(unit, state.id, card);
  return state;
}

/** The front of every card; a photographed one has the same picture for its listing. */
async function writePhotos(unit: AccountUnit, cardId: string, card: DemoCard): Promise<void> {
  const sides = card.photographed ? (["front", "listing"] as const) : (["front"] as const);
  const picture = { cardId, position: 0, width: cardWidth, height: cardHeight };
  const contentHash = faceHash(card);
  await unit.photos.add(sides.map((side) => ({ ...picture, id: newId("img"), side, contentHash })));
}

/** Moves cards, their photos and history, batches and events to when they would have been made. */
async function dateBack(db: Database, times: Times): Promise<void> {
  const ids = [...times.keys()].map((id) => toUuid(id));
  const at = [...times.values()];
  const moved = "from unnest($1::uuid[], $2::timestamptz[]) as t (id, at)";
  await db.transaction(async (tx) => {
    await tx.query(
      `update card c set created_at = t.at, updated_at = t.at, identified_at = case when c.identified_at is null then null else t.at end,
         first_priced_at = case when c.first_priced_at is null then null else t.at end ${moved} where c.id = t.id`,
      [ids, at],
    );
    await tx.query(`update photo p set created_at = t.at ${moved} where p.card_id = t.id`, [
      ids,
      at,
    ]);
    await tx.query(`update card_change h set changed_at = t.at ${moved} where h.card_id = t.id`, [
      ids,
      at,
    ]);
    await tx.query(
      `update batch b set created_at = t.at, updated_at = t.at,
         completed_at = case when b.completed_at is null then null else t.at + interval '3 days' end ${moved} where b.id = t.id`,
      [ids, at],
    );
    await tx.query(
      `update webhook_event e set created_at = t.at, body = regexp_replace(e.body, '"created_at":"[^"]+"',
         '"created_at":"' || to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"')
       ${moved} where e.subject_id = t.id`,
      [ids, at],
    );
  });
}

function money(cents: number | null): { amount: number; currency: string } | null {
  return cents === null ? null : { amount: cents, currency };
}
