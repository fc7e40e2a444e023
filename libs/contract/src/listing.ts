import * as z from "zod";
import { cardId, exampleId, listingId, pathId } from "./ids.ts";
import { maxQuantity, price, totalMoney } from "./money.ts";
import { listingEndReasons, listingFormats, listingStatuses, marketplaces } from "./states.ts";
import { filledText, text, timestamp, webAddress } from "./text.ts";

/** The documented maxima of a listing, in characters. A title of 80 is the marketplace's limit. */
export const listingMaxima = { title: 80, description: 10_000, externalId: 100 } as const;

const externalId = filledText(listingMaxima.externalId);

const listingError = z
  .strictObject({ code: z.string(), message: z.string(), field: z.string().nullable() })
  .meta({ id: "ListingError", description: "Why the marketplace refused the listing." });

/** A listing as it is answered. */
export const listing = z
  .strictObject({
    id: listingId,
    card_id: cardId,
    marketplace: z.enum(marketplaces),
    status: z.enum(listingStatuses),
    external_listing_id: externalId.nullable(),
    url: webAddress.nullable(),
    title: filledText(listingMaxima.title),
    description: text(listingMaxima.description).nullable(),
    category_id: externalId.nullable(),
    format: z.enum(listingFormats),
    price,
    quantity: z.int().min(0).max(maxQuantity),
    quantity_sold: z.int().min(0),
    published_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    end_reason: z.enum(listingEndReasons).nullable(),
    sold_at: timestamp.nullable(),
    sold_price: totalMoney.nullable().meta({ description: "The total of all copies sold." }),
    order_id: externalId.nullable().meta({ description: "The last order." }),
    error: listingError.nullable(),
    last_synced_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({
    id: "Listing",
    description: "A card offered on a marketplace.",
    examples: [
      {
        id: exampleId("lst"),
        card_id: exampleId("card"),
        marketplace: "ebay",
        status: "live",
        external_listing_id: "110554871203",
        url: "https://www.ebay.com/itm/110554871203",
        title: "Charged Serpent 12/180 Storm Harbour Foil NM",
        description: null,
        category_id: "183454",
        format: "fixed_price",
        price: { amount: 1250, currency: "USD" },
        quantity: 1,
        quantity_sold: 0,
        published_at: "2026-03-02T10:00:00.000Z",
        ended_at: null,
        end_reason: null,
        sold_at: null,
        sold_price: null,
        order_id: null,
        error: null,
        last_synced_at: "2026-03-02T10:05:00.000Z",
        created_at: "2026-03-02T09:59:58.120Z",
        updated_at: "2026-03-02T10:00:00.000Z",
      },
    ],
  });
export type Listing = z.output<typeof listing>;

const publishShape = {
  price: price.optional().meta({ description: "The listing's own; else the card's asking price." }),
  title: filledText(listingMaxima.title).optional(),
  description: text(listingMaxima.description).optional(),
  dry_run: z.boolean().optional().meta({ description: "Check every rule and publish nothing." }),
};

/** The body of `POST /listings/:cardId/publish`; an empty one is fine. */
export const publishBody = z
  .strictObject(publishShape)
  .meta({ id: "PublishRequest", description: "How to publish a card." });

/** `listings.publish`: the body beside the card. */
export const publishInput = z.strictObject({ cardId: pathId("card"), ...publishShape });
export type PublishRequest = z.output<typeof publishInput>;

/** The answer to a publication with `dry_run`: every rule that the card fails, at once. */
export const publishDryRun = z
  .strictObject({
    card_id: cardId,
    publishable: z.boolean(),
    problems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  })
  .meta({ id: "PublishDryRun", description: "What would keep the card from being published." });
export type PublishDryRun = z.output<typeof publishDryRun>;

/** What publishing answers: 202 with the listing, or 200 with what a dry run found. */
export const publishAnswer = z.union([listing, publishDryRun]);
