import type { ImportLayout } from "@cardvault/contract";
import type { Layout } from "./layout.ts";
import { deckboxLayout, manaboxLayout, moxfieldLayout, tcgplayerLayout } from "./magic.ts";
import { ownLayout } from "./own.ts";
import { cardDealerProLayout, collxLayout, ebayLayout } from "./sports.ts";

/** The more particular one first: what it is recognised by may be part of another's headers. */
export const layouts: readonly Layout[] = [
  ownLayout,
  tcgplayerLayout,
  manaboxLayout,
  deckboxLayout,
  moxfieldLayout,
  collxLayout,
  ebayLayout,
  cardDealerProLayout,
];

export function layoutOf(id: ImportLayout): Layout {
  const layout = layouts.find((one) => one.id === id);
  if (layout === undefined) throw new Error(`There is no layout ${id}`);
  return layout;
}
