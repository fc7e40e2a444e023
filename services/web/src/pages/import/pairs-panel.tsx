import type { PhotoImportPreview, PhotoPairing } from "@cardvault/contract";
import { Button, Kbd, SegmentedControl, Switch, Title } from "@mantine/core";
import { memo, useCallback, useMemo, useState } from "react";
import { useHotKey } from "../../app/hot-keys.ts";
import { usePageKeys } from "../../app/page-keys.ts";
import { ProblemNote } from "../../parts/problem-panel.tsx";
import { counted } from "../../parts/words.ts";
import { filesOf, pairOf, usePairEdits } from "./pair-edits.ts";
import { PairGrid } from "./pair-grid.tsx";
import { PictureButton } from "./picture-button.tsx";
import { WindowGrid } from "./window-grid.tsx";

const pairingWords: Record<PhotoPairing, string> = {
  by_name: "By name",
  alternating: "Front, back, front, back",
  fronts_then_backs: "All fronts, then all backs",
  singles: "Fronts alone",
};
const pairKeys = [
  { keys: ["M"], words: "Make one card of two chosen photos, the first is the front" },
  { keys: ["S"], words: "Swap front and back" },
  { keys: ["X"], words: "Split a pair" },
  { keys: ["Delete"], words: "Leave the chosen photos out" },
  { keys: ["Esc"], words: "Choose none" },
] as const;

const photoTile = { tileWidth: 112, tileHeight: 176 } as const;
const droppedTile = { tileWidth: 112, tileHeight: 204 } as const;

/** The cards as they would be made, to be looked over and put right. Progress of the upload is no news to it. */
export const PairsPanel = memo(function PairsPanel({ preview }: { preview: PhotoImportPreview }) {
  const { edit, pair } = usePairEdits(preview.import.id);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [areDuplicates, setAreDuplicates] = useState(false);
  const names = useMemo(
    () => new Map(filesOf(preview).map(({ position, name }) => [position, name])),
    [preview],
  );
  const toggle = useCallback(
    (position: number) =>
      setChosen((before) =>
        before.includes(position)
          ? before.filter((one) => one !== position)
          : [...before, position],
      ),
    [],
  );
  const doubled = preview.cards.filter(({ front }) => front.duplicates.length > 0);
  const shown = areDuplicates && doubled.length > 0 ? doubled : preview.cards;
  usePageKeys(pairKeys);
  return (
    <section aria-labelledby="pairs">
      <div className="pairs-head">
        <Title order={2} id="pairs">
          {counted(preview.cards.length, "card")}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="How photos are paired"
          data={Object.entries(pairingWords).map(([value, label]) => ({ value, label }))}
          value={preview.import.pairing}
          disabled={pair.isPending}
          onChange={(value) => {
            setChosen([]);
            pair.mutate(value as PhotoPairing);
          }}
        />
        {doubled.length === 0 ? null : (
          <Switch
            size="xs"
            label={`Only duplicates (${doubled.length})`}
            checked={areDuplicates}
            onChange={(event) => setAreDuplicates(event.currentTarget.checked)}
          />
        )}
      </div>
      <PairBar
        preview={preview}
        chosen={chosen}
        isBusy={edit.isPending || pair.isPending}
        onEdit={(edits) => edit.mutate(edits, { onSettled: () => setChosen([]) })}
        onNone={() => setChosen([])}
      />
      <ProblemNote error={edit.error ?? pair.error} />
      <PairGrid pairs={shown} names={names} chosen={chosen} onToggle={toggle} />
      {preview.leftovers.length === 0 ? null : (
        <section aria-labelledby="leftovers">
          <Title order={3} id="leftovers" mt="md" mb={4}>
            {counted(preview.leftovers.length, "photo")} left over
          </Title>
          <p className="cell-sub">
            They fit no pair. Choose two to make a card of them, or leave them out.
          </p>
          <WindowGrid
            items={preview.leftovers}
            {...photoTile}
            above={shown.length}
            keyOf={({ position }) => position}
          >
            {(file) => (
              <PictureButton
                file={file}
                side={null}
                isChosen={chosen.includes(file.position)}
                onToggle={toggle}
              />
            )}
          </WindowGrid>
        </section>
      )}
      <Dropped preview={preview} onEdit={(edits) => edit.mutate(edits)} />
    </section>
  );
});

