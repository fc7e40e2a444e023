import type { PhotoImportPreview } from "@cardvault/contract";
import { useElementSize } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { IconCopy } from "@tabler/icons-react";
import { useLayoutEffect, useRef, useState } from "react";
import { Chip } from "../../parts/chip.tsx";
import { duplicateWords } from "./pair-edits.ts";
import { PictureButton } from "./picture-button.tsx";

type Pair = PhotoImportPreview["cards"][number];

const pairWidth = 232;
const gap = 12;
const rowHeight = 224;
const rowsAhead = 3;

interface Shared {
  names: ReadonlyMap<number, string>;
  chosen: readonly number[];
  onToggle: (position: number) => void;
}

/** The pairs in rows, of which only those in sight are drawn: there may be two thousand. */
export function PairGrid({ pairs, ...shared }: Shared & { pairs: readonly Pair[] }) {
  const { ref, width } = useElementSize();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const columns = Math.max(1, Math.floor((width + gap) / (pairWidth + gap)));
  useLayoutEffect(() => {
    setTop(list.current === null ? 0 : list.current.getBoundingClientRect().top + window.scrollY);
  }, [pairs.length, width]);
  // oxlint-disable-next-line react/incompatible-library
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(pairs.length / columns),
    estimateSize: () => rowHeight,
    overscan: rowsAhead,
    scrollMargin: top,
  });
  return (
    <div ref={ref}>
      <div ref={list} style={{ position: "relative", height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <ul
            key={row.key}
            ref={rows.measureElement}
            data-index={row.index}
            className="pair-row"
            style={{ transform: `translateY(${row.start - top}px)` }}
          >
            {pairs.slice(row.index * columns, (row.index + 1) * columns).map((pair) => (
              <PairTile key={pair.front.position} pair={pair} {...shared} />
            ))}
          </ul>
        ))}
      </div>
    </div>
  );
}

function PairTile({ pair: { front, back }, names, chosen, onToggle }: Shared & { pair: Pair }) {
  const doubled = duplicateWords(front, names);
  return (
    <li className="panel pair">
      <div className="pair-photos">
        <PictureButton
          file={front}
          side="front"
          isChosen={chosen.includes(front.position)}
          onToggle={onToggle}
        />
        {back === null ? (
          <span className="pair-none">No back</span>
        ) : (
          <PictureButton
            file={back}
            side="back"
            isChosen={chosen.includes(back.position)}
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
    </li>
  );
}
