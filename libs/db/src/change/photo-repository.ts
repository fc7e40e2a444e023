import type { PhotoSide } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { ChangePlace } from "./change-place.ts";

export interface NewPhoto {
  id: string;
  cardId: string;
  side: PhotoSide;
  /** Where it stands among the card's pictures. */
  position: number;
  /** SHA-256 of the picture, by which the store finds it. */
  contentHash: Uint8Array;
  width: number;
  height: number;
}

/** A photo of a card as its row says. */
export type CardPhoto = Omit<NewPhoto, "cardId">;

/** The photos of cards of the account whose clock is held. What they make of a card is the caller's rule. */
export class PhotoRepository {
  readonly #place: ChangePlace;

  constructor(place: ChangePlace) {
    this.#place = place;
  }

  /** Writes photos of cards that the database has by now: flush a new card first. */
  async add(photos: readonly NewPhoto[]): Promise<void> {
    if (photos.length === 0) return;
    const { tx, accountId, stamp, recorder } = this.#place;
    await tx.query(
      `insert into photo (id, account_id, card_id, side, position, content_hash, width, height, created_at)
       select n.id, $1, n.card_id, n.side, n.position, decode(n.hash, 'hex'), n.width, n.height, $2
       from unnest($3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::text[], $8::int[], $9::int[])
         as n (id, card_id, side, position, hash, width, height)`,
      [
        toUuid(accountId),
        stamp,
        photos.map(({ id }) => toUuid(id, "img")),
        photos.map(({ cardId }) => toUuid(cardId, "card")),
        photos.map(({ side }) => side),
        photos.map(({ position }) => position),
        photos.map(({ contentHash }) => Buffer.from(contentHash).toString("hex")),
        photos.map(({ width }) => width),
        photos.map(({ height }) => height),
      ],
      "photos_insert",
    );
    for (const { id, cardId, side } of photos) recorder.photoAdded(cardId, { id, side });
  }

  /** A card's photos in their order. */
  async list(cardId: string): Promise<CardPhoto[]> {
    const { tx, accountId } = this.#place;
    const rows = await tx.query<CardPhoto>(
      `select id, side, position, content_hash as "contentHash", width, height from photo
       where account_id = $1 and card_id = $2 order by position, id`,
      [toUuid(accountId), toUuid(cardId, "card")],
      "photos_list",
    );
    return rows.map((row) => ({ ...row, id: toId("img", row.id) }));
  }

  /**
   * Gives photos that were uploaded and belong to no card to a card that the database has by now: those
   * of one import, or those of none. Answers the ids of those that there were.
   */
  async attach(
    photos: readonly Pick<NewPhoto, "id" | "cardId" | "side" | "position">[],
    importId: string | null = null,
  ): Promise<Set<string>> {
    const { tx, accountId, recorder } = this.#place;
    const rows = await tx.query<{ id: string }>(
      `update photo p set card_id = n.card_id, side = n.side, position = n.position
       from unnest($2::uuid[], $3::uuid[], $4::text[], $5::int[]) as n (id, card_id, side, position)
       where p.id = n.id and p.account_id = $1 and p.card_id is null
         and not exists (select 1 from photo_import_file f
           where f.photo_id = p.id and f.import_id is distinct from $6) returning p.id`,
      [
        toUuid(accountId),
        photos.map(({ id }) => toUuid(id, "img")),
        photos.map(({ cardId }) => toUuid(cardId, "card")),
        photos.map(({ side }) => side),
        photos.map(({ position }) => position),
        importId === null ? null : toUuid(importId, "pim"),
      ],
      "photos_attach",
    );
    const attached = new Set(rows.map(({ id }) => toId("img", id)));
    for (const { id, cardId, side } of photos) {
      if (attached.has(id)) recorder.photoAdded(cardId, { id, side });
    }
    return attached;
  }

  /** Gives photos of a card, as `list` has them, new sides and places. */
  async arrange(
    cardId: string,
    before: readonly CardPhoto[],
    after: readonly Pick<CardPhoto, "id" | "side" | "position">[],
  ): Promise<void> {
    const { tx, accountId, recorder } = this.#place;
    await tx.query(
      `update photo p set side = n.side, position = n.position
       from unnest($3::uuid[], $4::text[], $5::int[]) as n (id, side, position)
       where p.id = n.id and p.account_id = $1 and p.card_id = $2`,
      [
        toUuid(accountId),
        toUuid(cardId, "card"),
        after.map(({ id }) => toUuid(id, "img")),
        after.map(({ side }) => side),
        after.map(({ position }) => position),
      ],
      "photos_arrange",
    );
    for (const { id, side } of after) {
      const known = before.find((photo) => photo.id === id);
      if (known === undefined || known.side === side) continue;
      recorder.photoRemoved(cardId, { id, side: known.side });
      recorder.photoAdded(cardId, { id, side });
    }
  }

  /** Removes a card's photos. Answers those that there were; their pictures stay in the store. */
  async remove(cardId: string, ids: readonly string[]): Promise<{ id: string; side: PhotoSide }[]> {
    const { tx, accountId, recorder } = this.#place;
    const rows = await tx.query<{ id: string; side: PhotoSide }>(
      `delete from photo where account_id = $1 and card_id = $2 and id = any ($3::uuid[])
       returning id, side`,
      [toUuid(accountId), toUuid(cardId, "card"), ids.map((id) => toUuid(id, "img"))],
      "photos_delete",
    );
    const photos = rows.map(({ id, side }) => ({ id: toId("img", id), side }));
    for (const photo of photos) recorder.photoRemoved(cardId, photo);
    return photos;
  }
}
