import { Button, Kbd, Switch } from "@mantine/core";
import { IconAlertTriangle, IconBarcode, IconMapPin } from "@tabler/icons-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { usePageKeys } from "../../app/page-keys.ts";
import { useScanInput } from "../../parts/scan-input.ts";
import { counted } from "../../parts/words.ts";
import { OutboxNote } from "./outbox-note.tsx";
import { ScanField, useScanField } from "./scan-field.tsx";
import { RefusedList, ScanLog } from "./scan-log.tsx";
import type { Latest, RunState, ScanRun } from "./scan-run.ts";
import { cardName, isTrouble, outcomeLooks, scanSentence, undoneLook } from "./scan-words.ts";
import { play } from "./sounds.ts";

const mostChoices = 9;
const moveKeys = [
  { keys: ["Z"], words: "Undo the last move, or change of place" },
  { keys: ["1", "9"], words: "Choose between cards with one code" },
] as const;

/** Scan a place, then what lies there. */
export function MovePanel({ run, onNewRun }: { run: ScanRun; onNewRun: () => void }) {
  const state = useSyncExternalStore(run.subscribe, run.state);
  const field = useScanField();
  const [isSilent, setIsSilent] = useState(false);
  const choices = choicesOf(state);
  const undo = () => void run.undo();
  useScanInput({
    onScan: run.scan,
    onUnfinished: field.onChange,
    keys: {
      z: undo,
      ...Object.fromEntries(choices.map(({ id }, at) => [String(at + 1), () => run.scan(id)])),
    },
  });
  useSounds(state.latest, isSilent);
  usePageKeys(moveKeys);
  return (
    <div className="move">
      <PlaceBar state={state} />
      <ScanField label="Place, SKU, card id or certificate" {...field} onScan={run.scan} />
      <LatestScan latest={state.latest} isFirst={state.run === null} />
      {choices.length === 0 ? null : (
        <section className="move-bar" aria-label="Which card is it?">
          {choices.map((card, at) => (
            <Button
              key={card.id}
              variant="default"
              h="auto"
              py={6}
              leftSection={<Kbd size="xs">{at + 1}</Kbd>}
              onClick={() => run.scan(card.id)}
            >
              <span>
                {cardName(card)}
                <span className="cell-sub">{card.location ?? "Without a place"}</span>
              </span>
            </Button>
          ))}
        </section>
      )}
      <OutboxNote
        link={state.link}
        isKept={state.isKept}
        waiting={state.waiting.length}
        one="scan"
        onRetry={run.resume}
      />
      <div className="move-bar">
        <Button variant="default" onClick={undo} rightSection={<Kbd size="xs">Z</Kbd>}>
          Undo last
        </Button>
        <Counts state={state} />
        <Switch
          ml="auto"
          size="xs"
          label="Sound"
          checked={!isSilent}
          onChange={(event) => setIsSilent(!event.currentTarget.checked)}
        />
        <Button
          variant="subtle"
          disabled={state.run === null || state.waiting.length > 0}
          onClick={onNewRun}
        >
          New run
        </Button>
      </div>
      <RefusedList run={run} refused={state.refused} />
      <ScanLog run={run} state={state} />
    </div>
  );
}

function choicesOf({ latest }: RunState) {
  if (latest?.kind !== "scan" || latest.scan.outcome !== "ambiguous") return [];
  return latest.scan.candidates.slice(0, mostChoices);
}

function PlaceBar({ state }: { state: RunState }) {
  const place = state.run?.location ?? null;
  return (
    <section className="panel move-place" aria-label="Place">
      <IconMapPin size={28} stroke={1.5} aria-hidden />
      <div>
        <span className="cell-sub">{place === null ? "No place yet" : "Cards are put at"}</span>
        <strong>{place ?? "Scan a place first"}</strong>
      </div>
    </section>
  );
}

function LatestScan({ latest, isFirst }: { latest: Latest | null; isFirst: boolean }) {
  const shown = shownOf(latest);
  const Shape = shown?.icon ?? IconBarcode;
  return (
    <output className="panel move-latest" data-tone={shown?.tone} aria-live="assertive">
      <Shape size={24} stroke={1.75} aria-hidden />
      <span>
        <strong>{shown?.words ?? "Ready"}</strong>
        <span className="cell-sub wrap">
          {shown?.sentence ??
            (isFirst
              ? "Scan the label of a place, then each card that lies there. The label says the place's code, or LOC: and its name."
              : "Scan the next card, or another place.")}
        </span>
      </span>
    </output>
  );
}

function shownOf(latest: Latest | null) {
  switch (latest?.kind) {
    case undefined:
      return null;
    case "refused": {
      const { text, message } = latest.refused;
      return {
        tone: "bad",
        icon: IconAlertTriangle,
        words: `Not done: ${text}`,
        sentence: message,
      } as const;
    }
    case "undone": {
      const { card, from_location: from, text } = latest.scan;
      const sentence =
        card === null
          ? `The place is ${from ?? "none"} again.`
          : `${cardName(card)} is ${from === null ? "without a place" : `at ${from}`} again.`;
      return { ...undoneLook, sentence: sentence === "" ? text : sentence };
    }
    case "scan": {
      const { scan } = latest;
      const look = outcomeLooks[scan.outcome];
      const words =
        scan.outcome === "moved" && scan.card !== null
          ? `${scan.card.title ?? scan.card.sku ?? scan.text} → ${scan.location ?? ""}`
          : scan.outcome === "place"
            ? (scan.location ?? look.words)
            : `${look.words}: ${scan.card?.title ?? scan.text}`;
      return { ...look, words, sentence: scanSentence(scan) };
    }
  }
}

function Counts({ state: { run } }: { state: RunState }) {
  if (run === null) return null;
  const { moved, already_here, unknown, ambiguous, sold, archived } = run.counts;
  const trouble = unknown + ambiguous + sold + archived;
  return (
    <span>
      {counted(moved, "card")} moved
      {already_here > 0 ? `, ${already_here} already here` : ""}
      {trouble > 0 ? `, ${trouble} to look at` : ""}
    </span>
  );
}

function useSounds(latest: Latest | null, isSilent: boolean): void {
  const heard = useRef<Latest | null>(null);
  useEffect(() => {
    // Only what is new sounds: switching sound on repeats nothing.
    if (latest === null || latest === heard.current) return;
    heard.current = latest;
    if (isSilent) return;
    if (latest.kind === "undone") play("neutral");
    else if (latest.kind === "refused" || isTrouble(latest.scan)) play("bad");
    else play(latest.scan.outcome === "already_here" ? "neutral" : "good");
  }, [latest, isSilent]);
}
