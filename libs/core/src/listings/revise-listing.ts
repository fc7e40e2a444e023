import { listingDetail, listingReviseInput, VaultError } from "@cardvault/contract";
import type { ErrorDetail, ListingDetail, ListingRevise, RevisionPart } from "@cardvault/contract";
import { findPublication } from "@cardvault/db";
import type { WantedRevision } from "@cardvault/db";
import type { CardState, ListingState } from "@cardvault/domain";
import type { Access } from "../context.ts";
import { readSellerFacts } from "../marketplace/publish/seller-facts.ts";
import type { SellerFacts } from "../marketplace/publish/seller-facts.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { requireCurrency } from "./begin-publication.ts";
import { changeOwnListing, requireStatus } from "./listing-detail.ts";
import { askForRevision } from "./listing-jobs.ts";
import { planListing } from "./plan-listing.ts";
import type { CardSurroundings } from "./plan-listing.ts";
import { readSurroundings } from "./surroundings.ts";

type Asked = Omit<ListingRevise, "id">;

/**
 * Asks for a live listing to be given something else. A job brings it; where the marketplace refuses, its
 * error stands on the listing.
 * @throws VaultError `listing_not_found`; `invalid_transition` for one that is not live, or is being
 * withdrawn; `card_not_publishable` with every rule that it would fail; `validation_failed`
 */
async function reviseListing(
  services: Services,
  access: Access,
  { id, ...asked }: ListingRevise,
): Promise<ListingDetail> {
  const seller = await readSellerFacts(services, access.accountId);
  return changeOwnListing(services, access, id, async (unit, listing, card) => {
    requireStatus(listing, "live", "Only a live listing can be revised.");
    requireCurrency(asked, unit.account.currency);
    const publication = await findPublication(unit.tx, unit.accountId, id);
    if (publication?.withdrawReason != null) {
      throw new VaultError("invalid_transition", { message: "The listing is being withdrawn." });
    }
    const surroundings = await readSurroundings(unit.tx, unit.accountId, [card.id]);
    const wanted = wantedOf(asked, { listing, card, surroundings: surroundings(card), seller });
    const place = { listingId: id, isPublishing: false };
    await askForRevision(services.db, unit, access.actor, place, wanted);
  });
}

interface Revised {
  listing: ListingState;
  card: CardState;
  surroundings: CardSurroundings;
  seller: SellerFacts;
}

/** Rules that say something of what a revision can bring; the others held when it was published. */
const parts: Readonly<Record<string, RevisionPart>> = {
  price: "price",
  title: "title",
  photos: "photos",
  condition: "condition",
  grading: "condition",
  quantity: "quantity",
};

/**
 * What a revision is to bring, by the request and by the card.
 * @throws VaultError `card_not_publishable` with every rule that what it brings would fail
 */
export function wantedOf(
  { refresh, price, title, description }: Asked,
  { listing, card, surroundings, seller }: Revised,
): WantedRevision {
  const isFresh = (part: RevisionPart): true | undefined => refresh.includes(part) || undefined;
  const kept = { title: listing.title, price: listing.price };
  const given = {
    title: title ?? (isFresh("title") ? undefined : kept.title),
    price: price ?? (isFresh("price") ? undefined : kept.price),
    description,
  };
  const plan = planListing(card, given, surroundings, seller);
  const brings = new Set<string>(refresh);
  if (price !== undefined) brings.add("price");
  if (title !== undefined) brings.add("title");
  const details: ErrorDetail[] = plan.problems.filter(({ path }) => {
    const part = parts[path.split(".")[0] ?? ""];
    return part !== undefined && brings.has(part);
  });
  if (details.length > 0) throw new VaultError("card_not_publishable", { details });
  return {
    price: brings.has("price") ? (plan.price ?? undefined) : undefined,
    title: brings.has("title") ? plan.title : undefined,
    description: description !== undefined || isFresh("description") ? plan.description : undefined,
    quantity: isFresh("quantity"),
    photos: isFresh("photos"),
    condition: isFresh("condition"),
  };
}

export const reviseListingProcedure = session()
  .input(listingReviseInput)
  .output(listingDetail)
  .mutation(({ ctx, input }) => reviseListing(ctx.services, ctx.access, input));
