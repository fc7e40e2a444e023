import { identificationListAnswer, identificationListInput } from "@cardvault/contract";
import type { IdentificationList } from "@cardvault/contract";
import { getCard, listIdentifications as listRows } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { identificationRecordOf } from "./record-answer.ts";

/** @throws VaultError `card_not_found`; `invalid_cursor` */
async function listIdentifications(
  { db, clock, photoUrls }: Pick<Services, "db" | "clock" | "photoUrls">,
  { accountId }: Access,
  { card_id: cardId, ...page }: { card_id: string; limit: number; cursor?: string | undefined },
): Promise<IdentificationList> {
  await getCard(db, accountId, cardId, photoUrls.urlOf);
  const found = await listRows(db, accountId, { ...page, cardId, now: clock.now() });
  return { ...found, data: found.data.map(identificationRecordOf) };
}

export const listIdentificationsProcedure = session()
  .input(identificationListInput)
  .output(identificationListAnswer)
  .query(({ ctx, input }) => listIdentifications(ctx.services, ctx.access, input));
