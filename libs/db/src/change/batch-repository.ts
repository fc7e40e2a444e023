import { VaultError } from "@cardvault/contract";
import type { BatchDefaults, BatchState } from "@cardvault/domain";
import { isId, toUuid } from "@cardvault/kit";
import type { InferEntity } from "@mikro-orm/core";
import { Batch } from "../entities/inventory.ts";
import { money } from "./card-mapping.ts";
import type { ChangePlace } from "./change-place.ts";
import { applyChanges } from "./row-changes.ts";

type BatchEntity = InferEntity<typeof Batch>;

/** The facts of a batch that its other rows hold. */
type BatchFacts = Pick<BatchState, "cardCount" | "jobCount" | "membershipJobCount">;

const noDefaults: BatchDefaults = {
  set: null,
  game: null,
  condition: null,
  language: null,
  location: null,
  priceFloor: null,
};

/** The batches of the account whose clock is held. */
export class BatchRepository {
  readonly #place: ChangePlace;
  readonly #rows = new Map<string, BatchEntity>();

  constructor(place: ChangePlace) {
    this.#place = place;
  }

  /** @throws VaultError `batch_not_found` */
  async get(id: string): Promise<BatchState> {
    const row = await this.#row(id);
    const { code, name, status } = row;
    return {
      id: row.id,
      code,
      name,
      status,
      source: row.source ?? null,
      description: row.description ?? null,
      defaults: { ...noDefaults, ...row.defaults },
      costBasis: money(row.costBasis, this.#place.account.currency),
      acquiredAt: row.acquiredAt ?? null,
      completedAt: row.completedAt ?? null,
      ...(await this.#facts(id)),
    };
  }

  /** @throws VaultError `batch_not_found` */
  async codeOf(id: string): Promise<string> {
    return (await this.#row(id)).code;
  }

  /** Writes a new batch. Its code is the caller's: see `counters.nextBatchCode`. */
  create(state: BatchState): void {
    const { tx, accountId, stamp } = this.#place;
    const row = tx.em.create(Batch, {
      ...batchColumns(state),
      id: state.id,
      accountId,
      createdAt: stamp,
      updatedAt: stamp,
    });
    tx.em.persist(row);
    this.#rows.set(state.id, row);
  }

  /** Writes and stamps what differs; changes of its counts are other rows'. */
  save(state: BatchState): void {
    const row = this.#rows.get(state.id);
    if (row === undefined) throw new Error(`The batch ${state.id} was not loaded in this change`);
    if (applyChanges(row, batchColumns(state) as Partial<BatchEntity>)) {
      row.updatedAt = this.#place.stamp;
    }
  }

  async #row(id: string): Promise<BatchEntity> {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const { tx, accountId } = this.#place;
    const row = isId("batch", id) ? await tx.em.findOne(Batch, { id, accountId }) : null;
    if (row === null) throw new VaultError("batch_not_found");
    this.#rows.set(id, row);
    return row;
  }

  async #facts(id: string): Promise<BatchFacts> {
    const [facts] = await this.#place.tx.query<BatchFacts>(
      `select
         (select coalesce(sum(cards), 0) from card_count where account_id = $1 and batch_id = $2)
           as "cardCount",
         count(*) as "jobCount",
         count(*) filter (where changes_membership) as "membershipJobCount"
       from job where batch_id = $2 and status in ('queued', 'running', 'paused')`,
      [toUuid(this.#place.accountId), toUuid(id)],
      "batch_facts",
    );
    return facts ?? { cardCount: 0, jobCount: 0, membershipJobCount: 0 };
  }
}

function batchColumns(state: BatchState) {
  const { code, name, status, source, description, acquiredAt, completedAt } = state;
  return {
    code,
    name,
    status,
    source,
    description,
    acquiredAt,
    completedAt,
    defaults: { ...state.defaults },
    costBasis: state.costBasis?.amount ?? null,
  };
}
