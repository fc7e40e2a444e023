import {
  listing,
  publishAnswer,
  publishDryRun,
  publishInput,
  VaultError,
} from "@cardvault/contract";
import type { Listing, PublishDryRun, PublishRequest } from "@cardvault/contract";
import { changeAccount, getListing, lookAtAccount } from "@cardvault/db";
import type { GivenTerms } from "@cardvault/db";
import { isId } from "@cardvault/kit";
import type { Access, Context } from "../context.ts";
import { readSellerFacts } from "../marketplace/publish/seller-facts.ts";
import { compiled, documented } from "../procedures.ts";
import type { Services } from "../services.ts";
import { decidePublishing, requireCurrency, writePublishing } from "./begin-publication.ts";
import { planListing } from "./plan-listing.ts";
import { readSurroundings } from "./surroundings.ts";

/**
 * Begins to publish a card: its listing is publishing, and a job does the rest.
 * @throws VaultError `card_not_found`; `already_listed`; `card_not_publishable` with every failed rule;
 * `validation_failed` for a price in another currency
 */
export async function publishCard(
  services: Services,
  access: Access,
  cardId: string,
  given: GivenTerms,
  { recordAnswer }: Pick<Context, "recordAnswer"> = {},
): Promise<Listing> {
  const { db, clock } = services;
  const { accountId, actor } = access;
  const seller = await readSellerFacts(services, accountId);
  return changeAccount(db, { accountId, clock, by: access, recordAnswer }, async (unit) => {
    const card = await unit.cards.get(cardId);
    const surroundings = await readSurroundings(unit.tx, accountId, [cardId]);
    const plan = planListing(card, given, surroundings(card), seller);
    const begun = decidePublishing({ card, given, plan }, unit.account.currency, unit.stamp);
    unit.cards.save(begun.outcome.state);
    await writePublishing(db, unit, actor, begun, { given, now: clock.now() });
    return getListing(unit.tx, accountId, begun.listing.id);
  });
}

/**
 * Every rule that would keep a card from being published, at once. Nothing is changed.
 * @throws VaultError `card_not_found`; `already_listed`; `validation_failed`
 */
async function checkPublishing(
  services: Services,
  { accountId }: Access,
  cardId: string,
  given: GivenTerms,
): Promise<PublishDryRun> {
  const seller = await readSellerFacts(services, accountId);
  return lookAtAccount(services.db, accountId, async ({ tx, account, cards }) => {
    const card = await cards.get(cardId);
    requireCurrency(given, account.currency);
    if (card.openListing !== null) throw new VaultError("already_listed");
    const surroundings = await readSurroundings(tx, accountId, [cardId]);
    const { problems } = planListing(card, given, surroundings(card), seller);
    return { card_id: card.id, publishable: problems.length === 0, problems };
  });
}

function publish(
  services: Services,
  access: Access,
  { cardId, dry_run: isDryRun, ...given }: PublishRequest,
  context: Pick<Context, "recordAnswer">,
): Promise<Listing | PublishDryRun> {
  if (!isId("card", cardId)) throw new VaultError("card_not_found");
  return isDryRun === true
    ? checkPublishing(services, access, cardId, given)
    : publishCard(services, access, cardId, given, context);
}

export const publishProcedure = documented({
  openapi: {
    method: "POST",
    path: "/listings/{cardId}/publish",
    summary: "Publish a card to the marketplace",
    description:
      "Answers 202 with the listing in `publishing`; it goes live in the background, and fires " +
      "`listing.published` then. With `dry_run` it checks every rule and publishes nothing: 200. " +
      "An empty body is fine.",
    tags: ["Listings"],
  },
  limitClass: "write",
  scopes: ["listings:write"],
  idempotent: true,
  successStatus: 202,
  otherSuccess: {
    status: 200,
    usual: listing,
    other: publishDryRun,
    isOther: (answer) => typeof answer === "object" && answer !== null && "publishable" in answer,
    description: "Of a dry run: every rule that the card fails.",
  },
  errors: ["already_listed", "card_not_publishable"],
  notFoundCode: "card_not_found",
})
  .input(publishInput)
  .output(compiled(publishAnswer))
  .mutation(({ ctx, input }) => publish(ctx.services, ctx.access, input, ctx));
