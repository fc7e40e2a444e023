import type { ListingDetail, RevisionPart } from "@cardvault/contract";
import { revisionParts, VaultError } from "@cardvault/contract";
import { changeAccount, findPublication, getListing } from "@cardvault/db";
import type { AccountUnit, Publication, Queryable } from "@cardvault/db";
import type { CardState, ListingState } from "@cardvault/domain";
import { isId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";

/**
 * A listing, and how far its publication and its revisions are.
 * @throws VaultError `listing_not_found`
 */
export async function readListingDetail(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<ListingDetail> {
  const listing = await getListing(db, accountId, id);
  const publication = await findPublication(db, accountId, id);
  return { listing, publication: publication && publicationAnswer(publication) };
}

function publicationAnswer(publication: Publication): NonNullable<ListingDetail["publication"]> {
  const { step, tries, nextTryAt, deadlineAt, cancelRequestedAt, withdrawReason } = publication;
  const wanted = publication.wanted ?? {};
  return {
    step,
    tries,
    next_try_at: nextTryAt?.toISOString() ?? null,
    deadline_at: deadlineAt.toISOString(),
    is_cancelling: cancelRequestedAt !== null,
    is_withdrawing: withdrawReason !== null,
    pending: revisionParts.filter((part: RevisionPart) => wanted[part] !== undefined),
  };
}

/**
 * A change that a person asks of one listing, in one commit; answers the listing as it is then.
 * @throws VaultError `listing_not_found`; and what `change` throws
 */
export async function changeOwnListing(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  id: string,
  change: (unit: AccountUnit, listing: ListingState, card: CardState) => Promise<string | void>,
): Promise<ListingDetail> {
  if (!isId("lst", id)) throw new VaultError("listing_not_found");
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const listing = await unit.listings.get(id);
    const card = await unit.cards.get(listing.cardId);
    const answered = await change(unit, listing, card);
    await unit.tx.em.flush();
    return readListingDetail(unit.tx, accountId, answered ?? id);
  });
}

/** @throws VaultError `invalid_transition` */
export function requireStatus(
  { status }: ListingState,
  wanted: ListingState["status"],
  sentence: string,
): void {
  if (status === wanted) return;
  throw new VaultError("invalid_transition", { message: `${sentence} It is ${status}.` });
}
