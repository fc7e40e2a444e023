import type { Card, ReviewCorrect } from "@cardvault/contract";
import { Button, Group, Kbd } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyboardEvent, SyntheticEvent } from "react";
import { fieldErrorsOf } from "../../app/problem.ts";
import { queryClient, trpc } from "../../app/trpc.ts";
import { CardFields, readTexts, textsOf } from "../../parts/card-fields.tsx";
import type { CardTexts } from "../../parts/card-fields.tsx";
import { CatalogueFinder } from "../../parts/card-fields-finder.tsx";
import { cardFields } from "../../parts/card-fields-model.ts";
import type { CardFieldName } from "../../parts/card-fields-model.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";

/** What most cards are told apart by, in the order in which a card is read. */
const mainFields = [
  "title",
  "set",
  "number",
  "year",
  "variant",
  "rarity",
  "language",
  "condition",
  "grading",
  "location",
] as const satisfies readonly CardFieldName[];

const otherFields = [
  "game",
  "set_code",
  "subject",
  "team",
  "manufacturer",
  "serial_number",
  "print_run",
  "is_rookie",
  "is_autograph",
  "is_memorabilia",
] as const satisfies readonly CardFieldName[];

/** All that a correction can give. */
export const correctedFields: readonly CardFieldName[] = [...mainFields, ...otherFields];

const contextFields = correctedFields.filter((name) => cardFields[name].isContext === true);

/** What a card has in common with the one before it, where it says nothing of its own. */
export function withContext(texts: CardTexts, previous: CardTexts): CardTexts {
  const taken = contextFields.flatMap((name) =>
    (texts[name] ?? "") === "" && (previous[name] ?? "") !== "" ? [[name, previous[name]]] : [],
  );
  return { ...texts, ...(Object.fromEntries(taken) as CardTexts) };
}

/** What is known of a card, and where it says nothing what its batch starts its cards with. */
export function useBatchContext(card: Card): CardTexts {
  const batch = useQuery(
    trpc.batches.get.queryOptions(
      { id: card.batch_id ?? "" },
      { enabled: card.batch_id !== null, staleTime: 60_000 },
    ),
  );
  if (batch.data === undefined) return {};
  const { set, game, condition, language, location } = batch.data.defaults;
  return textsOf({ set, game, condition, language, location }, contextFields);
}

/**
 * A card, written by hand. The texts belong to the page, so that a card that comes back has what was typed.
 */
export function CorrectForm(props: {
  card: Card;
  texts: CardTexts;
  /** Those of the correction before, for "same as previous". */
  previous: CardTexts | null;
  refused: unknown;
  onChange: (texts: CardTexts) => void;
  onSave: (fields: ReviewCorrect["fields"], texts: CardTexts) => void;
  onClose: () => void;
}) {
  const { card, texts, previous } = props;
  const [problems, setProblems] = useState<Record<string, string>>({});
  const currency =
    queryClient.getQueryData(trpc.accounts.current.queryKey())?.account.currency ?? "USD";

  function save(event?: SyntheticEvent): void {
    event?.preventDefault();
    const { patch, problems: found } = readTexts(texts, textsOf(card, correctedFields), currency);
    const title = (texts.title ?? "").trim();
    if (title === "") found["title"] = "Every card needs a title";
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    props.onSave({ ...patch, title }, texts);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      props.onClose();
    }
    if (event.altKey && event.code === "KeyP" && previous !== null) {
      event.preventDefault();
      props.onChange(withContext(texts, previous));
    }
  }
  const shown = { ...fieldErrorsOf(props.refused ?? null), ...problems };
  const common = { texts, problems: shown, currency, onChange: props.onChange };
  const isMoreOpen = otherFields.some((name) => shown[name] !== undefined);
  return (
    // Its keys are those of its fields: Escape and "same as previous" work from within each of them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className="panel review-form"
      aria-label="Correct by hand"
      onSubmit={save}
      onKeyDown={onKeyDown}
    >
      <CatalogueFinder onFound={(found) => props.onChange({ ...texts, ...found })} />
      <CardFields names={mainFields} focus="title" {...common} />
      <details className="more-fields" open={isMoreOpen}>
        <summary>More fields</summary>
        <CardFields names={otherFields} {...common} />
      </details>
      <ProblemNote error={props.refused} />
      <Group gap="xs" className="review-actions">
        <Button type="submit" rightSection={<Kbd size="xs">Enter</Kbd>}>
          Save and next
        </Button>
        {previous === null ? null : (
          <Button
            variant="default"
            rightSection={<Kbd size="xs">Alt P</Kbd>}
            onClick={() => props.onChange(withContext(texts, previous))}
          >
            Same as previous
          </Button>
        )}
        <Button
          variant="subtle"
          color="gray"
          rightSection={<Kbd size="xs">Esc</Kbd>}
          onClick={props.onClose}
        >
          Back
        </Button>
      </Group>
    </form>
  );
}
