import type { ReviewItem } from "@cardvault/contract";
import { Button, Kbd, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Candidates, EvidenceTable } from "../../parts/candidates.tsx";
import { percentWords, reviewReasonWords } from "../../parts/candidates-words.ts";
import { textsOf } from "../../parts/card-fields.tsx";
import type { CardTexts } from "../../parts/card-fields.tsx";
import { Fact, Facts } from "../../parts/facts.tsx";
import { formatMoney } from "../../parts/money.ts";
import { PhotoView } from "../../parts/photo-view.tsx";
import { CorrectForm, correctedFields, useBatchContext, withContext } from "./correct-form.tsx";
import type { ReviewQueue } from "./queue.ts";
import type { QueueState } from "./queue-state.ts";
import { useReviewKeys } from "./review-keys.ts";

interface ReviewCardProps {
  item: ReviewItem;
  queue: ReviewQueue;
  state: QueueState;
  /** What was typed of each card, by its id: it is there again when the card is. */
  drafts: Map<string, CardTexts>;
  previous: CardTexts | null;
  onCorrected: (texts: CardTexts) => void;
}

/** One card: its photos, why it is here, what it may be, and what can be done. */
export function ReviewCard({ item, queue, state, drafts, ...props }: ReviewCardProps) {
  const { card, candidates } = item;
  const isIdentified = card.status === "identified";
  // A card that only has to be confirmed stands as it is until another is chosen.
  const [chosen, setChosen] = useState(isIdentified || candidates.length === 0 ? -1 : 0);
  const [isZoomed, setIsZoomed] = useState(false);
  const [texts, setTexts] = useState<CardTexts | null>(
    state.refused?.cardId === card.id ? (drafts.get(card.id) ?? null) : null,
  );
  const ofBatch = useBatchContext(card);
  const canAccept = isIdentified || chosen >= 0;

  function open(isSameAsPrevious: boolean): void {
    const own = textsOf(card, correctedFields);
    const best = candidates[Math.max(0, chosen)]?.identification;
    const read = isIdentified || best === undefined ? {} : textsOf(best, correctedFields);
    let start = drafts.get(card.id) ?? withContext({ ...own, ...filled(read, own) }, ofBatch);
    if (isSameAsPrevious && props.previous !== null) start = withContext(start, props.previous);
    change(start);
  }
  function change(next: CardTexts): void {
    drafts.set(card.id, next);
    setTexts(next);
  }
  function accept(): void {
    if (canAccept) queue.decide({ type: "accept", candidate: chosen < 0 ? null : chosen + 1 });
    else open(false);
  }
  useReviewKeys({
    choose: (place) => {
      if (place < candidates.length) setChosen(place);
    },
    accept,
    correct: () => open(false),
    sameAsPrevious: () => open(true),
    skip: () => queue.decide({ type: "skip" }),
    undo: queue.undo,
    zoom: () => setIsZoomed((before) => !before),
  });
  return (
    <section className="review-card" aria-label={card.title ?? "Card to review"}>
      <Photos item={item} isZoomed={isZoomed} onZoom={setIsZoomed} />
      <div className="review-side">
        <Why item={item} />
        {texts !== null ? (
          <CorrectForm
            card={card}
            texts={texts}
            previous={props.previous}
            refused={state.refused?.cardId === card.id ? state.refused.error : null}
            onChange={change}
            onSave={(fields, saved) => {
              props.onCorrected(saved);
              queue.decide({ type: "correct", fields });
            }}
            onClose={() => setTexts(null)}
          />
        ) : (
          <>
            <Candidates
              candidates={candidates}
              chosen={chosen}
              onChoose={setChosen}
              onTake={accept}
              hasKeys
            />
            <Disagreements item={item} />
            <Actions
              acceptWords={isIdentified && chosen < 0 ? "Confirm as it is" : "Accept"}
              canAccept={canAccept}
              onAccept={accept}
              onCorrect={() => open(false)}
              onSkip={() => queue.decide({ type: "skip" })}
              onUndo={queue.undo}
            />
          </>
        )}
      </div>
    </section>
  );
}

