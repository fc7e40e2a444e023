import { comparableName, inventedCatalogue } from "@cardvault/catalogue";

const all = inventedCatalogue();

/** The invented card whose name, number and set stand in a search's words; null where none has. */
export function findByWords(words: string): string | null {
  const text = ` ${comparableName(words)} `;
  const has = (part: string): boolean => text.includes(` ${comparableName(part)} `);
  const found = all.find(
    ({ card }) => has(card.name) && has(card.number) && (has(card.set) || !hasAnySet(text)),
  );
  return found?.sourceId ?? null;
}

const sets = [...new Set(all.map(({ card }) => card.set))];

function hasAnySet(text: string): boolean {
  return sets.some((set) => text.includes(` ${comparableName(set)} `));
}
