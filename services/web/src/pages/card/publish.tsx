import type { Card, Listing } from "@cardvault/contract";
import { Button, Group, Modal, Skeleton, Stack } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "../../app/problem.ts";
import { queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { formatMoney } from "../../parts/money.ts";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";

const openStatuses: readonly Listing["status"][] = ["publishing", "live"];

async function refreshListings(cardId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: trpc.listings.pathKey() }),
    queryClient.invalidateQueries(trpc.cards.get.queryFilter({ id: cardId })),
    queryClient.invalidateQueries({ queryKey: trpc.cards.history.pathKey() }),
  ]);
}

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
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="Publish on eBay">
        {isOpen ? <PublishForm card={card} onClose={() => setIsOpen(false)} /> : null}
      </Modal>
    </>
  );
}

function PublishForm({ card, onClose }: { card: Card; onClose: () => void }) {
  const preview = useQuery({
    queryKey: [...trpc.listings.previewPublish.mutationKey(), card.id, card.version],
    // It writes nothing; as a mutation its body may name thousands of cards.
    queryFn: () =>
      trpcClient.listings.previewPublish.mutate({ selection: { ids: [card.id] }, rows: 1 }),
    staleTime: 0,
  });
  const publish = useMutation(
    trpc.listings.publish.mutationOptions({
      onSuccess: async () => {
        onClose();
        await refreshListings(card.id);
      },
    }),
  );
  const row = preview.data?.rows[0];
  if (preview.isPending) return <Skeleton height={120} />;
  if (preview.data === undefined) {
    return (
      <ProblemPanel
        error={preview.error}
        what="What would be published"
        onRetry={() => void preview.refetch()}
      />
    );
  }
  const problems = row?.problems ?? [];
  const refused = problemOf(publish.error).details;
  return (
    <Stack gap="md">
      {row === undefined ? (
        <p className="cell-sub">The card has a listing already.</p>
      ) : (
        <Facts>
          <Fact label="Title">
            <span className="wrap">{row.title}</span>
          </Fact>
          <Fact label="Price">{row.price === null ? "None yet" : formatMoney(row.price)}</Fact>
          <Fact label="Copies">{card.quantity.toLocaleString()}</Fact>
        </Facts>
      )}
      {problems.length === 0 ? null : (
        <div role="alert">
          <strong>It cannot be published yet</strong>
          <ul>
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{message}</li>
            ))}
          </ul>
        </div>
      )}
      <ProblemNote error={publish.error} />
      {refused.map(({ path, message }) => (
        <span key={`${path} ${message}`} className="cell-sub wrap">
          {message}
        </span>
      ))}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={row === undefined || problems.length > 0}
          loading={publish.isPending}
          onClick={() => publish.mutate({ cardId: card.id })}
        >
          Publish
        </Button>
      </Group>
    </Stack>
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
