import { card, cardUpdateInput, VaultError } from "@cardvault/contract";
import type { Card, CardPatch } from "@cardvault/contract";
import { changeAccount, getCard } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import type { Access, Context } from "../context.ts";
import { compiled, documented } from "../procedures.ts";
import type { Services } from "../services.ts";
import { cardPatchFrom } from "./card-patch.ts";
import { requireMatch } from "./if-match.ts";
import { writeOutcome } from "./write-outcome.ts";

/**
 * Applies a PATCH to a card. The answer is the card as it is read in the same transaction.
 * @throws VaultError `card_not_found`; `precondition_failed`; `validation_failed`;
 * `invalid_transition`; `conflict` for a SKU that another card has.
 */
async function updateCard(
  { db, clock, photoUrls }: Pick<Services, "db" | "clock" | "photoUrls">,
  access: Access,
  { id, ...patch }: CardPatch & { id: string },
  { ifMatch, recordAnswer }: Pick<Context, "ifMatch" | "recordAnswer"> = {},
): Promise<Card> {
  const { accountId } = access;
  // Looked at before the account's clock is taken: a malformed id costs nobody anything.
  if (!isId("card", id)) throw new VaultError("card_not_found");
  return changeAccount(db, { accountId, clock, by: access, recordAnswer }, async (unit) => {
    const before = await unit.cards.get(id);
    requireMatch(ifMatch, before.version);
    const accountCurrency = unit.account.currency;
    const command = { type: "edit", patch: cardPatchFrom(patch), accountCurrency } as const;
    const outcome = decideCard(before, command, unit.stamp);
    unit.cards.save(outcome.state);
    await writeOutcome(db, unit, access, outcome);
    await unit.tx.em.flush();
    return getCard(unit.tx, accountId, id, photoUrls.urlOf);
  });
}

export const updateCardProcedure = documented({
  openapi: {
    method: "PATCH",
    path: "/cards/{id}",
    summary: "Update a card: identification, pricing, location",
    description:
      "Applied in this order: identification, price, the rest, then the workflow status. A PATCH " +
      "that changes nothing keeps `version` and `updated_at`.",
    tags: ["Cards"],
  },
  limitClass: "write",
  scopes: ["cards:write"],
  etag: true,
  idempotent: true,
  errors: ["conflict", "invalid_transition", "already_listed"],
  notFoundCode: "card_not_found",
})
  .input(cardUpdateInput)
  .output(compiled(card))
  .mutation(({ ctx, input }) => updateCard(ctx.services, ctx.access, input, ctx));
