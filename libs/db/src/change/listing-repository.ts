import { VaultError } from "@cardvault/contract";
import type { ListingState } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import type { InferEntity } from "@mikro-orm/core";
import { Listing } from "../entities/inventory.ts";
import { money } from "./card-mapping.ts";
import type { ChangePlace } from "./change-place.ts";
import { applyChanges } from "./row-changes.ts";

type ListingEntity = InferEntity<typeof Listing>;

const sameNames = [
  "cardId",
  "marketplace",
  "status",
  "externalListingId",
  "url",
  "title",
  "description",
  "categoryId",
  "format",
  "quantity",
  "quantitySold",
  "publishedAt",
  "endedAt",
  "endReason",
  "soldAt",
  "orderId",
  "error",
  "lastSyncedAt",
] as const satisfies readonly (keyof ListingState & keyof ListingEntity)[];

/** The listings of the account whose clock is held. */
export class ListingRepository {
  readonly #place: ChangePlace;
  readonly #rows = new Map<string, ListingEntity>();
  /** As the rows say. */
  readonly #states = new Map<string, ListingState>();

  constructor(place: ChangePlace) {
    this.#place = place;
  }

  /** @throws VaultError `listing_not_found` */
  async get(id: string): Promise<ListingState> {
    const { tx, accountId, account } = this.#place;
    const row = isId("lst", id) ? await tx.em.findOne(Listing, { id, accountId }) : null;
    if (row === null) throw new VaultError("listing_not_found");
    this.#rows.set(id, row);
    const same = Object.fromEntries(sameNames.map((name) => [name, row[name] ?? null]));
    const state: ListingState = {
      ...(same as Pick<ListingState, (typeof sameNames)[number]>),
      id,
      price: { amount: row.price, currency: account.currency },
      soldPrice: money(row.soldPrice, account.currency),
    };
    this.#states.set(id, state);
    return state;
  }

  /** Writes a new listing. A second open one of a card is refused by the database: `already_listed`. */
  create(state: ListingState): void {
    const { tx, accountId, stamp, recorder } = this.#place;
    const row = tx.em.create(Listing, {
      ...listingColumns(state),
      id: state.id,
      accountId,
      createdAt: stamp,
      updatedAt: stamp,
    });
    tx.em.persist(row);
    this.#rows.set(state.id, row);
    this.#states.set(state.id, state);
    recorder.listing(null, state);
  }

  /** Writes and stamps what differs. */
  save(state: ListingState): void {
    const row = this.#rows.get(state.id);
    const before = this.#states.get(state.id);
    if (row === undefined || before === undefined) {
      throw new Error(`The listing ${state.id} was not loaded in this change`);
    }
    if (!applyChanges(row, listingColumns(state) as Partial<ListingEntity>)) return;
    row.updatedAt = this.#place.stamp;
    this.#states.set(state.id, state);
    this.#place.recorder.listing(before, state);
  }
}

function listingColumns(state: ListingState) {
  const same = Object.fromEntries(sameNames.map((name) => [name, state[name]]));
  return {
    ...(same as Pick<ListingState, (typeof sameNames)[number]>),
    price: state.price.amount,
    soldPrice: state.soldPrice?.amount ?? null,
  };
}
