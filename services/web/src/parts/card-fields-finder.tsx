import type { CatalogueCardAnswer } from "@cardvault/contract";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../app/trpc.ts";
import type { CardTexts } from "./card-fields.tsx";
import { ProblemNote } from "./problem-panel.tsx";

const waitMs = 150;
const shortest = 2;
const shown = 12;

/** What the catalogue says of a card, for the fields of a form. */
function textsOfCatalogue(card: CatalogueCardAnswer): CardTexts {
  return {
    title: card.name,
    game: card.game,
    set: card.set,
    set_code: card.set_code ?? "",
    number: card.number,
    rarity: card.rarity ?? "",
    year: card.year === null ? "" : String(card.year),
  };
}

/** Finds a printing by words and number, and fills the fields with it. */
export function CatalogueFinder(props: { onFound: (texts: CardTexts) => void }) {
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed.trim(), waitMs);
  const found = useQuery(
    trpc.catalogue.search.queryOptions(
      { q: asked, limit: shown },
      { enabled: asked.length >= shortest, placeholderData: (before) => before },
    ),
  );
  const rows = asked.length < shortest ? undefined : found.data?.data;
  const take = (card: CatalogueCardAnswer | undefined): void => {
    if (card === undefined) return;
    props.onFound(textsOfCatalogue(card));
    setTyped("");
  };
  return (
    <div>
      <TextInput
        size="xs"
        label="Find it in the catalogue"
        placeholder="Words of name and set, and a number: serpent 12/180"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // The first of the list, and not the whole form.
          event.preventDefault();
          if (asked === typed.trim()) take(rows?.[0]);
        }}
      />
      <ProblemNote error={found.error} />
      {rows === undefined ? null : rows.length === 0 ? (
        <output className="cell-sub">The catalogue has no such card.</output>
      ) : (
        <ul className="finder-list" aria-label="Cards of the catalogue">
          {rows.map((card) => (
            <li key={`${card.source} ${card.source_id}`}>
              <button type="button" onClick={() => take(card)}>
                {card.name}
                <span className="cell-sub">
                  {[card.set, card.number, card.rarity, card.year]
                    .filter((part) => part !== null)
                    .join(" · ")}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
