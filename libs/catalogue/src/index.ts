export { catalogueCard } from "./card.ts";
export type { CatalogueCard, CatalogueEntry } from "./card.ts";
export * from "./compare.ts";
export {
  findInvented,
  inventedCard,
  inventedCatalogue,
  inventedId,
  inventedSets,
} from "./invented.ts";
export type { InventedCard, InventedSet } from "./invented.ts";
export { creatures, epithets, familyNames, givenNames, teams } from "./invented-words.ts";
export { judgeCards } from "./judge.ts";
export type { KnownCard, ReadCard, Verdict } from "./judge.ts";
export { readScryfallCard } from "./scryfall.ts";
export { ListFormatError, splitJsonObjects } from "./split-json.ts";
export type { JsonItem } from "./split-json.ts";
export { readTcgdexCardFile, readTcgdexSetFile } from "./tcgdex-repository.ts";
export type { TcgdexSet } from "./tcgdex-repository.ts";
export { readTcgdexCard } from "./tcgdex.ts";
