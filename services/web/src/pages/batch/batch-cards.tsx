import type { Batch, CardRow } from "@cardvault/contract";
import { Skeleton, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { CardPicture } from "../../parts/card-picture.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { LinkButton } from "../../parts/link-button.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { CardsLink } from "./cards-link.tsx";

const shownCards = 24;

/** The latest cards of a batch; all of them stand in the inventory. */
export function BatchCards({ batch }: { batch: Batch }) {
  const cards = useQuery({
    // Beneath `cards`, so that what others change of them shows.
    queryKey: [...trpc.cards.rows.pathKey(), { batch: batch.id }],
    queryFn: async ({ signal }): Promise<readonly CardRow[]> => {
      const filter = { batch: [batch.id] };
      const { ids, count } = await trpcClient.cards.ids.query(
        { filter, limit: shownCards },
        { signal },
      );
      if (count === 0) return [];
      return (await trpcClient.cards.rows.query({ ids }, { signal })).data;
    },
  });
  return (
    <section aria-labelledby="cards">
      <div className="batch-cards-head">
        <Title order={2} id="cards">
          Latest cards
        </Title>
        <CardsLink batchId={batch.id}>All in the inventory</CardsLink>
      </div>
      <div className="panel">
        {cards.isPending ? (
          <div className="batch-cards" aria-busy="true">
            {Array.from({ length: 8 }, (_, at) => (
              <Skeleton key={at} height={134} />
            ))}
          </div>
        ) : cards.data === undefined ? (
          <ProblemPanel error={cards.error} what="The cards" onRetry={() => void cards.refetch()} />
        ) : cards.data.length === 0 ? (
          <EmptyState
            title="No cards yet"
            action={
              batch.status === "complete" ? undefined : (
                <LinkButton to="/import" search={{ batch: batch.id }}>
                  Add photos
                </LinkButton>
              )
            }
          >
            Drop photos of its cards, import a list into it, or put cards into it from the
            inventory.
          </EmptyState>
        ) : (
          <ul className="batch-cards">
            {cards.data.map((card) => (
              <li key={card.id}>
                <Link to="/inventory/$id" params={{ id: card.id }} search={{ batch: [batch.id] }}>
                  <CardPicture card={card} size="fill" />
                  <span className="clip">{card.title ?? "Not identified"}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
