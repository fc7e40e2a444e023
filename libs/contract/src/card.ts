import * as z from "zod";
import { cardMaxima } from "./card-maxima.ts";
import { batchId, cardId, exampleId, listingId, pathId, photoId } from "./ids.ts";
import { currency, maxAmount, maxQuantity, money, price } from "./money.ts";
import {
  cardStatuses,
  conditions,
  identifiers,
  photoSides,
  reviewReasons,
  workflowStatuses,
} from "./states.ts";
import { filledText, text, timestamp, webAddress } from "./text.ts";

const name = filledText(cardMaxima.name).nullable();

/** What a card is. Null where it is not known. */
export const identificationShape = {
  title: filledText(cardMaxima.title).nullable(),
  game: filledText(cardMaxima.game).nullable(),
  set: filledText(cardMaxima.set).nullable().meta({ description: "Set name." }),
  set_code: filledText(cardMaxima.setCode).nullable(),
  number: filledText(cardMaxima.number)
    .nullable()
    .meta({ description: "Number within the set, `<n>/<total>` or plain.", examples: ["4/102"] }),
  year: z.int().min(1800).max(2100).nullable(),
  subject: name.meta({ description: "Player or character." }),
  team: name,
  manufacturer: name,
  variant: name,
  rarity: filledText(cardMaxima.rarity).nullable(),
  language: filledText(cardMaxima.language).nullable(),
  print_run: z.int().min(1).max(cardMaxima.printRun).nullable(),
  serial_number: filledText(cardMaxima.serialNumber).nullable(),
  is_rookie: z.boolean(),
  is_autograph: z.boolean(),
  is_memorabilia: z.boolean(),
};

export const condition = z.enum(conditions).meta({
  id: "Condition",
  description: "The condition of an ungraded card.",
  examples: ["near_mint"],
});

const gradingShape = {
  grader: filledText(20),
  grade: filledText(20),
  cert_number: filledText(30).nullable(),
  qualifier: filledText(20).nullable(),
};

export const grading = z.strictObject(gradingShape).meta({
  id: "Grading",
  description: "What a grading company says of the card.",
  examples: [{ grader: "PSA", grade: "9", cert_number: "48213377", qualifier: null }],
});
export type Grading = z.output<typeof grading>;

/** As given by a client: what the label does not show may be left out. */
export const gradingInput = z
  .strictObject({
    ...gradingShape,
    cert_number: gradingShape.cert_number.default(null),
    qualifier: gradingShape.qualifier.default(null),
  })
  .meta({ id: "GradingInput", description: "What a grading company says of the card." });

const marketPrice = z
  .strictObject({
    amount: z.int().min(0).max(maxAmount),
    currency,
    source: filledText(60),
    as_of: timestamp,
  })
  .meta({ id: "MarketPrice", description: "The last suggestion of a price lookup." });

export const photo = z
  .strictObject({
    id: photoId,
    side: z.enum(photoSides),
    url: webAddress,
    thumbnail_url: webAddress,
    width: z.int().min(1),
    height: z.int().min(1),
  })
  .meta({ id: "Photo", description: "A photo. Its URLs can be fetched as they are." });

const sku = filledText(cardMaxima.sku);
const location = filledText(cardMaxima.location);
const tags = z.array(filledText(cardMaxima.tag)).max(cardMaxima.tags);

const externalIds = z
  .record(filledText(cardMaxima.externalIdName), filledText(cardMaxima.externalId))
  .refine((ids) => Object.keys(ids).length <= cardMaxima.externalIds, "Too many external ids")
  .meta({ maxProperties: cardMaxima.externalIds });

