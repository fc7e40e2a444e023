import * as z from "zod";

/** The longest texts that a catalogue keeps; a list that has longer ones is wrong there. */
const maxNameLength = 200;
const maxCodeLength = 60;

const filled = (maxLength: number) => z.string().trim().min(1).max(maxLength);

/** One printing of one card, as a public list names it. */
export const catalogueCard = z.object({
  game: filled(60),
  set: filled(120),
  setCode: filled(30).nullable(),
  /** As printed, without the total. */
  number: filled(20),
  /** How many cards the set says it has; null where it does not say. */
  setTotal: z.int().min(1).max(100_000).nullable(),
  name: filled(maxNameLength),
  rarity: filled(60).nullable(),
  year: z.int().min(1800).max(2100).nullable(),
  /** Ids that others know the card by, for price sources. */
  externalIds: z.record(z.string().min(1).max(50), z.string().min(1).max(100)),
  /** A picture that others host. Never fetched by the importer. */
  imageUrl: z
    .url({ protocol: /^https$/ })
    .max(500)
    .nullable(),
});
export type CatalogueCard = z.output<typeof catalogueCard>;

/** One row of a list: the card and the id that it has in that list, by which it is told from others. */
export interface CatalogueEntry {
  readonly sourceId: string;
  readonly card: CatalogueCard;
}

/** Null where it is no card, or one that a catalogue cannot hold. */
export function entryOf(
  sourceId: string,
  card: z.input<typeof catalogueCard>,
): CatalogueEntry | null {
  const result = catalogueCard.safeParse(card);
  if (!result.success || sourceId === "" || sourceId.length > maxCodeLength * 2) return null;
  return { sourceId, card: result.data };
}

/** The year of a date like `2010-02-10` or `2010/02/10`; null where it has none. */
export function yearOf(date: string | null | undefined): number | null {
  const [, year] = /^(\d{4})\b/.exec(date ?? "") ?? [];
  return year === undefined ? null : Number(year);
}
