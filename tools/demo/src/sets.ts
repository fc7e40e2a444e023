import { inventedSets } from "@cardvault/catalogue";
import type { InventedSet } from "@cardvault/catalogue";

/** A set of the invented catalogue, and how its pictures look. */
export interface DemoSet extends InventedSet {
  /** Hues of the set's pictures, in degrees. */
  readonly hues: readonly [number, number];
}

/** The shop sells what the invented catalogue knows, so that its cards can be identified. */
export const demoSets = {
  emberCoast: { ...inventedSets.emberCoast, hues: [14, 38] },
  glassTides: { ...inventedSets.glassTides, hues: [188, 214] },
  hollowCrown: { ...inventedSets.hollowCrown, hues: [268, 312] },
  firstLight: { ...inventedSets.firstLight, hues: [92, 140] },
  coastalRookies: { ...inventedSets.coastalRookies, hues: [212, 4] },
  heritageNine: { ...inventedSets.heritageNine, hues: [28, 152] },
} as const satisfies Record<string, DemoSet>;

/** What the cards of a rarity typically cost. */
export const rarities = [
  { name: "Common", typicalCents: 60 },
  { name: "Uncommon", typicalCents: 180 },
  { name: "Rare", typicalCents: 750 },
  { name: "Holo Rare", typicalCents: 2600 },
  { name: "Secret Rare", typicalCents: 11_500 },
] as const;
