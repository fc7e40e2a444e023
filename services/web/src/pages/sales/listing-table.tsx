import type { SalesListing } from "@cardvault/contract";
import { Checkbox } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconAlertTriangle, IconExternalLink } from "@tabler/icons-react";
import { CardPicture } from "../../parts/card-picture.tsx";
import { Chip } from "../../parts/chip.tsx";
import { ListingReason } from "../../parts/listing-reason.tsx";
import { formatAmount, formatMoney } from "../../parts/money.ts";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { counted } from "../../parts/words.ts";
import { ListingMenu } from "./listing-menu.tsx";
import type { ListingTab } from "./listings-panel.tsx";
import { endReasonWords, listingLooks } from "./sales-words.ts";

const timeWords: Record<ListingTab, string> = {
  live: "Live since",
  sold: "Sold",
  ended: "Ended",
  failed: "Failed",
};

/** Listings with their cards. Cells are plain markup: there may be thousands. */
export function ListingTable(props: {
  tab: ListingTab;
  rows: readonly SalesListing[];
  chosen: ReadonlySet<string>;
  isTest: boolean;
  onChoose: (chosen: ReadonlySet<string>) => void;
}) {
  const { tab, rows, chosen, isTest, onChoose } = props;
  const canChoose = tab === "live" || tab === "failed";
  const chosenHere = rows.filter(({ listing }) => chosen.has(listing.id)).length;
  const currency = rows[0]?.listing.price.currency ?? "";
  function choose(id: string, isChosen: boolean): void {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    onChoose(next);
  }
  return (
    <div className="table-scroll">
      <table className="rows sales-rows">
        <thead>
          <tr>
            {canChoose ? (
              <th scope="col" className="narrow">
                <Checkbox
                  aria-label="Select all that are shown"
                  checked={chosenHere === rows.length}
                  indeterminate={chosenHere > 0 && chosenHere < rows.length}
                  onChange={(event) =>
                    onChoose(
                      new Set(
                        event.currentTarget.checked ? rows.map(({ listing }) => listing.id) : [],
                      ),
                    )
                  }
                />
              </th>
            ) : null}
            <th scope="col" className="narrow">
              <span className="visually-hidden">Picture</span>
            </th>
            <th scope="col">Card</th>
            <th scope="col">State</th>
            <th scope="col" className="number">
              {tab === "sold" ? "Copies" : "Left"}
            </th>
            <th scope="col" className="number">
              {tab === "sold" ? `Sold for, ${currency}` : `Price, ${currency}`}
            </th>
            <th scope="col">{timeWords[tab]}</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.listing.id}>
              {canChoose ? (
                <td className="narrow">
                  <Checkbox
                    aria-label={`Select ${row.listing.title}`}
                    checked={chosen.has(row.listing.id)}
                    onChange={(event) => choose(row.listing.id, event.currentTarget.checked)}
                  />
                </td>
              ) : null}
              <ListingCells tab={tab} row={row} />
              <td className="narrow">
                <ListingMenu row={row} isTest={isTest} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ListingCells({ tab, row }: { tab: ListingTab; row: SalesListing }) {
  const { listing, card } = row;
  const at = tab === "live" ? listing.published_at : listing.ended_at;
  return (
    <>
      <td className="narrow">
        <CardPicture card={card} size="row" />
      </td>
      <td className="fill">
        <Link to="/inventory/$id" params={{ id: card.id }} className="sales-title">
          {listing.title}
        </Link>
        <span className="cell-sub">
          <span className="mono">{card.sku ?? "No SKU"}</span>
          {card.location === null ? "" : ` · ${card.location}`}
          {listing.url === null || tab === "failed" ? null : (
            <>
              {" · "}
              <a href={listing.url} target="_blank" rel="noreferrer">
                {listing.external_listing_id}
                <IconExternalLink size={12} aria-hidden />
                <span className="visually-hidden"> at eBay, in a new tab</span>
              </a>
            </>
          )}
        </span>
      </td>
      <td className="sales-state">
        <StateCell row={row} />
      </td>
      <td className="number">
        {tab === "sold"
          ? listing.quantity_sold.toLocaleString()
          : (listing.quantity - listing.quantity_sold).toLocaleString()}
      </td>
      <td className="number">
        {tab === "sold"
          ? formatAmount(listing.sold_price ?? listing.price)
          : formatAmount(listing.price)}
      </td>
      <td className="narrow">{at === null ? "—" : <RelativeTime at={at} />}</td>
    </>
  );
}

/** The state, and under it what is to be known of it: an error, a difference, why it ended. */
function StateCell({ row }: { row: SalesListing }) {
  const { listing, difference } = row;
  const look = listingLooks[listing.status];
  const { end_reason: reason, quantity_sold: sold, error } = listing;
  return (
    <>
      <Chip tone={look.tone} icon={look.icon}>
        {look.words}
      </Chip>
      {error === null ? null : (
        <span className="cell-sub wrap sales-trouble">
          <IconAlertTriangle size={14} aria-hidden /> <ListingReason message={error.message} />
        </span>
      )}
      {difference === null ? null : (
        <Link to="/sales" search={{ tab: "settle" }} className="cell-sub wrap sales-trouble">
          <IconAlertTriangle size={14} aria-hidden /> {differenceWords(difference)}
        </Link>
      )}
      {reason === null ? null : <span className="cell-sub">{endReasonWords[reason]}</span>}
      {listing.status === "live" && sold > 0 ? (
        <span className="cell-sub">{counted(sold, "copy", "copies")} sold</span>
      ) : null}
    </>
  );
}

/** What eBay shows that we do not. */
export function differenceWords({
  price,
  quantity,
}: NonNullable<SalesListing["difference"]>): string {
  const shows = [
    ...(price === null ? [] : [formatMoney(price)]),
    ...(quantity === null ? [] : [`${counted(quantity, "copy", "copies")} left`]),
  ];
  return `eBay shows ${shows.join(" and ")}`;
}
