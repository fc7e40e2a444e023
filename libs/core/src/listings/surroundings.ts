import { readListingPhotos, readTemplates } from "@cardvault/db";
import type { Queryable } from "@cardvault/db";
import type { CardState } from "@cardvault/domain";
import type { CardSurroundings } from "./plan-listing.ts";

/** The templates and photos of cards, read for all of them at once. */
export async function readSurroundings(
  db: Queryable,
  accountId: string,
  cardIds: readonly string[],
): Promise<(card: Pick<CardState, "id">) => CardSurroundings> {
  const templates = await readTemplates(db, accountId, { cardIds });
  const photos = await readListingPhotos(db, accountId, cardIds);
  return ({ id }) => ({ templates, photoIds: photos.get(id) ?? [] });
}
