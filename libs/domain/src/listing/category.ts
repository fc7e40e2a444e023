import type { CardState } from "../card/state.ts";

/** The marketplace's categories of single cards. */
export const cardCategories = {
  collectible_card_game: "183454",
  sport: "261328",
  non_sport: "183050",
} as const;

const sports =
  /\b(baseball|basketball|football|soccer|hockey|golf|tennis|racing|nascar|formula 1|f1|wrestling|wwe|boxing|mma|ufc|cricket|rugby|volleyball|softball|lacrosse|olympics)\b/i;

/** The sport that a card's game names; null for other games. */
export function sportOf({ game }: Pick<CardState, "game">): string | null {
  return sports.exec(game ?? "")?.[0] ?? null;
}

/**
 * The category of a card, by its game or sport; the account's own where neither is known.
 * @param fallback what the account has chosen
 */
export function categoryOf(
  card: Pick<CardState, "game" | "team">,
  fallback: string | null,
): string | null {
  if (sportOf(card) !== null) return cardCategories.sport;
  if (card.game !== null && !/\bnon[- ]?sports?\b/i.test(card.game)) {
    return cardCategories.collectible_card_game;
  }
  if (card.game !== null) return cardCategories.non_sport;
  if (fallback !== null) return fallback;
  return card.team === null ? null : cardCategories.sport;
}