/** What a candidate says, where the card says nothing of its own. */
function filled(read: CardTexts, own: CardTexts): CardTexts {
  return Object.fromEntries(
    Object.entries(read).filter(([name, text]) => text !== "" && own[name as "title"] === ""),
  ) as CardTexts;
}

function Photos(props: {
  item: ReviewItem;
  isZoomed: boolean;
  onZoom: (isZoomed: boolean) => void;
}) {
  const { card, candidates } = props.item;
  const name = card.title ?? candidates[0]?.identification.title ?? "Card to review";
  const front = card.photos.find(({ side }) => side === "front") ?? card.photos[0];
  const back = card.photos.find(({ side }) => side === "back");
  const common = { isZoomed: props.isZoomed, onZoom: props.onZoom };
  return (
    <div className="review-photos" data-alone={back === undefined || undefined}>
      <PhotoView
        url={front?.url ?? null}
        name={`${name}, front`}
        caption={
          back === undefined && front !== undefined ? "Front; the back has no photo" : "Front"
        }
        {...common}
      />
      {back === undefined ? null : (
        <PhotoView url={back.url} name={`${name}, back`} caption="Back" {...common} />
      )}
    </div>
  );
}

/** Why the card waits for a person, and what is known of it already. */
function Why({ item: { card, candidates } }: { item: ReviewItem }) {
  const reason = card.review_reason;
  const words = reason === null ? null : reviewReasonWords[reason];
  const best = candidates[0];
  const worth = card.market_price ?? card.asking_price;
  return (
    <div className="panel review-why">
      <Title order={2}>{words?.title ?? "In review"}</Title>
      <p>
        {words?.text}
        {reason === "low_confidence" && best !== undefined
          ? ` The best guess is ${percentWords(best.confidence)} sure.`
          : null}
      </p>
      {card.title === null && card.sku === null && worth === null ? null : (
        <Facts>
          {card.title === null ? null : (
            <Fact label="It stands as">
              {card.title}
              <span className="cell-sub">
                {[card.set, card.number].filter((part) => part !== null).join(" · ")}
              </span>
            </Fact>
          )}
          {card.sku === null ? null : (
            <Fact label="SKU">
              <Link to="/inventory/$id" params={{ id: card.id }} className="mono">
                {card.sku}
              </Link>
            </Fact>
          )}
          {worth === null ? null : <Fact label="Worth">{formatMoney(worth)}</Fact>}
        </Facts>
      )}
    </div>
  );
}

/** Where those who were asked do not say the same: what a reviewer has to look at. */
function Disagreements({ item }: { item: ReviewItem }) {
  const disputed = item.fields.filter(({ disagreeing }) => disagreeing.length > 0);
  if (disputed.length === 0) return null;
  return (
    <div className="panel review-why">
      <Title order={2}>They disagree</Title>
      <EvidenceTable fields={disputed} />
    </div>
  );
}

function Actions(props: {
  acceptWords: string;
  canAccept: boolean;
  onAccept: () => void;
  onCorrect: () => void;
  onSkip: () => void;
  onUndo: () => void;
}) {
  return (
    <div className="review-actions">
      {props.canAccept ? (
        <Button onClick={props.onAccept} rightSection={<Kbd size="xs">Enter</Kbd>}>
          {props.acceptWords}
        </Button>
      ) : null}
      <Button
        variant={props.canAccept ? "default" : "filled"}
        onClick={props.onCorrect}
        rightSection={<Kbd size="xs">C</Kbd>}
      >
        Correct
      </Button>
      <Button variant="default" onClick={props.onSkip} rightSection={<Kbd size="xs">S</Kbd>}>
        Skip
      </Button>
      <Button variant="default" onClick={props.onUndo} rightSection={<Kbd size="xs">Z</Kbd>}>
        Undo
      </Button>
    </div>
  );
}
