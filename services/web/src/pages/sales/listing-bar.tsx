import type { SalesListing } from "@cardvault/contract";
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { trpcClient } from "../../app/trpc.ts";
import { counted } from "../../parts/words.ts";
import { EndDialog } from "./end-dialog.tsx";
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
  async function retry(): Promise<void> {
    setIsBusy(true);
    const [only] = selected.length === 1 ? selected : [];
    const isDone = await attempt("It was not published", () =>
      only === undefined
        ? startListingJob(selected, { type: "publish_listings" })
        : trpcClient.listings.retry.mutate({ id: only.listing.id }),
    );
    setIsBusy(false);
    if (!isDone) return;
    if (only !== undefined) notifications.show({ message: "The card is being published." });
    onDone();
  }
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
      <EndDialog
        opened={asked === "end"}
        rows={live}
        onClose={() => setAsked(null)}
        onDone={() => {
          setAsked(null);
          onDone();
        }}
      />
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
