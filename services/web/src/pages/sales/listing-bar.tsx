import type { SalesListing } from "@cardvault/contract";
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { counted } from "../../parts/words.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import type { ListingTab } from "./listings-panel.tsx";
import { attempt, startListingJob } from "./refresh-sales.ts";
import { ReviseDialog } from "./revise-dialog.tsx";

/** What can be done to the listings that are selected. */
export function ListingBar(props: {
  tab: ListingTab;
  shown: number;
  selected: readonly SalesListing[];
  onDone: () => void;
}) {
  const { tab, shown, selected, onDone } = props;
  const [asked, setAsked] = useState<"end" | "revise" | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const live = selected.filter(({ listing }) => listing.status === "live");
  async function run(
    words: { one: string; failed: string },
    of: readonly SalesListing[],
    work: { one: (id: string) => Promise<unknown>; many: Parameters<typeof startListingJob>[1] },
  ): Promise<void> {
    setIsBusy(true);
    const [first] = of.length === 1 ? of : [];
    const isDone = await attempt(words.failed, () =>
      first === undefined ? startListingJob(of, work.many) : work.one(first.listing.id),
    );
    setIsBusy(false);
    setAsked(null);
    if (!isDone) return;
    if (first !== undefined) notifications.show({ message: words.one });
    onDone();
  }
  const end = () =>
    run({ one: "The listing is being ended.", failed: "It was not ended" }, live, {
      one: (id) => trpcClient.listings.end.mutate({ id }),
      many: { type: "end_listings" },
    });
  const retry = () =>
    run({ one: "The card is being published.", failed: "It was not published" }, selected, {
      one: (id) => trpcClient.listings.retry.mutate({ id }),
      many: { type: "publish_listings" },
    });
  return (
    <div className="bulk-bar">
      <Text component="output">
        {selected.length > 0 ? `${selected.length} selected` : counted(shown, "listing")}
      </Text>
      <Group gap="xs" ml="auto">
        {tab === "live" ? (
          <>
            <Button
              size="xs"
              variant="default"
              disabled={live.length === 0 || isBusy}
              onClick={() => setAsked("revise")}
            >
              Revise…
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={live.length === 0 || isBusy}
              onClick={() => setAsked("end")}
            >
              End…
            </Button>
          </>
        ) : null}
        {tab === "failed" ? (
          <Button
            size="xs"
            variant="default"
            disabled={selected.length === 0}
            loading={isBusy}
            onClick={() => void retry()}
          >
            Publish again
          </Button>
        ) : null}
      </Group>
      <ConfirmDialog
        opened={asked === "end"}
        title={`End ${counted(live.length, "listing")}?`}
        confirm="End"
        isPending={isBusy}
        error={null}
        onConfirm={() => void end()}
        onClose={() => setAsked(null)}
      >
        eBay takes {live.length === 1 ? "it" : "them"} down, and the cards go back to where they
        stood. Publishing again makes a new listing.
      </ConfirmDialog>
      <ReviseDialog
        opened={asked === "revise"}
        rows={live}
        onClose={() => setAsked(null)}
        onDone={() => {
          setAsked(null);
          onDone();
        }}
      />
    </div>
  );
}
