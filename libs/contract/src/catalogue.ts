import * as z from "zod";
import { filledText, webAddress } from "./text.ts";

/** A card of the catalogue: a printing that a public list knows, nobody's own card. */
export const catalogueCard = z
  .strictObject({
    source: z.string().meta({ description: "The list that it came from." }),
    source_id: z.string().meta({ description: "Its id in that list." }),
    game: z.string(),
    set: z.string(),
    set_code: z.string().nullable(),
    number: z.string().meta({ description: "`<n>/<total>` where the total is known." }),
    name: z.string(),
    rarity: z.string().nullable(),
    year: z.int().nullable(),
    external_ids: z.record(z.string(), z.string()),
    image_url: webAddress.nullable(),
    nearness: z.number().min(0).max(1).meta({ description: "To what was asked, 0 to 1." }),
  })
  .meta({ id: "CatalogueCard", description: "A printing that a public list knows." });
export type CatalogueCardAnswer = z.output<typeof catalogueCard>;

/** `catalogue.search` (session): words, which may be misspelt, and a number. */
export const catalogueSearchInput = z.strictObject({
  q: filledText(200).meta({ description: "Words of name and set, and a number like `12/142`." }),
  game: filledText(60).optional(),
  limit: z.int().min(1).max(50).default(20),
});
export type CatalogueSearch = z.output<typeof catalogueSearchInput>;

/** The nearest first. */
export const catalogueSearchAnswer = z.strictObject({ data: z.array(catalogueCard).max(50) });
