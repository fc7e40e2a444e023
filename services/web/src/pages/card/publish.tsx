import type { Card, Listing } from "@cardvault/contract";
import { Button, Modal } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { PublishForm } from "./publish-form.tsx";
import { refreshListings } from "./refresh-listings.ts";

const openStatuses: readonly Listing["status"][] = ["publishing", "live"];

/** Publishes the card, after showing as what, or what keeps it from being published. */
export function PublishButton({ card, listings }: { card: Card; listings: readonly Listing[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const isListed = listings.some(({ status }) => openStatuses.includes(status));
  if (isListed || card.quantity === 0) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        Publish
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} size="lg" title="Publish on eBay">
        {isOpen ? <PublishForm card={card} onClose={() => setIsOpen(false)} /> : null}
      </Modal>
    </>
  );
}

/** What can be done to one listing here; its price and texts are revised with the sales. */
export function ListingActions({ cardId, listing }: { cardId: string; listing: Listing }) {
  const [isAsking, setIsAsking] = useState(false);
  const onSuccess = async (): Promise<void> => {
    setIsAsking(false);
    await refreshListings(cardId);
  };
  const end = useMutation(trpc.listings.end.mutationOptions({ onSuccess }));
  const retry = useMutation(trpc.listings.retry.mutationOptions({ onSuccess }));
  const cancel = useMutation(trpc.listings.cancelPublishing.mutationOptions({ onSuccess }));
  const { id, status } = listing;
  return (
    <div>
      {status === "live" ? (
        <Button size="compact-xs" variant="default" onClick={() => setIsAsking(true)}>
          End
        </Button>
      ) : null}
      {status === "failed" ? (
        <Button
          size="compact-xs"
          variant="default"
          loading={retry.isPending}
          onClick={() => retry.mutate({ id })}
        >
          Publish again
        </Button>
      ) : null}
      {status === "publishing" ? (
        <Button
          size="compact-xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ id })}
        >
          Cancel publishing
        </Button>
      ) : null}
      <ProblemNote error={retry.error ?? cancel.error} />
      <ConfirmDialog
        opened={isAsking}
        title="End this listing"
        confirm="End it"
        isPending={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate({ id })}
        onClose={() => setIsAsking(false)}
      >
        Nobody can buy the card on eBay any more. It can be published again.
      </ConfirmDialog>
    </div>
  );
}
