/** Invented games, sets and names. Nothing here belongs to anybody. */

export interface DemoSet {
  readonly game: string;
  readonly name: string;
  readonly code: string;
  readonly total: number;
  readonly year: number;
  readonly kind: "creatures" | "players";
  /** Hues of the set's pictures, in degrees. */
  readonly hues: readonly [number, number];
  readonly manufacturer: string | null;
}

export const demoSets = {
  emberCoast: {
    game: "Aetherbound",
    name: "Ember Coast",
    code: "EMC",
    total: 142,
    year: 2023,
    kind: "creatures",
    hues: [14, 38],
    manufacturer: null,
  },
  glassTides: {
    game: "Aetherbound",
    name: "Glass Tides",
    code: "GLT",
    total: 118,
    year: 2024,
    kind: "creatures",
    hues: [188, 214],
    manufacturer: null,
  },
  hollowCrown: {
    game: "Aetherbound",
    name: "Hollow Crown",
    code: "HLC",
    total: 165,
    year: 2025,
    kind: "creatures",
    hues: [268, 312],
    manufacturer: null,
  },
  firstLight: {
    game: "Wardens of Orr",
    name: "First Light",
    code: "WFL",
    total: 96,
    year: 2022,
    kind: "creatures",
    hues: [92, 140],
    manufacturer: null,
  },
  coastalRookies: {
    game: "Baseball",
    name: "Coastal League Rookies",
    code: "CLR",
    total: 200,
    year: 2024,
    kind: "players",
    hues: [212, 4],
    manufacturer: "Fairfield Press",
  },
  heritageNine: {
    game: "Baseball",
    name: "Heritage Nine",
    code: "HN9",
    total: 150,
    year: 1998,
    kind: "players",
    hues: [28, 152],
    manufacturer: "Fairfield Press",
  },
} as const satisfies Record<string, DemoSet>;

export const epithets = [
  "Charged",
  "Gloaming",
  "Riven",
  "Ashen",
  "Mirror",
  "Thornback",
  "Duskborn",
  "Sable",
  "Gilded",
  "Hushed",
  "Cinder",
  "Tidewrought",
  "Pale",
  "Verdant",
  "Frostbitten",
  "Wandering",
  "Ironclad",
  "Veiled",
  "Storm-called",
  "Lantern",
] as const;

export const creatures = [
  "Serpent",
  "Heron",
  "Warden",
  "Colossus",
  "Sprite",
  "Stag",
  "Leviathan",
  "Familiar",
  "Basilisk",
  "Moth",
  "Oracle",
  "Hound",
  "Sentinel",
  "Djinn",
  "Golem",
  "Kestrel",
  "Weaver",
  "Drake",
  "Marauder",
  "Tortoise",
] as const;

export const givenNames = [
  "Marcus",
  "Teo",
  "Dale",
  "Ruben",
  "Ellis",
  "Jonah",
  "Hideo",
  "Cal",
  "Andre",
  "Wes",
  "Mateo",
  "Silas",
  "Otis",
  "Bram",
  "Ikaika",
  "Rory",
] as const;

export const familyNames = [
  "Halloway",
  "Quintero",
  "Brandt",
  "Okafor",
  "Lindqvist",
  "Sato",
  "Varga",
  "Pell",
  "Moreau",
  "Castellan",
  "Winslow",
  "Ibarra",
  "Tully",
  "Strand",
] as const;

export const teams = [
  "Harbor Gulls",
  "Pine City Millers",
  "Redwater Pilots",
  "Saltmarsh Kings",
  "Granite Bay Foxes",
  "Old Town Lamplighters",
] as const;

export const rarities = [
  { name: "Common", weight: 46, typicalCents: 60 },
  { name: "Uncommon", weight: 26, typicalCents: 180 },
  { name: "Rare", weight: 17, typicalCents: 750 },
  { name: "Holo Rare", weight: 8, typicalCents: 2600 },
  { name: "Secret Rare", weight: 3, typicalCents: 11_500 },
] as const;
