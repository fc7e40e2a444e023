import type { SalesListing } from "@cardvault/contract";
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { counted } from "../../parts/words.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import type { ListingTab } from "./listings-panel.tsx";
import { doEach } from "./refresh-sales.ts";
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
  async function run(work: () => Promise<void>): Promise<void> {
    setIsBusy(true);
    await work();
    setIsBusy(false);
    setAsked(null);
    onDone();
  }
  const end = () =>
    run(async () => {
      const done = await doEach(live, "A listing was not ended", ({ listing }) =>
        trpcClient.listings.end.mutate({ id: listing.id }),
      );
      if (done > 0) notifications.show({ message: `${counted(done, "listing")} being ended.` });
    });
  const retry = () =>
    run(async () => {
      const done = await doEach(selected, "A card was not published again", ({ listing }) =>
        trpcClient.listings.retry.mutate({ id: listing.id }),
      );
      if (done > 0) notifications.show({ message: `${counted(done, "card")} being published.` });
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
