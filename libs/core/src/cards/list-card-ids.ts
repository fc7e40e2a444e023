import {
  cardAnchorsAnswer,
  cardAnchorsInput,
  cardIdsAnswer,
  cardIdsInput,
  openPackedIds,
} from "@cardvault/contract";
import type { CardIds, CardIdsInput, CardRow } from "@cardvault/contract";
import { listCardAnchors, listCardIds, listCardRows } from "@cardvault/db";
import type { Access } from "../context.ts";
import { compiled, session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * The ids of a list, and the rows of as many of the first as are asked for. A card that is removed between
 * the two has an id and no row.
 * @throws VaultError `invalid_cursor`
 */
async function listIds(
  { db, photoUrls }: Pick<Services, "db" | "photoUrls">,
  { accountId }: Access,
  input: CardIdsInput & { rows: number },
): Promise<CardIds & { rows: CardRow[] }> {
  const listed = await listCardIds(db, accountId, input);
  if (input.rows === 0) return { ...listed, rows: [] };
  const ids = openPackedIds("card", listed.ids);
  const wanted = Array.from({ length: Math.min(input.rows, ids.length) }, (_, place) =>
    ids.at(place),
  );
  return { ...listed, rows: await listCardRows(db, accountId, wanted, photoUrls.urlOf) };
}

export const cardIdsProcedure = session()
  .input(cardIdsInput)
  .output(compiled(cardIdsAnswer))
  .query(({ ctx, input }) => listIds(ctx.services, ctx.access, input));

export const cardAnchorsProcedure = session()
  .input(cardAnchorsInput)
  .output(cardAnchorsAnswer)
  .query(({ ctx, input }) => listCardAnchors(ctx.services.db, ctx.access.accountId, input));
