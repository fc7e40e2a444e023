import * as z from "zod";
import { jobItemCard } from "./history.ts";
import { batchId, cardId, pathId } from "./ids.ts";
import { listing, listingMaxima } from "./listing.ts";
import { price } from "./money.ts";
import { cardSelectionSchema } from "./selection.ts";
import { filledText, text, timestamp } from "./text.ts";

/** What publishing asks of the marketplace, one after the other. */
export const publicationSteps = [
  "waiting",
  "look",
  "item",
  "offer",
  "terms",
  "publish",
  "done",
] as const;

/** What a live listing can be given anew from its card: its price, its templates, its photos, its state. */
export const revisionParts = [
  "price",
  "title",
  "description",
  "quantity",
  "photos",
  "condition",
] as const;
export type RevisionPart = (typeof revisionParts)[number];

/** How far the publication of a listing is, and what it is still to be given. */
const publication = z.strictObject({
  step: z.enum(publicationSteps),
  tries: z.int().min(0).meta({ description: "Tries in a row that met something passing." }),
  next_try_at: timestamp.nullable(),
  deadline_at: timestamp.meta({ description: "Not live by then, publishing is given up." }),
  is_cancelling: z.boolean(),
  is_withdrawing: z.boolean(),
  pending: z
    .array(z.enum(revisionParts))
    .meta({ description: "What a revision that is under way brings." }),
});

/**
 * `listings.get`, and what `listings.end`, `.revise`, `.retry` and `.cancelPublishing` answer. Without a
 * publication it was made at the marketplace, not here.
 */
export const listingDetail = z.strictObject({ listing, publication: publication.nullable() });
export type ListingDetail = z.output<typeof listingDetail>;

/** `listings.get`, `.end`, `.retry`, `.cancelPublishing`. */
export const listingIdInput = z.strictObject({ id: pathId("lst") });

const refresh = z
  .array(z.enum(revisionParts))
  .max(revisionParts.length)
  .meta({
    description:
      "Taken anew from the card: its asking price, title and description by the templates, its copies, " +
      "photos, and its condition or grading with what else says what it is.",
  });

/** `listings.revise`: what a live listing is to be given. Price, title and description are its own. */
export const listingReviseInput = z
  .strictObject({
    id: pathId("lst"),
    price: price.optional(),
    title: filledText(listingMaxima.title).optional(),
    description: text(listingMaxima.description).optional(),
    refresh: refresh.default([]),
  })
  .refine(
    (given) =>
      given.refresh.length > 0 ||
      given.price !== undefined ||
      given.title !== undefined ||
      given.description !== undefined,
    "Nothing is to be revised",
  )
  .refine(
    (given) => given.refresh.every((part) => !(part in given)),
    "A member is given, or taken anew from the card",
  );
export type ListingRevise = z.output<typeof listingReviseInput>;

/** What is done to the listings of many cards. Each card that a rule keeps from it fails with all of them. */
export const listingBulkActions = [
  z
    .strictObject({ type: z.literal("publish_listings") })
    .meta({ description: "At the asking price, titled by the templates." }),
  z.strictObject({ type: z.literal("end_listings") }).meta({
    description: "Live listings are withdrawn, and what is publishing is cancelled.",
  }),
  z.strictObject({ type: z.literal("revise_listings"), refresh: refresh.min(1) }),
] as const;

/** `listings.previewPublish`: what would keep the cards of a selection from being published. */
export const previewPublishInput = z.strictObject({
  selection: cardSelectionSchema,
  rows: z.int().min(1).max(200).default(50).meta({ description: "Cards that are shown." }),
});
export type PreviewPublishInput = z.output<typeof previewPublishInput>;

const problem = z.strictObject({ path: z.string(), message: z.string() });

/** Cards that a preview looks at. */
export const maxPublishPreviewed = 10_000;

export const previewPublishAnswer = z.strictObject({
  rows: z
    .array(
      z.strictObject({
        card: jobItemCard,
        title: z.string().meta({ description: "The listing's, by the templates." }),
        price: price.nullable(),
        problems: z.array(problem),
      }),
    )
    .meta({ description: "Cards that fail a rule come first." }),
  totals: z.strictObject({
    cards: z.int().min(0),
    publishable: z.int().min(0),
    already_listed: z.int().min(0),
    failed: z.int().min(0),
    rules: z
      .array(z.strictObject({ ...problem.shape, cards: z.int().min(1) }))
      .meta({ description: "Every rule that a card fails, the most frequent first." }),
  }),
  /** False where there are more cards than {@link maxPublishPreviewed}. */
  is_complete: z.boolean(),
});
export type PreviewPublish = z.output<typeof previewPublishAnswer>;

/** The documented maxima of a template, in characters. */
export const templateMaxima = { title: 300, description: 4_000 } as const;

const templatesShape = {
  title: filledText(templateMaxima.title).nullable(),
  description: filledText(templateMaxima.description).nullable(),
};

/** Of whom templates are: a batch or a card. */
const ownerShape = { batch_id: batchId.optional(), card_id: cardId.optional() };
const namesOne = {
  of: (owner: { batch_id?: unknown; card_id?: unknown }): boolean =>
    (owner.batch_id === undefined) !== (owner.card_id === undefined),
  message: "Exactly one of batch_id and card_id",
};

/** `listings.templates.get`. Of neither: the account's, which are saved with its settings. */
export const templateOwnerInput = z
  .strictObject(ownerShape)
  .refine(
    (owner) => owner.batch_id === undefined || owner.card_id === undefined,
    "At most one of batch_id and card_id",
  );
export type TemplateOwnerInput = z.output<typeof templateOwnerInput>;

/** `listings.templates.save`. Null: the next one above holds, the batch's or the account's. */
export const templateSaveInput = z
  .strictObject({ ...ownerShape, ...templatesShape })
  .refine(namesOne.of, namesOne.message);
export type TemplateSave = z.output<typeof templateSaveInput>;

export const templatesAnswer = z.strictObject({
  own: z.strictObject(templatesShape),
  effective: z
    .strictObject({ title: z.string(), description: z.string() })
    .meta({ description: "What holds: the nearest that says something." }),
  inherited: z
    .strictObject({ title: z.string(), description: z.string() })
    .meta({ description: "What would hold if this one said nothing." }),
  placeholders: z.array(z.string()),
});
export type TemplatesAnswer = z.output<typeof templatesAnswer>;

/** `listings.previewTemplate`: what templates make of a card. Those left out are the ones that hold. */
export const previewTemplateInput = z.strictObject({
  card_id: cardId.optional().meta({ description: "Else the card that was changed last." }),
  title: filledText(templateMaxima.title).optional(),
  description: filledText(templateMaxima.description).optional(),
});
export type PreviewTemplateInput = z.output<typeof previewTemplateInput>;

export const previewTemplateAnswer = z.strictObject({
  card_id: cardId.nullable().meta({ description: "Null where the account has no card to show." }),
  title: z.string(),
  dropped: z.array(z.string()).meta({
    description: "What the title has lost because it was too long, the least important first.",
  }),
  description: z.string(),
  problems: z.array(problem),
});
export type PreviewTemplate = z.output<typeof previewTemplateAnswer>;
