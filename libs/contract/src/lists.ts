import * as z from "zod";
import { batch } from "./batch.ts";
import { cardMaxima } from "./card-maxima.ts";
import { card } from "./card.ts";
import { pathId } from "./ids.ts";
import { defaultPageSize, maxFilterValues, maxPageSize } from "./limits.ts";
import { listing } from "./listing.ts";
import { batchStatuses, cardStatuses, listingStatuses, workflowStatuses } from "./states.ts";
import { sorts } from "./sorts.ts";
import { filledText, requestTime } from "./text.ts";

/** A filter that can be repeated; its values are joined by OR. */
export function anyOf<Value extends z.ZodType>(value: Value) {
  return z.array(value).min(1).max(maxFilterValues).optional();
}

/** A page's size. Clamping comes before the checks, so that a number of any length is clamped. */
export const pageLimit = z
  .number()
  .overwrite((value) => (Number.isInteger(value) ? Math.min(value, maxPageSize) : value))
  .int()
  .min(1)
  .default(defaultPageSize)
  .meta({ description: `Rows a page. Above ${maxPageSize} is clamped to ${maxPageSize}.` });

export const pageCursor = z
  .string()
  .min(1)
  .max(2048)
  .optional()
  .meta({ description: "`next_cursor` of the page before, with the same filters." });

/** What every page of a list can be asked for. */
export const pageShape = { limit: pageLimit, cursor: pageCursor };

/**
 * How many rows a list has in all, counted up to one more than `maxExactCount`: that is "10,000+". Null for a page
 * behind the first, and where counting would cost more than the list.
 */
export const listTotal = z.int().min(0).nullable();

export const cardSorts = sorts("created_at", "updated_at", "asking_price", "title");
export const batchSorts = sorts("created_at", "updated_at", "name");
export const listingSorts = sorts("created_at", "updated_at", "price");
export type CardSort = (typeof cardSorts)[number];
export type BatchSort = (typeof batchSorts)[number];
export type ListingSort = (typeof listingSorts)[number];
/** Where no sort is asked for, and no `updated_since`. */
export const defaultSort = "-created_at";

const updatedSince = requestTime.optional().meta({
  description:
    "Rows changed at or after this moment, in the order of their change. RFC 3339 with an offset.",
  examples: ["2026-03-01T09:30:00Z"],
});

/** Polling has an order of its own, so only the same one can be asked for beside it. */
function sortFitsPolling(query: { updated_since?: unknown; sort?: string | undefined }): boolean {
  return (
    query.updated_since === undefined || query.sort === undefined || query.sort === "updated_at"
  );
}

const sortMisfit = { message: "Only updated_at can be used with updated_since", path: ["sort"] };

/** What both `GET /cards` and the inventory of the web interface can be asked for. */
export const cardFilterShape = {
  updated_since: updatedSince,
  status: anyOf(z.enum(cardStatuses)),
  workflow_status: anyOf(z.enum(workflowStatuses)),
  location: anyOf(filledText(cardMaxima.location + 1)).meta({
    description: "Exact, or a prefix that ends in `*`.",
  }),
  set: anyOf(filledText(cardMaxima.set)).meta({
    description: "Set name in any case, or set code.",
  }),
  game: anyOf(filledText(cardMaxima.game)),
  needs_review: z.boolean().optional(),
  graded: z.boolean().optional(),
  sku: anyOf(filledText(cardMaxima.sku)),
  q: filledText(200).optional().meta({ description: "Words in title, set, number and subject." }),
};

/** Not of a batch's own list. */
export const batchFilter = anyOf(filledText(120)).meta({
  description: "Batch identifier or code.",
});

const cardFilters = { ...cardFilterShape, sort: z.enum(cardSorts).optional(), ...pageShape };

/** `GET /cards`. */
export const cardListQuery = z
  .strictObject({ ...cardFilters, batch: batchFilter })
  .refine(sortFitsPolling, sortMisfit);
export type CardListQuery = z.output<typeof cardListQuery>;

/** `GET /batches/:id/cards`: as `GET /cards` without `batch`. */
export const batchCardsQuery = z
  .strictObject({ id: pathId("batch"), ...cardFilters })
  .refine(sortFitsPolling, sortMisfit);
export type BatchCardsQuery = z.output<typeof batchCardsQuery>;

/** `GET /batches`. */
export const batchListQuery = z
  .strictObject({
    updated_since: updatedSince,
    status: anyOf(z.enum(batchStatuses)),
    sort: z.enum(batchSorts).optional(),
    ...pageShape,
  })
  .refine(sortFitsPolling, sortMisfit);
export type BatchListQuery = z.output<typeof batchListQuery>;

/** `GET /listings`. */
export const listingListQuery = z
  .strictObject({
    updated_since: updatedSince,
    status: anyOf(z.enum(listingStatuses)),
    card: anyOf(filledText(120)).meta({ description: "Card identifier." }),
    sort: z.enum(listingSorts).optional(),
    ...pageShape,
  })
  .refine(sortFitsPolling, sortMisfit);
export type ListingListQuery = z.output<typeof listingListQuery>;

/** One page of a list that can be polled. */
function listAnswer<Row extends z.ZodType>(id: string, row: Row) {
  return z
    .strictObject({
      data: z.array(row),
      next_cursor: z.string().nullable().meta({ description: "Null on the last page." }),
      has_more: z.boolean(),
      next_updated_since: z.iso.datetime({ offset: true }).optional().meta({
        description: "On the last page of a poll: the `updated_since` of the next one.",
      }),
    })
    .meta({ id, description: "One page." });
}

export const cardList = listAnswer("CardList", card);
export const batchList = listAnswer("BatchList", batch);
export const listingList = listAnswer("ListingList", listing);
export type CardList = z.output<typeof cardList>;
export type BatchList = z.output<typeof batchList>;
export type ListingList = z.output<typeof listingList>;
