import * as z from "zod";
import { cardMaxima } from "./card-maxima.ts";
import { totalMoney } from "./money.ts";
import { filledText, text, timestamp } from "./text.ts";

/** Where cards lie is free text. What stands between the account's separators is read as a tree. */

export const placeMaxima = { code: 40, note: 500, capacity: 1_000_000 } as const;

const path = filledText(cardMaxima.location);
/** As a barcode can hold it, and as a scanner types it. */
const code = z
  .string()
  .min(1)
  .max(placeMaxima.code)
  .regex(/^[\x21-\x7e]+$/, "May hold ASCII characters without spaces");

/** What is known of a place besides the cards that lie there. */
export const place = z.strictObject({
  path,
  code: code.nullable().meta({ description: "What its label says to a scanner. Unique." }),
  note: text(placeMaxima.note).nullable(),
  capacity: z.int().min(1).max(placeMaxima.capacity).nullable().meta({
    description: "Copies that it holds, in whatever lies within it too.",
  }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Place = z.output<typeof place>;

const sums = {
  /** Cards that say so, sold and archived ones too. */
  cards: z.int().min(0),
  /** Neither sold nor archived; the three below are theirs. */
  present: z.int().min(0),
  copies: z.int().min(0),
  asking_value: totalMoney,
  cost: totalMoney,
};

/** A place in the tree, with everything within it. */
export const locationNode = z.strictObject({
  /** The whole text, as the cards of exactly this place have it. */
  path: z.string(),
  /** Its last part. */
  name: z.string(),
  /** Cards of exactly this place. */
  own_cards: z.int().min(0),
  has_children: z.boolean(),
  /** Null where nobody has written anything about it. */
  place: place.nullable(),
  ...sums,
});
export type LocationNode = z.output<typeof locationNode>;

export const maxTreeNodes = 1_000;

/** `locations.tree`: one level, by name. Without `under` the topmost. */
export const locationTreeInput = z.strictObject({
  under: path.optional(),
  limit: z.int().min(1).max(maxTreeNodes).default(maxTreeNodes),
});
export type LocationTreeInput = z.output<typeof locationTreeInput>;
export const locationTree = z.strictObject({
  separator: z.string(),
  nodes: z.array(locationNode),
  /** There are more on this level than were asked for. */
  has_more: z.boolean(),
  /** Of the whole level and what lies within; at the top also of the account. */
  totals: z.strictObject(sums),
  /** Cards, neither sold nor archived, that say no location. At the top only. */
  without_location: z.int().min(0).nullable(),
});
export type LocationTree = z.output<typeof locationTree>;

/** `locations.suggest`: places that begin so, then those that contain it or are spelt like it. */
export const locationSuggestInput = z.strictObject({
  text: text(cardMaxima.location),
  limit: z.int().min(1).max(50).default(10),
});
export const locationSuggestAnswer = z.strictObject({
  data: z.array(
    z.strictObject({
      path: z.string(),
      present: z.int().min(0),
      match: z.enum(["prefix", "similar"]),
    }),
  ),
});
export type LocationSuggestions = z.output<typeof locationSuggestAnswer>;

/** `locations.rename`: a place, and unless told what lies within it. To one that exists: merged. Answers a job. */
export const locationRenameInput = z.strictObject({
  from: path,
  to: path,
  within_too: z.boolean().default(true),
});
export type LocationRename = z.output<typeof locationRenameInput>;

/**
 * `locations.places.save`: by its path. What is left out is null. 409 `conflict` for a code that another has;
 * 412 `precondition_failed` where a member is not what was `expected` of it, and nothing is changed.
 */
export const placeSaveInput = z.strictObject({
  path,
  code: code.nullable().default(null),
  note: text(placeMaxima.note).nullable().default(null),
  capacity: place.shape.capacity.default(null),
  /** What the editor read; null for a place that was not described yet. */
  expected: place.pick({ code: true, note: true, capacity: true }).nullable().optional(),
});
export type PlaceSave = z.output<typeof placeSaveInput>;

/** `locations.places.remove`: what is known of it; cards keep their location. */
export const placeIdInput = z.strictObject({ path: text(cardMaxima.location) });
export const placeRemoveAnswer = z.strictObject({ path: z.string() });

/** `locations.places.list`: by path. */
export const placeListInput = z.strictObject({
  after: text(cardMaxima.location)
    .optional()
    .meta({ description: "The path of the last one of the page before." }),
  limit: z.int().min(1).max(500).default(200),
});
export const placeListAnswer = z.strictObject({
  data: z.array(place.extend({ present: z.int().min(0), copies: z.int().min(0) })),
  has_more: z.boolean(),
});
export type PlaceList = z.output<typeof placeListAnswer>;
