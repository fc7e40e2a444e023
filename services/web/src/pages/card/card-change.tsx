import type { Card, CardPatch } from "@cardvault/contract";
import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { problemOf } from "../../app/problem.ts";
import { ProblemFacts, ProblemNote } from "../../parts/problem-panel.tsx";
import { awaitOffer } from "../../parts/undo.tsx";
import type { Offer } from "../../parts/undo.tsx";
import { offerCardUndo } from "../../parts/undo-card.ts";
import { keepCard, saveMember, StaleMember } from "./save-card.ts";
import type { CardMember, MemberValue } from "./save-card.ts";

/** A change of one member, for the card as it was seen. */
interface Change {
  readonly base: Card;
  readonly value: MemberValue;
}

/** What became of one that did not arrive: `latest` where somebody else has changed the same member meanwhile. */
interface Failure extends Change {
  readonly error: unknown;
  readonly latest: Card | null;
}

/**
 * Changes one member of a card: shown at once, sent behind it, taken back by Z. What does not arrive is kept
 * with its value until it is sent again or given up; whoever has walked on meanwhile is told with its value.
 */
export function useCardChange(
  card: Card,
  name: CardMember,
  words: {
    /** "Location is B2-07", for the offer to take it back. */
    readonly done: (saved: Card) => string;
    /** "Location of Serpent 01: B2-07", for one that did not arrive. */
    readonly wanted: (card: Card, value: MemberValue) => string;
  },
) {
  const [underWay, setUnderWay] = useState<Change | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const line = useRef(Promise.resolve());
  const last = useRef<Change | null>(null);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  async function send(change: Change): Promise<Offer | undefined> {
    let failed: Failure | null = null;
    let saved: Card | null = null;
    try {
      saved = await saveMember(change.base, name, change.value);
    } catch (error) {
      failed = { ...change, error, latest: error instanceof StaleMember ? error.latest : null };
    }
    // One that was made after it takes its place, and says what comes of it itself.
    if (last.current === change) {
      setUnderWay(null);
      if (isHere.current) setFailure(failed);
      else if (failed !== null) tellUnsaved(words.wanted(change.base, change.value), failed);
    }
    return saved === null ? undefined : offerCardUndo(`${words.done(saved)}.`, saved, keepCard);
  }
  function tellUnsaved(wanted: string, failed: Failure): void {
    const problem = problemOf(failed.error);
    const id = `unsaved ${failed.base.id} ${name}`;
    notifications.show({
      id,
      color: "red",
      autoClose: false,
      title: wanted,
      message: (
        <>
          {failed.latest === null
            ? `Not saved. ${problem.message}`
            : "Changed by somebody else meanwhile."}
          {failed.latest === null ? <ProblemFacts problem={problem} /> : null}
          <Group gap={4} mt={4}>
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => {
                notifications.hide(id);
                save(failed.value, failed.latest ?? failed.base);
              }}
            >
              {failed.latest === null ? "Save again" : "Write mine"}
            </Button>
          </Group>
        </>
      ),
    });
  }
  function save(value: MemberValue, base: Card): void {
    const change = { base, value };
    last.current = change;
    setUnderWay(change);
    setFailure(null);
    const sent = line.current.then(() => send(change));
    awaitOffer(sent);
    line.current = sent.then(() => undefined);
  }
  return {
    /** The card as it will be once what is on its way has arrived. */
    shown: underWay === null ? card : { ...card, [name]: underWay.value },
    isUnderWay: underWay !== null,
    failure,
    save,
    giveUp: () => setFailure(null),
  };
}

/** Beside a control whose change did not arrive: both values, or what happened, and the ways on. */
export function ChangeNote(props: {
  change: ReturnType<typeof useCardChange>;
  valueOf: (patch: CardPatch) => ReactNode;
  name: CardMember;
}) {
  const { failure, save, giveUp } = props.change;
  if (failure === null) return null;
  const mine = props.valueOf({ [props.name]: failure.value });
  if (failure.latest === null) {
    return (
      <div className="change-note">
        <ProblemNote error={failure.error} />
        <Group gap={4}>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => save(failure.value, failure.base)}
          >
            Retry: {mine}
          </Button>
          <Button size="compact-xs" variant="default" onClick={giveUp}>
            Leave it
          </Button>
        </Group>
      </div>
    );
  }
  const { latest } = failure;
  return (
    <StaleNote
      theirs={props.valueOf({ [props.name]: latest[props.name] })}
      mine={mine}
      onMine={() => save(failure.value, latest)}
      onTheirs={giveUp}
    />
  );
}

/** Somebody else was faster: what stands there now, and what was to be written. */
export function StaleNote(props: {
  theirs: ReactNode;
  /** Where it does not stand beside the note. */
  mine?: ReactNode;
  onMine: () => void;
  onTheirs: () => void;
}) {
  return (
    <div role="alert" className="field-stale">
      <span>
        Changed by somebody else to <strong className="wrap">{props.theirs}</strong> meanwhile.
        {props.mine === undefined ? null : (
          <>
            {" "}
            Yours: <strong className="wrap">{props.mine}</strong>.
          </>
        )}
      </span>
      <Group gap={4}>
        <Button size="compact-xs" onClick={props.onMine}>
          Write mine
        </Button>
        <Button size="compact-xs" variant="default" onClick={props.onTheirs}>
          Keep theirs
        </Button>
      </Group>
    </div>
  );
}
