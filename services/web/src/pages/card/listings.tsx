import type { Card, Listing, ListingStatus } from "@cardvault/contract";
import { Group, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  IconAlertTriangle,
  IconBuildingStore,
  IconCircleCheck,
  IconCircleMinus,
  IconLoader,
} from "@tabler/icons-react";
import type { Icon } from "@tabler/icons-react";
import { trpc } from "../../app/trpc.ts";
import { Chip } from "../../parts/chip.tsx";
import type { Tone } from "../../parts/chip.tsx";
import { ListingReason } from "../../parts/listing-reason.tsx";
import { formatMoney } from "../../parts/money.ts";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { ListingActions, PublishButton } from "./publish.tsx";
import { TextsButton } from "./texts-button.tsx";

const whilePublishingMs = 2_000;

const chips: Record<ListingStatus, { words: string; tone: Tone; icon: Icon }> = {
  publishing: { words: "Publishing", tone: "busy", icon: IconLoader },
  live: { words: "Live", tone: "good", icon: IconBuildingStore },
  sold: { words: "Sold", tone: "good", icon: IconCircleCheck },
  ended: { words: "Ended", tone: "quiet", icon: IconCircleMinus },
  failed: { words: "Refused", tone: "bad", icon: IconAlertTriangle },
};

/** Where the card is or was offered, the latest first. */
export function Listings({ card }: { card: Card }) {
  const listings = useQuery(
    trpc.listings.list.queryOptions(
      { card: [card.id] },
      {
        // Live messages say it at once; this is for when there are none.
        refetchInterval: ({ state }) =>
          state.data?.data.some(({ status }) => status === "publishing") === true
            ? whilePublishingMs
            : false,
      },
    ),
  );
  const rows = listings.data?.data ?? [];
  return (
    <section aria-labelledby="listings">
      <SectionHead id="listings" title="Listings">
        <Group gap="xs">
          <TextsButton card={card} />
          {listings.data === undefined ? null : <PublishButton card={card} listings={rows} />}
        </Group>
      </SectionHead>
      <div className="panel">
        {listings.isPending ? (
          <div className="fact-panel">
            <Skeleton height={20} />
          </div>
        ) : listings.data === undefined ? (
          <ProblemPanel
            error={listings.error}
            what="The listings"
            onRetry={() => void listings.refetch()}
          />
        ) : rows.length === 0 ? (
          <p className="fact-panel cell-sub">The card has never been published.</p>
        ) : (
          <ul className="card-list">
            {rows.map((listing) => (
              <li key={listing.id}>
                <OneListing listing={listing} />
                <ListingActions cardId={card.id} listing={listing} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function OneListing({ listing }: { listing: Listing }) {
  const { words, tone, icon } = chips[listing.status];
  const at = listing.sold_at ?? listing.ended_at ?? listing.published_at ?? listing.updated_at;
  return (
    <span>
      <Chip tone={tone} icon={icon}>
        {words}
      </Chip>{" "}
      {listing.url === null ? (
        listing.title
      ) : (
        <a href={listing.url} target="_blank" rel="noreferrer">
          {listing.title}
        </a>
      )}
      <span className="cell-sub wrap">
        {formatMoney(listing.sold_price ?? listing.price)} · eBay · <RelativeTime at={at} />
        {listing.error === null ? null : (
          <>
            {" · "}
            <ListingReason message={listing.error.message} />
          </>
        )}
      </span>
    </span>
  );
}
