import * as z from "zod";
import { entryOf, yearOf } from "./card.ts";
import type { CatalogueEntry } from "./card.ts";

const scryfallGame = "Magic: The Gathering";

/** A card object of Scryfall's bulk data. Source: scryfall.com/docs/api/cards */
const scryfallCard = z.object({
  object: z.literal("card").optional(),
  id: z.string(),
  name: z.string(),
  set: z.string(),
  set_name: z.string(),
  collector_number: z.string(),
  rarity: z.string().nullish(),
  released_at: z.string().nullish(),
  digital: z.boolean().nullish(),
  lang: z.string().nullish(),
  tcgplayer_id: z.int().nullish(),
  cardmarket_id: z.int().nullish(),
  image_uris: z.object({ small: z.string().nullish() }).nullish().catch(null),
});

/** Null where it is no card, or one that exists on screens only. */
export function readScryfallCard(value: unknown): CatalogueEntry | null {
  const result = scryfallCard.safeParse(value);
  if (!result.success || result.data.digital === true) return null;
  const { data } = result;
  const rarity = data.rarity == null ? null : capitalised(data.rarity);
  return entryOf(data.id, {
    game: scryfallGame,
    set: data.set_name,
    setCode: data.set.toUpperCase(),
    number: data.collector_number,
    // Scryfall's cards do not carry their set's size.
    setTotal: null,
    name: data.name,
    rarity,
    year: yearOf(data.released_at),
    externalIds: {
      scryfall: data.id,
      ...(data.tcgplayer_id == null ? {} : { tcgplayer: String(data.tcgplayer_id) }),
      ...(data.cardmarket_id == null ? {} : { cardmarket: String(data.cardmarket_id) }),
    },
    imageUrl: data.image_uris?.small ?? null,
  });
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
