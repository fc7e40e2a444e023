import * as z from "zod";
import { accountId, batchId, cardId, eventId, exampleId, listingId } from "./ids.ts";
import { price, totalMoney } from "./money.ts";
import {
  eventTypes,
  identifiers,
  listingEndReasons,
  marketplaces,
  workflowStatuses,
} from "./states.ts";
import type { EventType } from "./states.ts";
import { timestamp, webAddress } from "./text.ts";

/** The providers that identify, in the order in which they are asked. */
export const identifyProviders = identifiers.filter((by) => by !== "manual");
export type IdentifyProvider = (typeof identifyProviders)[number];

/** How a provider fails. Low confidence is not failing. */
export const identifyFailures = ["no_match", "error", "timeout", "not_configured"] as const;
export type IdentifyFailure = (typeof identifyFailures)[number];

/** A name in an event: `""` where it is unknown. */
const nameOrEmpty = (maxLength: number, description: string) =>
  z
    .string()
    .max(maxLength)
    .meta({ description: `${description} \`""\` where it is unknown.` });

const listingMembers = {
  listing_id: listingId,
  card_id: cardId,
  marketplace: z.enum(marketplaces),
  external_listing_id: z.string().meta({ description: "The marketplace's own identifier." }),
};

const exampleTime = "2026-03-01T09:30:00.000Z";
const examplePrice = { amount: 1250, currency: "USD" };
const exampleListing = {
  listing_id: exampleId("lst"),
  card_id: exampleId("card"),
  marketplace: "ebay" as const,
  external_listing_id: "110553190864",
};

/** The envelope has exactly five members, for every event and for ever (spec, sections 2 and 9). */
function envelope<const Name extends EventType, Data extends z.ZodType>(
  name: Name,
  description: string,
  data: Data,
  example: NoInfer<z.input<Data>>,
) {
  return z
    .strictObject({
      id: eventId,
      event: z.literal(name),
      created_at: timestamp,
      account_id: accountId,
      data,
    })
    .meta({
      title: name,
      description,
      examples: [
        {
          id: exampleId("evt"),
          event: name,
          created_at: exampleTime,
          account_id: exampleId("acc"),
          data: example,
        },
      ],
    });
}

/** The schema of each event: what builds it, checks it and documents it. */
export const eventSchemas = {
  "card.identified": envelope(
    "card.identified",
    "A card moves from imported to identified, by AI or by hand.",
    z.strictObject({
      card_id: cardId,
      title: nameOrEmpty(200, "The card's title."),
      set: nameOrEmpty(120, "The set's name."),
      number: nameOrEmpty(30, "`<n>/<total>` where the total is known.").meta({
        examples: ["4/102"],
      }),
    }),
    { card_id: exampleId("card"), title: "Charged Serpent", set: "Ember Coast", number: "12/142" },
  ),
  "card.priced": envelope(
    "card.priced",
    "A card gets an asking price for the first time.",
    z.strictObject({ card_id: cardId, asking_price: price }),
    { card_id: exampleId("card"), asking_price: examplePrice },
  ),
  "card.workflow_status_changed": envelope(
    "card.workflow_status_changed",
    "A card's workflow status changes.",
    z.strictObject({
      card_id: cardId,
      from: z.enum(workflowStatuses),
      to: z.enum(workflowStatuses),
    }),
    { card_id: exampleId("card"), from: "identified", to: "priced" },
  ),
  "listing.published": envelope(
    "listing.published",
    "A listing goes live on the marketplace.",
    z.strictObject({
      ...listingMembers,
      url: webAddress.meta({ description: "Where buyers see it." }),
      price,
      published_at: timestamp,
    }),
    {
      ...exampleListing,
      url: "https://marketplace.example/itm/110553190864",
      price: examplePrice,
      published_at: exampleTime,
    },
  ),
  "listing.sold": envelope(
    "listing.sold",
    "A listing closes with a sale.",
    z.strictObject({
      ...listingMembers,
      sold_price: totalMoney.meta({ description: "The total of all copies sold." }),
      quantity: z.int().min(1).meta({ description: "How many copies the listing sold." }),
      order_id: z.string().meta({ description: "The last order." }),
      sold_at: timestamp,
    }),
    {
      ...exampleListing,
      sold_price: examplePrice,
      quantity: 1,
      order_id: "14-12345-67890",
      sold_at: exampleTime,
    },
  ),
  "listing.ended": envelope(
    "listing.ended",
    "A listing ends without selling.",
    z.strictObject({
      ...listingMembers,
      end_reason: z.enum(listingEndReasons),
      ended_at: timestamp,
    }),
    { ...exampleListing, end_reason: "withdrawn", ended_at: exampleTime },
  ),
  "batch.completed": envelope(
    "batch.completed",
    "A batch is marked complete.",
    z.strictObject({
      batch_id: batchId,
      name: z.string().max(120).meta({ description: "The batch's name." }),
      card_count: z.int().min(0).meta({ description: "How many cards it has." }),
      completed_at: timestamp,
    }),
    {
      batch_id: exampleId("batch"),
      name: "Spring show",
      card_count: 70,
      completed_at: exampleTime,
    },
  ),
  "identify.failed": envelope(
    "identify.failed",
    "Both identification providers fail to identify a card.",
    z.strictObject({
      card_id: cardId.nullable().meta({ description: "Null where only a photo URL was given." }),
      photo_url: webAddress
        .nullable()
        .meta({ description: "The photo's address, where one was given." }),
      attempts: z
        .array(
          z.strictObject({
            provider: z.enum(identifyProviders),
            reason: z
              .enum(identifyFailures)
              .meta({ description: "A code, never a provider's text." }),
          }),
        )
        .meta({ description: "Every provider that was asked, and why it failed." }),
    }),
    {
      card_id: exampleId("card"),
      photo_url: null,
      attempts: [
        { provider: "image_recognition", reason: "no_match" },
        { provider: "generative_ai", reason: "timeout" },
      ],
    },
  ),
} satisfies { [Name in EventType]: z.ZodObject };

/** One event as it is sent. */
export type VaultEvent = { [Name in EventType]: z.output<(typeof eventSchemas)[Name]> }[EventType];

/** The `data` of one event. */
export type EventDataOf<Name extends EventType> = z.output<(typeof eventSchemas)[Name]>["data"];

/** Where the service serves the JSON Schema of an event. */
export function eventSchemaPath(name: EventType): string {
  return `/schemas/${name}.json`;
}

/** The JSON Schema (2020-12) of each event, made from the same schema that builds the event. */
export function eventJsonSchemas(): Record<EventType, Record<string, unknown>> {
  const entries = eventTypes.map((name) => [
    name,
    { $id: eventSchemaPath(name), ...z.toJSONSchema(eventSchemas[name]) },
  ]);
  return Object.fromEntries(entries) as Record<EventType, Record<string, unknown>>;
}
