/** The documented maxima of a card, in characters unless they say otherwise. */
export const cardMaxima = {
  title: 200,
  game: 60,
  set: 120,
  setCode: 30,
  number: 30,
  name: 120,
  rarity: 60,
  language: 35,
  printRun: 1_000_000,
  serialNumber: 30,
  /** eBay's limit. */
  sku: 50,
  location: 120,
  notes: 10_000,
  tags: 50,
  tag: 50,
  externalIds: 20,
  externalIdName: 50,
  externalId: 100,
} as const;
