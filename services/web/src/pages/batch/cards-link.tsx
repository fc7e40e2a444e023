import type { CardFilter } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** What of the inventory's filters a batch's figures lead to. */
export type BatchCardsFilter = Pick<
  CardFilter,
  "workflow_status" | "needs_review" | "has_price" | "has_photo" | "has_location"
>;

/** A link to the cards of a batch in the inventory, or to some of them. */
export function CardsLink(props: {
  batchId: string;
  filter?: BatchCardsFilter;
  className?: string;
  children: ReactNode;
}) {
  const { batchId, filter = {}, className, children } = props;
  return (
    <Link to="/inventory" search={{ batch: [batchId], ...filter }} className={className}>
      {children}
    </Link>
  );
}
