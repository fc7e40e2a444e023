import type { SalesListing } from "@cardvault/contract";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { trpcClient } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { counted } from "../../parts/words.ts";
import { refreshSales, startListingJob } from "./refresh-sales.ts";

/** Asks before live listings are ended: one is ended by itself, several by a job. */
export function EndDialog(props: {
  opened: boolean;
  rows: readonly SalesListing[];
  onClose: () => void;
  onDone: () => void;
}) {
  const { opened, rows, onClose, onDone } = props;
  const end = useMutation({
    mutationFn: async () => {
      const [only] = rows.length === 1 ? rows : [];
      if (only === undefined) await startListingJob(rows, { type: "end_listings" });
      else {
        await trpcClient.listings.end.mutate({ id: only.listing.id });
        notifications.show({ message: "The listing is being ended." });
      }
    },
    onSuccess: async () => {
      onDone();
      await refreshSales();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={`End ${counted(rows.length, "listing")}?`}
      confirm="End"
      isPending={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={() => {
        end.reset();
        onClose();
      }}
    >
      eBay takes {rows.length === 1 ? "it" : "them"} down, and the cards go back to where they
      stood. Publishing again makes a new listing.
    </ConfirmDialog>
  );
}
