import type { Card, IdentificationRecord, KeptCandidate } from "@cardvault/contract";
import { Button, Group, Skeleton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { reviewReasons } from "../../app/search.ts";
import { ifVersion, queryClient, trpc, trpcClient } from "../../app/trpc.ts";
import { Candidates, EvidenceTable } from "../../parts/candidates.tsx";
import {
  engineName,
  enginesWords,
  percentWords,
  reviewReasonWords,
} from "../../parts/candidates-words.ts";
import { ProblemNote, ProblemPanel } from "../../parts/problem-panel.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { SectionHead } from "../../parts/section.tsx";
import { offerCardUndo } from "../../parts/undo-card.ts";
import { counted } from "../../parts/words.ts";
import { providerErrorWords } from "../settings-integrations/provider-words.ts";
import { keepCard } from "./save-card.ts";

const shownRecords = 10;

/** The identifications of a card, the latest first. */
export function useIdentifications(cardId: string) {
  return useQuery(trpc.identifications.list.queryOptions({ card_id: cardId, limit: shownRecords }));
}

const statusWords: Record<IdentificationRecord["status"], string> = {
  running: "Under way",
  applied: "Applied to the card",
  review: "Sent to review",
  failed: "Nobody knew it",
  late: "Came too late: the card was identified meanwhile",
  interrupted: "Interrupted",
  undone: "Undone",
};

/** What was found of the card, and why it was believed or not. */
export function Identification({ card }: { card: Card }) {
  const records = useIdentifications(card.id);
  const identify = useMutation(
    trpc.identifications.identify.mutationOptions({
      onSettled: async () => {
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.identifications.list.pathKey() }),
          queryClient.invalidateQueries(trpc.cards.get.queryFilter({ id: card.id })),
          queryClient.invalidateQueries({ queryKey: trpc.cards.history.pathKey() }),
        ]);
      },
    }),
  );
  const [latest, ...earlier] = records.data?.data ?? [];
  const answer = identify.data;
  return (
    <section aria-labelledby="identification">
      <SectionHead id="identification" title="Identification">
        <Button
          size="xs"
          variant="default"
          loading={identify.isPending}
          disabled={card.photos.length === 0}
          title={card.photos.length === 0 ? "It needs a photo" : undefined}
          onClick={() => identify.mutate({ card_id: card.id })}
        >
          Identify now
        </Button>
      </SectionHead>
      <div className="panel fact-panel">
        {identify.isPending ? (
          <output>
            The photo is looked at. This takes up to 50 seconds; the page may be left.
          </output>
        ) : (
          <ProblemNote error={identify.error} />
        )}
        {answer === undefined || identify.isPending ? null : (
          <output className="cell-sub">
            {answer.identified
              ? "Sure enough."
              : "Not sure enough to be applied: it waits in the review."}
          </output>
        )}
        {records.isPending ? (
          <Skeleton height={96} />
        ) : records.data === undefined ? (
          <ProblemPanel
            error={records.error}
            what="The identifications"
            onRetry={() => void records.refetch()}
          />
        ) : latest === undefined ? (
          <p className="cell-sub">
            {card.photos.length === 0
              ? "Add a photo, and it can be identified."
              : "Nobody has been asked yet what this card is."}
          </p>
        ) : (
          <>
            <OneRecord card={card} record={latest} />
            {earlier.length === 0 ? null : (
              <details className="more-fields">
                <summary>{counted(earlier.length, "earlier one")}</summary>
                {earlier.map((record) => (
                  <OneRecord key={record.id} card={card} record={record} isEarlier />
                ))}
              </details>
            )}
          </>
        )}
      </div>
    </section>
  );
}

function OneRecord(props: { card: Card; record: IdentificationRecord; isEarlier?: boolean }) {
  const { card, record, isEarlier = false } = props;
  const [chosen, setChosen] = useState(0);
  const choice = record.candidates[chosen];
  const use = useMutation({
    mutationFn: (candidate: KeptCandidate) => applyCandidate(card, record, candidate, chosen + 1),
    onSuccess: (changed) => {
      keepCard(changed);
      offerCardUndo(`It is ${changed.title ?? "identified"}.`, changed, keepCard);
    },
  });
  const isAsIs = choice === undefined || isWhatItIs(card, choice);
  return (
    <article className="identification">
      <p>
        <strong>{statusWords[record.status]}</strong>
        {record.review_reason === null
          ? null
          : `: ${reviewReasonWords[record.review_reason].title.toLowerCase()}`}
        <span className="cell-sub">
          <RelativeTime at={record.started_at} />
          {record.actor.name === null ? null : `, asked by ${record.actor.name}`} · sure means{" "}
          {percentWords(record.threshold)} or more
        </span>
      </p>
      {record.candidates.length === 0 ? (
        <p className="cell-sub">There were no candidates.</p>
      ) : (
        <Candidates candidates={record.candidates} chosen={chosen} onChoose={setChosen} />
      )}
      <Group gap="xs" mt={8}>
        {isAsIs || choice === undefined ? null : (
          <Button
            size="xs"
            variant="default"
            loading={use.isPending}
            onClick={() => use.mutate(choice)}
          >
            It is {choice.identification.title ?? "this one"}
          </Button>
        )}
        {isEarlier ? null : <UndoIdentification record={record} />}
        {card.review_reason !== null && !isEarlier ? (
          <Link to="/review" search={{ reason: reasonsOf(card) }}>
            Review cards like this
          </Link>
        ) : null}
      </Group>
      <ProblemNote error={use.error} />
      <Evidence record={record} />
    </article>
  );
}

