import { VaultError } from "@cardvault/contract";
import type { CardState } from "@cardvault/domain";
import { isId, toId, toUuid } from "@cardvault/kit";
import { Card } from "../entities/inventory.ts";
import type { BatchRepository } from "./batch-repository.ts";
import { cardColumns, cardState } from "./card-mapping.ts";
import type { CardEntity, CardFacts } from "./card-mapping.ts";
import type { ChangePlace } from "./change-place.ts";
import type { Counters } from "./counters.ts";
import { applyChanges } from "./row-changes.ts";

interface FactsRow {
  id: string;
  photos: number;
  listing_id: string | null;
  listing_status: "publishing" | "live" | null;
}

/** The cards of the account whose clock is held: nobody else changes them meanwhile. */
export class CardRepository {
  readonly #place: ChangePlace;
  readonly #counters: Counters;
  readonly #batches: BatchRepository;
  readonly #rows = new Map<string, CardEntity>();
  /** As the rows say. */
  readonly #states = new Map<string, CardState>();

  constructor(place: ChangePlace, counters: Counters, batches: BatchRepository) {
    this.#place = place;
    this.#counters = counters;
    this.#batches = batches;
  }

  /** @throws VaultError `card_not_found` */
  async get(id: string): Promise<CardState> {
    const [card] = await this.getMany([id]);
    if (card === undefined) throw new VaultError("card_not_found");
    return card;
  }

  /** Those that there are, in the order in which they were asked for. */
  async getMany(ids: readonly string[]): Promise<CardState[]> {
    const wanted = [...new Set(ids)].filter((id) => isId("card", id));
    if (wanted.length === 0) return [];
    const { tx, accountId, account } = this.#place;
    const rows = await tx.em.find(Card, { id: { $in: wanted }, accountId });
    for (const row of rows) this.#rows.set(row.id, row);
    const facts = await this.#facts(rows.map((row) => row.id));
    return wanted.flatMap((id) => {
      const row = this.#rows.get(id);
      const fact = facts.get(id);
      if (row === undefined || fact === undefined) return [];
      const state = cardState(row, fact, account.currency);
      this.#states.set(id, state);
      return [state];
    });
  }

  /** Writes a new card. One without a SKU is given the next by the account's format. */
  async create(state: CardState): Promise<CardState> {
    const { tx, accountId, stamp, recorder } = this.#place;
    const created = state.sku === null ? { ...state, sku: await this.#nextSku(state) } : state;
    const row = tx.em.create(Card, {
      ...cardColumns(created),
      id: created.id,
      accountId,
      version: Math.max(created.version, 1),
      createdAt: stamp,
      updatedAt: stamp,
    });
    tx.em.persist(row);
    const written = { ...created, version: row.version };
    this.#rows.set(created.id, row);
    this.#states.set(created.id, written);
    recorder.card(null, written);
    return written;
  }

  /**
   * Writes what differs from the row that was loaded. Only then the version goes up and the card is
   * stamped: a change that changes nothing is none.
   */
  save(state: CardState): void {
    this.#write(state, false);
  }

  /** As `save`, where photos of the card have changed: they are other rows, and members of the card. */
  saveWithPhotos(state: CardState): void {
    this.#write(state, true);
  }

  #write(state: CardState, withPhotos: boolean): void {
    const row = this.#rows.get(state.id);
    const before = this.#states.get(state.id);
    if (row === undefined || before === undefined) {
      throw new Error(`The card ${state.id} was not loaded in this change`);
    }
    if (!applyChanges(row, cardColumns(state) as Partial<CardEntity>) && !withPhotos) return;
    row.version = Math.max(state.version, row.version + 1);
    row.updatedAt = this.#place.stamp;
    const after = { ...state, version: row.version };
    this.#states.set(state.id, after);
    this.#place.recorder.card(before, after);
  }

  async #nextSku(state: CardState): Promise<string> {
    const batchCode = state.batchId === null ? null : await this.#batches.codeOf(state.batchId);
    const { game, setCode, year } = state;
    return this.#counters.nextSku({ batchCode, game, setCode, year });
  }

  async #facts(ids: string[]): Promise<Map<string, CardFacts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#place.tx.query<FactsRow>(
      `select c.id, l.id as listing_id, l.status as listing_status,
         (select count(*) from photo p where p.card_id = c.id and p.side = 'listing') as photos
       from unnest($1::uuid[]) as c (id)
       left join listing l on l.card_id = c.id and l.status in ('publishing', 'live')`,
      [ids.map((id) => toUuid(id))],
      "card_facts",
    );
    return new Map(
      rows.map((row) => [
        toId("card", row.id),
        {
          listingPhotoCount: row.photos,
          openListing:
            row.listing_id === null || row.listing_status === null
              ? null
              : { id: toId("lst", row.listing_id), status: row.listing_status },
        },
      ]),
    );
  }
}