type Edits = Parameters<ReturnType<typeof usePairEdits>["edit"]["mutate"]>[0];

function PairBar(props: {
  preview: PhotoImportPreview;
  chosen: readonly number[];
  isBusy: boolean;
  onEdit: (edits: Edits) => void;
  onNone: () => void;
}) {
  const { preview, chosen, isBusy, onEdit, onNone } = props;
  const [first, second] = chosen;
  const pair = first === undefined ? undefined : pairOf(preview, first);
  const front = chosen.length === 1 && pair?.back != null ? pair.front.position : null;
  const loose = preview.leftovers.some(({ position }) => position === first);
  const isTwo = chosen.length === 2 && first !== undefined && second !== undefined;
  const merge = () => {
    if (isTwo) onEdit([{ type: "merge", front: first, back: second }]);
  };
  const swap = () => {
    if (front !== null) onEdit([{ type: "swap", front }]);
  };
  const split = () => {
    if (front !== null) onEdit([{ type: "split", front }]);
  };
  const drop = () => {
    if (chosen.length > 0) onEdit([{ type: "drop", files: [...chosen] }]);
  };
  // What belonged to no pair comes back as a card of its own.
  const alone = () => {
    if (first === undefined) return;
    onEdit([
      { type: "drop", files: [first] },
      { type: "restore", files: [first] },
    ]);
  };
  useHotKey("m", merge);
  useHotKey("s", swap);
  useHotKey("x", split);
  useHotKey("delete,backspace", drop);
  useHotKey("esc", onNone);
  const button = (label: string, key: string | null, act: () => void) => (
    <Button
      size="xs"
      variant="default"
      disabled={isBusy}
      onClick={act}
      rightSection={key === null ? undefined : <Kbd size="xs">{key}</Kbd>}
    >
      {label}
    </Button>
  );
  return (
    <div className="pair-bar" role="toolbar" aria-label="Chosen photos">
      <output>
        {chosen.length === 0
          ? "Click photos to put a pair right."
          : `${counted(chosen.length, "photo")} chosen`}
      </output>
      {isTwo ? button("Make one card, the first is the front", "M", merge) : null}
      {front === null ? null : button("Swap front and back", "S", swap)}
      {front === null ? null : button("Split the pair", "X", split)}
      {loose && chosen.length === 1 ? button("A card of its own", null, alone) : null}
      {chosen.length === 0 ? null : button("Leave out", "Del", drop)}
      {chosen.length === 0 ? null : button("Choose none", "Esc", onNone)}
    </div>
  );
}

function Dropped(props: { preview: PhotoImportPreview; onEdit: (edits: Edits) => void }) {
  const { dropped, cards, leftovers } = props.preview;
  const [isOpen, setIsOpen] = useState(false);
  if (dropped.length === 0) return null;
  return (
    <details
      className="dropped-photos"
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{counted(dropped.length, "photo")} left out</summary>
      {isOpen ? (
        <WindowGrid
          items={dropped}
          {...droppedTile}
          above={cards.length + leftovers.length}
          keyOf={({ position }) => position}
        >
          {(file) => (
            <>
              <PictureButton file={file} side={null} isChosen={false} />
              <Button
                size="compact-xs"
                variant="default"
                fullWidth
                aria-label={`Put ${file.name} back`}
                onClick={() => props.onEdit([{ type: "restore", files: [file.position] }])}
              >
                Put back
              </Button>
            </>
          )}
        </WindowGrid>
      ) : null}
    </details>
  );
}