/** A card as it is answered. */
export const card = z
  .strictObject({
    id: cardId,
    batch_id: batchId.nullable(),
    sku: sku.nullable(),
    status: z.enum(cardStatuses),
    workflow_status: z.enum(workflowStatuses),
    needs_review: z.boolean(),
    review_reason: z.enum(reviewReasons).nullable(),
    ...identificationShape,
    condition: condition.nullable(),
    grading: grading.nullable(),
    quantity: z.int().min(0).max(maxQuantity),
    asking_price: price.nullable(),
    price_floor: money.nullable(),
    purchase_price: money.nullable().meta({ description: "What the card cost." }),
    market_price: marketPrice.nullable(),
    location: location.nullable(),
    photos: z.array(photo),
    external_ids: externalIds,
    notes: text(cardMaxima.notes).nullable(),
    tags,
    identified_by: z.enum(identifiers).nullable(),
    identification_confidence: z.number().min(0).max(1).nullable(),
    identified_at: timestamp.nullable(),
    listing_id: listingId
      .nullable()
      .meta({ description: "The publishing or live listing, else the latest." }),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({
    id: "Card",
    description: "A trading card, or several copies of one.",
    examples: [
      {
        id: exampleId("card"),
        batch_id: exampleId("batch"),
        sku: "CV-000412",
        status: "identified",
        workflow_status: "priced",
        needs_review: false,
        review_reason: null,
        title: "Charged Serpent",
        game: "Runes of Avarra",
        set: "Storm Harbour",
        set_code: "STH",
        number: "12/180",
        year: 2024,
        subject: "Charged Serpent",
        team: null,
        manufacturer: null,
        variant: "foil",
        rarity: "rare",
        language: "en",
        print_run: null,
        serial_number: null,
        is_rookie: false,
        is_autograph: false,
        is_memorabilia: false,
        condition: "near_mint",
        grading: null,
        quantity: 1,
        asking_price: { amount: 1250, currency: "USD" },
        price_floor: { amount: 900, currency: "USD" },
        purchase_price: { amount: 400, currency: "USD" },
        market_price: null,
        location: "A-03-12",
        photos: [],
        external_ids: {},
        notes: null,
        tags: ["binder"],
        identified_by: "manual",
        identification_confidence: null,
        identified_at: "2026-03-01T09:30:00.000Z",
        listing_id: null,
        version: 3,
        created_at: "2026-02-27T16:02:11.040Z",
        updated_at: "2026-03-01T09:30:00.000Z",
      },
    ],
  });
export type Card = z.output<typeof card>;

/** What both a new card and a change of one can give. Null clears; arrays are replaced whole. */
const editableShape = {
  ...z.strictObject(identificationShape).partial().shape,
  condition: condition.nullable().optional(),
  grading: gradingInput.nullable().optional(),
  asking_price: price.nullable().optional(),
  price_floor: money.nullable().optional(),
  purchase_price: money.nullable().optional(),
  location: location.nullable().optional(),
  notes: text(cardMaxima.notes).nullable().optional(),
  tags: tags.nullable().optional(),
  sku: sku.nullable().optional(),
  quantity: z.int().min(1).max(maxQuantity).optional(),
};

const patchShape = {
  ...editableShape,
  workflow_status: z.enum(workflowStatuses).optional(),
};

const notBoth = {
  message: "A card has a condition or a grading, never both",
  path: ["grading"],
};

/** A value clears the other one, so a body that gives a value for both contradicts itself. */
function givesOneAtMost(body: { condition?: unknown; grading?: unknown }): boolean {
  return (body.condition ?? null) === null || (body.grading ?? null) === null;
}

/** The body of `PATCH /cards/:id`: every member is optional, and null clears. */
export const cardPatch = z
  .strictObject(patchShape)
  .refine(givesOneAtMost, notBoth)
  .meta({
    id: "CardPatch",
    description: "Every member is optional. Null clears; objects and arrays are replaced whole.",
    examples: [{ asking_price: { amount: 1250, currency: "USD" } }],
  });
export type CardPatch = z.output<typeof cardPatch>;

/** `cards.update`: the patch beside the card that it changes. */
export const cardUpdateInput = z
  .strictObject({ id: pathId("card"), ...patchShape })
  .refine(givesOneAtMost, notBoth);

export const cardGetInput = z.strictObject({ id: pathId("card") });

/** `cards.create` (session). A title makes the card identified by hand in the same change. */
export const cardCreateInput = z
  .strictObject({
    batch_id: batchId.nullable().optional(),
    ...editableShape,
    external_ids: externalIds.optional(),
  })
  .refine(givesOneAtMost, notBoth);
export type CardCreate = z.output<typeof cardCreateInput>;
