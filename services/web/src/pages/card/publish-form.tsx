import type { Card, PreviewPublish, PreviewTemplate } from "@cardvault/contract";
import { Button, Group, Skeleton, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "../../app/problem.ts";
import { trpc, trpcClient } from "../../app/trpc.ts";
import { Fact, Facts } from "../../parts/facts.tsx";
import { OwnTextsForm } from "../../parts/listing-texts/own-texts-form.tsx";
import { mostTitleLength, TitleLength } from "../../parts/listing-texts/texts-preview.tsx";
import { formatMoney } from "../../parts/money.ts";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { refreshListings } from "./refresh-listings.ts";
import { aboveCard } from "./texts-button.tsx";

/** What eBay takes of a description, in characters. */
const mostDescriptionLength = 10_000;

type Seen = { publish: PreviewPublish; texts: PreviewTemplate };
/** Words of this listing alone. Null: what the templates make. */
interface OwnWords {
  title: string | null;
  description: string | null;
}

/** As what the card would be published, in words that may be its listing's own, or what keeps it from that. */
export function PublishForm({ card, onClose }: { card: Card; onClose: () => void }) {
  const [isTemplates, setIsTemplates] = useState(false);
  const [words, setWords] = useState<OwnWords>({ title: null, description: null });
  const preview = useQuery({
    queryKey: [...trpc.listings.previewPublish.mutationKey(), card.id, card.version],
    // Both write nothing; as mutations their bodies may be longer than an address.
    queryFn: async (): Promise<Seen> => {
      const [publish, texts] = await Promise.all([
        trpcClient.listings.previewPublish.mutate({ selection: { ids: [card.id] }, rows: 1 }),
        trpcClient.listings.previewTemplate.mutate({ card_id: card.id }),
      ]);
      return { publish, texts };
    },
    staleTime: 0,
  });
  if (isTemplates) {
    return (
      <OwnTextsForm
        of={{ card_id: card.id }}
        above={aboveCard(card)}
        card={card}
        cancel="Back"
        onClose={() => setIsTemplates(false)}
      />
    );
  }
  if (preview.isPending) return <Skeleton height={320} aria-busy="true" />;
  if (preview.data === undefined) {
    return (
      <ProblemPanel
        error={preview.error}
        what="What would be published"
        onRetry={() => void preview.refetch()}
      />
    );
  }
  return (
    <Shown
      {...{ card, words, onClose }}
      seen={preview.data}
      onWords={setWords}
      onTemplates={() => setIsTemplates(true)}
    />
  );
}

function Shown(props: {
  card: Card;
  seen: Seen;
  words: OwnWords;
  onWords: (words: OwnWords) => void;
  onTemplates: () => void;
  onClose: () => void;
}) {
  const { card, words, onWords, onClose } = props;
  const { publish: found, texts } = props.seen;
  const publish = useMutation(
    trpc.listings.publish.mutationOptions({
      onSuccess: async () => {
        onClose();
        await refreshListings(card.id);
      },
    }),
  );
  const row = found.rows[0];
  const title = words.title ?? texts.title;
  const isOwn = words.title !== null || words.description !== null;
  // A title of its own is one, whatever the templates make; a card without one is not published at all.
  const problems = (row?.problems ?? []).filter(
    ({ path }) => path !== "title" || words.title === null || card.title === null,
  );
  const isReady = row !== undefined && problems.length === 0 && title.trim() !== "";
  const refused = problemOf(publish.error).details;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        publish.mutate({
          cardId: card.id,
          ...(words.title === null ? {} : { title: words.title.trim() }),
          ...(words.description === null ? {} : { description: words.description }),
        });
      }}
    >
      <Stack gap="md">
        {row === undefined ? (
          <p className="cell-sub">The card has a listing already.</p>
        ) : (
          <>
            <div>
              <TextInput
                label="Title"
                maxLength={mostTitleLength}
                value={title}
                error={words.title?.trim() === "" ? "A listing needs a title" : undefined}
                data-autofocus
                onChange={({ currentTarget: { value } }) =>
                  onWords({ ...words, title: value === texts.title ? null : value })
                }
              />
              <TitleLength title={title} dropped={words.title === null ? texts.dropped : []} />
            </div>
            <Textarea
              label="Description"
              autosize
              minRows={3}
              maxRows={10}
              maxLength={mostDescriptionLength}
              value={words.description ?? texts.description}
              onChange={({ currentTarget: { value } }) =>
                onWords({ ...words, description: value === texts.description ? null : value })
              }
            />
            <Group gap="xs" justify="space-between">
              <output className="cell-sub">
                {isOwn
                  ? "Other words than the templates make, for this listing alone."
                  : "As the templates make them."}
              </output>
              <Group gap="xs">
                {isOwn ? (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => onWords({ title: null, description: null })}
                  >
                    Use the templates
                  </Button>
                ) : null}
                <Button size="compact-xs" variant="default" onClick={props.onTemplates}>
                  Templates of this card…
                </Button>
              </Group>
            </Group>
            <Facts>
              <Fact label="Price">{row.price === null ? "None yet" : formatMoney(row.price)}</Fact>
              <Fact label="Copies">{card.quantity.toLocaleString()}</Fact>
            </Facts>
          </>
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
          <Button type="submit" disabled={!isReady} loading={publish.isPending}>
            Publish
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
