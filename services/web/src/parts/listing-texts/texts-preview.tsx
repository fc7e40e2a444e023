import type { CardFilter, CardRow, PreviewTemplate } from "@cardvault/contract";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IconScissors } from "@tabler/icons-react";
import { useState } from "react";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { CardPicture } from "../card-picture.tsx";
import type { Pictured } from "../card-picture.tsx";
import { Chip } from "../chip.tsx";
import { ProblemPanel } from "../problem-panel.tsx";

/** What eBay takes of a title, in characters. */
export const mostTitleLength = 80;
const triedCards = 20;

type Tried = Pictured & { id: string };

/** The latest cards of a batch or of the account, identified ones first, on which templates are tried one after the other. */
export function useTriedCards(batchId: string | undefined, own: Tried | undefined) {
  const [at, setAt] = useState(0);
  const cards = useQuery({
    queryKey: [...trpc.cards.rows.pathKey(), { tried: batchId ?? null }],
    enabled: own === undefined,
    queryFn: async ({ signal }): Promise<readonly CardRow[]> => {
      const latestOf = async (filter: CardFilter): Promise<readonly CardRow[]> => {
        const { ids, count } = await trpcClient.cards.ids.query(
          { filter, limit: triedCards },
          { signal },
        );
        if (count === 0) return [];
        return (await trpcClient.cards.rows.query({ ids }, { signal })).data;
      };
      const within = batchId === undefined ? {} : { batch: [batchId] };
      // A card that nobody has identified has no words to put into a template.
      const filters: CardFilter[] = [{ ...within, status: ["identified"] }, within, {}];
      for (const filter of filters) {
        const found = await latestOf(filter);
        if (found.length > 0) return found;
      }
      return [];
    },
  });
  const all: readonly Tried[] = own === undefined ? (cards.data ?? []) : [own];
  return {
    card: all[at % Math.max(1, all.length)],
    isPending: own === undefined && cards.isPending,
    next: all.length > 1 ? () => setAt(at + 1) : undefined,
  };
}

/** A card as it would be listed, with the length of its title and what that has lost. */
export function TextsPreview(props: {
  card: Tried | undefined;
  /** Undefined while it is asked for. */
  made: PreviewTemplate | undefined;
  error: unknown;
  onRetry: () => void;
  onNext: (() => void) | undefined;
}) {
  const { card, made, error, onRetry, onNext } = props;
  if (made === undefined) {
    return error === null ? (
      <Skeleton height={140} aria-busy="true" />
    ) : (
      <ProblemPanel error={error} what="The preview" onRetry={onRetry} />
    );
  }
  if (made.card_id === null || card === undefined) {
    return (
      <p className="cell-sub">Once there is a card, what the templates make of it is shown here.</p>
    );
  }
  return (
    <figure className="texts-preview" aria-label="Preview">
      <figcaption>
        <span>
          Tried on{" "}
          <Link to="/inventory/$id" params={{ id: card.id }}>
            {card.title ?? "a card that is not identified"}
          </Link>
        </span>
        {onNext === undefined ? null : (
          <Button size="compact-xs" variant="default" onClick={onNext}>
            Another card
          </Button>
        )}
      </figcaption>
      <CardPicture card={card} size="small" />
      <div className="texts-made">
        <strong>{made.title}</strong>
        <TitleLength title={made.title} dropped={made.dropped} />
        {made.description === "" ? null : <p>{made.description}</p>}
      </div>
    </figure>
  );
}

/** How much of eBay's limit a title takes, and what was left out so that it fits. */
export function TitleLength({ title, dropped }: { title: string; dropped: readonly string[] }) {
  return (
    <output className="cell-sub">
      {`${title.length} of ${mostTitleLength} characters`}
      {dropped.length === 0 ? null : (
        <>
          {" · "}
          <Chip tone="warning" icon={IconScissors}>
            {`Left out, too long: ${dropped.join(", ")}`}
          </Chip>
        </>
      )}
    </output>
  );
}
