/** The orders of lists, beside their schemas so that a page can name them without those. */

/** Each member ascending, and descending with `-` before it. */
export function sorts<const Member extends string>(
  ...members: Member[]
): (Member | `-${Member}`)[] {
  return members.flatMap((member) => [member, `-${member}` as const]);
}

/**
 * `location` and `set_number` are natural: A-2 comes before A-10, and 4/102 before 12/102. Cards without the
 * value come last in both directions.
 */
export const inventorySorts = sorts(
  "created_at",
  "updated_at",
  "asking_price",
  "market_price",
  "title",
  "location",
  "set_number",
);
export type InventorySort = (typeof inventorySorts)[number];

/** The best first: the SKU or certificate itself, then the number, the title, whole words, the rest. */
export const relevance = "relevance";