function reasonsOf({ review_reason: reason }: Card) {
  return reviewReasons.filter((one) => one === reason);
}

function isWhatItIs(card: Card, { identification }: KeptCandidate): boolean {
  return (
    card.status === "identified" &&
    card.title === identification.title &&
    card.set === identification.set &&
    card.number === identification.number
  );
}

/** Through the review where the card waits there, else as an edit by hand of what the candidate knows. */
async function applyCandidate(
  card: Card,
  record: IdentificationRecord,
  { identification }: KeptCandidate,
  candidate: number,
): Promise<Card> {
  if (reasonsOf(card).length > 0) {
    const { card: decided } = await trpcClient.review.accept.mutate({
      card_id: card.id,
      version: card.version,
      choice: { identification_id: record.id, candidate },
    });
    return decided;
  }
  const known = Object.fromEntries(
    Object.entries(identification).filter(([, value]) => value !== null && value !== false),
  );
  return trpcClient.cards.update.mutate({ id: card.id, ...known }, ifVersion(card.version));
}

/** Back to imported: what was edited since stays, and so do the events that were sent. */
function UndoIdentification({ record }: { record: IdentificationRecord }) {
  const undo = useMutation(
    trpc.identifications.undo.mutationOptions({
      onSuccess: ({ card }) => {
        keepCard(card);
        void queryClient.invalidateQueries({ queryKey: trpc.identifications.list.pathKey() });
      },
    }),
  );
  const sent = undo.data?.events_sent ?? [];
  return (
    <>
      {record.status === "applied" ? (
        <Button
          size="xs"
          variant="default"
          loading={undo.isPending}
          onClick={() => undo.mutate({ id: record.id })}
        >
          Undo this identification
        </Button>
      ) : null}
      {sent.length === 0 ? null : (
        <output className="cell-sub">
          {counted(sent.length, "event")} already sent stay sent.
        </output>
      )}
      <ProblemNote error={undo.error} />
    </>
  );
}

function Evidence({ record }: { record: IdentificationRecord }) {
  if (record.fields.length === 0 && record.attempts.length === 0) return null;
  return (
    <details className="more-fields">
      <summary>Why: field by field, and who was asked</summary>
      {record.fields.length === 0 ? null : <EvidenceTable fields={record.fields} />}
      <table className="evidence">
        <thead>
          <tr>
            <th scope="col">Asked</th>
            <th scope="col">Came to</th>
            <th scope="col">Sure</th>
            <th scope="col">Took</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {record.attempts.map((attempt, index) => (
            <tr key={index}>
              <th scope="row">
                {attempt.engine === null
                  ? attempt.provider === "generative_ai"
                    ? "A model"
                    : "Image recognition"
                  : engineName(attempt.engine)}
              </th>
              <td>
                {outcomeWords[attempt.outcome]}
                {attempt.error === null ? null : (
                  <span className="cell-sub">{providerErrorWords(attempt.error)}</span>
                )}
                {attempt.unreadable.length === 0 ? null : (
                  <span className="cell-sub">
                    Could not read: {enginesWords(attempt.unreadable)}
                  </span>
                )}
              </td>
              <td>{attempt.confidence === null ? "–" : percentWords(attempt.confidence)}</td>
              <td>{attempt.duration_ms.toLocaleString()} ms</td>
              <td>{costWords(attempt.cost_micros)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const outcomeWords: Record<IdentificationRecord["attempts"][number]["outcome"], string> = {
  match: "Sure enough",
  low_confidence: "Not sure enough",
  no_match: "No card found",
  error: "Failed",
  timeout: "No answer in time",
  not_configured: "Not set up",
};

/** Millionths of a US dollar. */
function costWords(micros: number | null): string {
  return micros === null ? "–" : `$${(micros / 1_000_000).toFixed(4)}`;
}
