import type { PhotoImportPreview } from "@cardvault/contract";
import { Link } from "@tanstack/react-router";
import { IconCopy } from "@tabler/icons-react";
import { memo } from "react";
import { Chip } from "../../parts/chip.tsx";
import { duplicateWords } from "./pair-edits.ts";
import { PictureButton } from "./picture-button.tsx";
import { WindowGrid } from "./window-grid.tsx";

type Pair = PhotoImportPreview["cards"][number];

const tile = { tileWidth: 232, tileHeight: 212 } as const;

interface Shared {
  names: ReadonlyMap<number, string>;
  onToggle: (position: number) => void;
}

/** The pairs as cards, as they would be made. */
export function PairGrid(props: Shared & { pairs: readonly Pair[]; chosen: readonly number[] }) {
  const { pairs, chosen, names, onToggle } = props;
  return (
    <WindowGrid items={pairs} {...tile} keyOf={({ front }) => front.position}>
      {(pair) => (
        <PairTile
          pair={pair}
          names={names}
          isFrontChosen={chosen.includes(pair.front.position)}
          isBackChosen={pair.back !== null && chosen.includes(pair.back.position)}
          onToggle={onToggle}
        />
      )}
    </WindowGrid>
  );
}

/** Drawn anew where it has changed, and not with every row that comes into sight. */
const PairTile = memo(function PairTile(
  props: Shared & { pair: Pair; isFrontChosen: boolean; isBackChosen: boolean },
) {
  const { pair, names, onToggle } = props;
  const { front, back } = pair;
  const doubled = duplicateWords(front, names);
  return (
    <div className="panel pair">
      <div className="pair-photos">
        <PictureButton
          file={front}
          side="front"
          isChosen={props.isFrontChosen}
          onToggle={onToggle}
        />
        {back === null ? (
          <span className="pair-none">No back</span>
        ) : (
          <PictureButton
            file={back}
            side="back"
            isChosen={props.isBackChosen}
            onToggle={onToggle}
          />
        )}
      </div>
      {doubled === null ? null : (
        <span className="pair-note" title={doubled.words}>
          {doubled.cardId === null ? (
            <Chip tone="warning" icon={IconCopy}>
              {doubled.words}
            </Chip>
          ) : (
            <Link to="/inventory/$id" params={{ id: doubled.cardId }}>
              <Chip tone="warning" icon={IconCopy}>
                {doubled.words}
              </Chip>
            </Link>
          )}
        </span>
      )}
    </div>
  );
});
