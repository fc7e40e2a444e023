import {
  cardRowsAnswer,
  cardRowsInput,
  maxPageSize,
  openPackedIds,
  VaultError,
} from "@cardvault/contract";
import type { CardRow, PackedIds } from "@cardvault/contract";
import { listCardRows } from "@cardvault/db";
import type { Access } from "../context.ts";
import { compiled, session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * The rows of a window, in the order of its ids. An id of another account has no row, like one that never was.
 * @throws VaultError `validation_failed` where the ids are not packed ids, or are too many
 */
async function listRows(
  { db, photoUrls }: Pick<Services, "db" | "photoUrls">,
  { accountId }: Access,
  packed: string,
): Promise<{ data: CardRow[] }> {
  const ids = openIds(packed);
  const wanted = Array.from({ length: ids.length }, (_, index) => ids.at(index));
  return { data: await listCardRows(db, accountId, wanted, photoUrls.urlOf) };
}

function openIds(packed: string): PackedIds {
  let reason = `At most ${maxPageSize}`;
  try {
    const ids = openPackedIds("card", packed);
    if (ids.length <= maxPageSize) return ids;
  } catch (error) {
    reason = error instanceof TypeError ? error.message : reason;
  }
  throw new VaultError("validation_failed", { details: [{ path: "ids", message: reason }] });
}

export const cardRowsProcedure = session()
  .input(cardRowsInput)
  .output(compiled(cardRowsAnswer))
  .query(({ ctx, input }) => listRows(ctx.services, ctx.access, input.ids));
