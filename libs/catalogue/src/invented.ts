import type { CatalogueCard, CatalogueEntry } from "./card.ts";
import { creatures, epithets, familyNames, givenNames, teams } from "./invented-words.ts";

/** A set of the catalogue that ships: invented games, sets and names that belong to nobody. */
export interface InventedSet {
  readonly game: string;
  readonly name: string;
  readonly code: string;
  readonly total: number;
  readonly year: number;
  readonly kind: "creatures" | "players";
  readonly manufacturer: string | null;
}

export const inventedSets = {
  emberCoast: {
    game: "Aetherbound",
    name: "Ember Coast",
    code: "EMC",
    total: 142,
    year: 2023,
    kind: "creatures",
    manufacturer: null,
  },
  glassTides: {
    game: "Aetherbound",
    name: "Glass Tides",
    code: "GLT",
    total: 118,
    year: 2024,
    kind: "creatures",
    manufacturer: null,
  },
  hollowCrown: {
    game: "Aetherbound",
    name: "Hollow Crown",
    code: "HLC",
    total: 165,
    year: 2025,
    kind: "creatures",
    manufacturer: null,
  },
  firstLight: {
    game: "Wardens of Orr",
    name: "First Light",
    code: "WFL",
    total: 96,
    year: 2022,
    kind: "creatures",
    manufacturer: null,
  },
  coastalRookies: {
    game: "Baseball",
    name: "Coastal League Rookies",
    code: "CLR",
    total: 200,
    year: 2024,
    kind: "players",
    manufacturer: "Fairfield Press",
  },
  heritageNine: {
    game: "Baseball",
    name: "Heritage Nine",
    code: "HN9",
    total: 150,
    year: 1998,
    kind: "players",
    manufacturer: "Fairfield Press",
  },
} as const satisfies Record<string, InventedSet>;

const rarityOfHundred = [
  ["Common", 46],
  ["Uncommon", 72],
  ["Rare", 89],
  ["Holo Rare", 97],
  ["Secret Rare", 100],
] as const;

/** What only an invented card knows besides what a catalogue keeps. */
export interface InventedCard extends CatalogueCard {
  readonly team: string | null;
  readonly isRookie: boolean;
}

/** The card of a set with this number, 1 to the set's total. The same at every start. */
export function inventedCard(set: InventedSet, number: number): InventedCard {
  // Coprime to the count of names, so that neighbours differ and no name comes twice within a set.
  const seed = hash(set.code);
  const roll = hash(`${set.code}/${number}`);
  const [first, second] =
    set.kind === "creatures" ? [epithets, creatures] : [givenNames, familyNames];
  const combinations = first.length * second.length;
  const place = (seed + number * stepOf(combinations)) % combinations;
  const name = `${first[place % first.length] ?? ""} ${second[Math.floor(place / first.length)] ?? ""}`;
  const rarity = rarityOfHundred.find(([, below]) => roll % 100 < below)?.[0] ?? "Common";
  const isPlayer = set.kind === "players";
  return {
    game: set.game,
    set: set.name,
    setCode: set.code,
    number: String(number),
    setTotal: set.total,
    name,
    rarity,
    year: set.year,
    externalIds: { invented: inventedId(set, number) },
    imageUrl: null,
    team: isPlayer ? (teams[Math.floor(roll / 100) % teams.length] ?? null) : null,
    isRookie: set.name.includes("Rookies") && Math.floor(roll / 1_000) % 5 < 2,
  };
}

/** Its id in the catalogue that ships: `EMC-12`. */
export function inventedId(set: InventedSet, number: number): string {
  return `${set.code}-${number}`;
}

/** The whole invented catalogue: six sets, 871 cards. */
export function inventedCatalogue(): CatalogueEntry[] {
  return Object.values(inventedSets).flatMap((set) =>
    Array.from({ length: set.total }, (_, index) => {
      const { team: _team, isRookie: _isRookie, ...card } = inventedCard(set, index + 1);
      return { sourceId: inventedId(set, index + 1), card };
    }),
  );
}

/** The card with such an id, and its set; null where there is none. */
export function findInvented(id: string): { set: InventedSet; card: InventedCard } | null {
  const [, code, digits] = /^([A-Z0-9]{3})-(\d{1,3})$/.exec(id) ?? [];
  const set = Object.values(inventedSets).find((one) => one.code === code);
  const number = Number(digits);
  if (set === undefined || number < 1 || number > set.total) return null;
  return { set, card: inventedCard(set, number) };
}

function stepOf(count: number): number {
  let step = Math.floor(count * 0.618);
  while (greatestCommonDivisor(step, count) !== 1) step += 1;
  return step;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

/** FNV-1a, 32 bits: spread enough for names, and the same everywhere. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return value;
}
