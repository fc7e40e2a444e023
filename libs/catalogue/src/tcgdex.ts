import * as z from "zod";
import { entryOf, yearOf } from "./card.ts";
import type { CatalogueEntry } from "./card.ts";

const tcgdexGame = "Pokémon";

const id = z.union([z.string(), z.number()]).transform(String);

/** A card as TCGdex's REST API and its compiled lists write it. Sources: tcgdex.dev/reference/card */
const fullCard = z.object({
  id: z.string(),
  localId: id,
  name: z.string(),
  rarity: z.string().nullish(),
  image: z.string().nullish(),
  set: z.object({
    id: z.string(),
    name: z.string(),
    releaseDate: z.string().nullish(),
    cardCount: z.object({ official: z.int().nullish(), total: z.int().nullish() }).nullish(),
  }),
  thirdParty: z.object({ cardmarket: id.nullish(), tcgplayer: id.nullish() }).nullish().catch(null),
});

/** A card of a list that was flattened to what identification needs. */
const flatCard = z.object({
  set: z.string(),
  setName: z.string(),
  n: id,
  name: z.string(),
  rarity: z.string().nullish(),
  tot: z.int().nullish(),
  rel: z.string().nullish(),
  tcgp: z.array(id).nullish(),
});

/** A card of TCGdex in either form; null where it is none that a catalogue can hold. */
export function readTcgdexCard(value: unknown): CatalogueEntry | null {
  const full = fullCard.safeParse(value);
  if (full.success) {
    const { set, thirdParty, image, ...card } = full.data;
    return tcgdexEntry({
      setId: set.id,
      setName: set.name,
      number: card.localId,
      name: card.name,
      rarity: card.rarity,
      total: set.cardCount?.official,
      released: set.releaseDate,
      tcgplayer: thirdParty?.tcgplayer,
      cardmarket: thirdParty?.cardmarket,
      image: image == null ? null : `${image}/low.webp`,
    });
  }
  const flat = flatCard.safeParse(value);
  if (!flat.success) return null;
  const { data } = flat;
  return tcgdexEntry({
    setId: data.set,
    setName: data.setName,
    number: data.n,
    name: data.name,
    rarity: data.rarity,
    total: data.tot,
    released: data.rel,
    tcgplayer: data.tcgp?.[0],
    cardmarket: null,
    image: null,
  });
}

export interface TcgdexFacts {
  setId: string;
  setName: string;
  number: string;
  name: string;
  rarity: string | null | undefined;
  total: number | null | undefined;
  released: string | null | undefined;
  tcgplayer: string | null | undefined;
  cardmarket: string | null | undefined;
  image: string | null;
}

/** The entry of a card of TCGdex, whatever layout its facts came from. */
export function tcgdexEntry(facts: TcgdexFacts): CatalogueEntry | null {
  const tcgdexId = `${facts.setId}-${facts.number}`;
  // "None" is how TCGdex writes that a card has no rarity.
  const rarity = facts.rarity == null || facts.rarity === "None" ? null : facts.rarity;
  return entryOf(tcgdexId, {
    game: tcgdexGame,
    set: facts.setName,
    setCode: facts.setId,
    number: facts.number,
    setTotal: facts.total == null || facts.total < 1 ? null : facts.total,
    name: facts.name,
    rarity,
    year: yearOf(facts.released),
    externalIds: {
      tcgdex: tcgdexId,
      ...(facts.tcgplayer == null ? {} : { tcgplayer: facts.tcgplayer }),
      ...(facts.cardmarket == null ? {} : { cardmarket: facts.cardmarket }),
    },
    imageUrl: facts.image,
  });
}
