import * as z from "zod";
import { cardMaxima } from "./card-maxima.ts";
import { cardId, exampleId, pathId, saleId } from "./ids.ts";
import { maxQuantity, money, price, totalMoney } from "./money.ts";
import { workflowStatuses } from "./states.ts";
import { filledText, requestTime, text, timestamp } from "./text.ts";

/** Scanner mode: a place, then cards. */

/**
 * What a location's label says to a scanner before its text, so that it is no card's. A known place's
 * code stands there as it is.
 */
export const placeScanPrefix = "LOC:";

/** What a scan came to. `place`: a place was scanned, and the cards that follow are put there. */
export const scanOutcomes = [
  "place",
  "moved",
  "already_here",
  "unknown",
  "ambiguous",
  "sold",
  "archived",
] as const;
export type ScanOutcome = (typeof scanOutcomes)[number];

const scannedCard = z.strictObject({
  id: cardId,
  title: z.string().nullable(),
  sku: z.string().nullable(),
  set: z.string().nullable(),
  number: z.string().nullable(),
  cert_number: z.string().nullable(),
  workflow_status: z.enum(workflowStatuses),
  location: z.string().nullable(),
  quantity: z.int().min(0),
  asking_price: totalMoney.nullable(),
});
export type ScannedCardAnswer = z.output<typeof scannedCard>;

/** By what a scanned text names a card: always exactly as it is stored, in its case. */
export const scanMatches = ["sku", "id", "cert_number"] as const;

const scanText = text(300).min(1);

/** `scans.find`: which cards a text names, and which place. Changes nothing. */
export const scanFindInput = z.strictObject({ text: scanText });
export const scanFindAnswer = z.strictObject({
  /** The location, where the text is a place's label or code. */
  place: z.string().nullable(),
  cards: z.array(z.strictObject({ card: scannedCard, matched: z.enum(scanMatches) })),
});
export type ScanFind = z.output<typeof scanFindAnswer>;

const uuid = z.uuid();

/** `scans.start`: a run at a place. The id is the client's, so that a repeated request starts one run. */
export const runStartInput = z.strictObject({
  run_id: uuid,
  location: filledText(cardMaxima.location).optional(),
});

export const run = z.strictObject({
  run_id: uuid,
  /** Where the next card is put; null before the first place. */
  location: z.string().nullable(),
  /** Of scans that were not undone. */
  counts: z.strictObject(
    Object.fromEntries(scanOutcomes.map((name) => [name, z.int().min(0)])) as Record<
      ScanOutcome,
      z.ZodInt
    >,
  ),
  started_at: timestamp,
  last_scan_at: timestamp.nullable(),
});
export type Run = z.output<typeof run>;

/**
 * `scans.scan`. The scan's id is the client's: a repeated request answers what the first one did, and
 * moves nothing. 409 `conflict` for the id with another text or run, and for a card before any place.
 */
export const scanInput = z.strictObject({
  run_id: uuid,
  scan_id: uuid,
  text: scanText,
});
export type ScanInput = z.output<typeof scanInput>;

export const scan = z.strictObject({
  scan_id: uuid,
  /** From 1, in the run. */
  number: z.int().min(1),
  text: z.string(),
  outcome: z.enum(scanOutcomes),
  /** The place of the run at this scan; of a place's scan, the one it named. */
  location: z.string().nullable(),
  /** Where the card was before. */
  from_location: z.string().nullable(),
  card: scannedCard.nullable(),
  /** Of an ambiguous one: scan again, with the id of one of them. */
  candidates: z.array(scannedCard),
  undone_at: timestamp.nullable(),
  scanned_at: timestamp,
});
export type Scan = z.output<typeof scan>;
export const scanAnswer = z.strictObject({ scan, run });
export type ScanAnswer = z.output<typeof scanAnswer>;

/**
 * `scans.undo`: the run's last move or change of place that was not undone; `scan_id` must be it, and a
 * repeated request is none. 409 `conflict` where the card has been moved elsewhere since.
 */
export const scanUndoInput = z.strictObject({ run_id: uuid, scan_id: uuid });

/** `scans.list`: a run's scans, the latest first. */
export const scanListInput = z.strictObject({
  run_id: uuid,
  before: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .meta({ description: "The number of the last one before." }),
  limit: z.int().min(1).max(200).default(50),
});
export const scanListAnswer = z.strictObject({
  run,
  data: z.array(scan),
  has_more: z.boolean(),
});
export type ScanList = z.output<typeof scanListAnswer>;

/** `scans.runs`: the account's runs, the latest first. */
export const runListInput = z.strictObject({ limit: z.int().min(1).max(100).default(20) });
export const runListAnswer = z.strictObject({ data: z.array(run) });

export const saleMaxima = { place: 120, note: 500 } as const;

/** A sale made elsewhere, as somebody has recorded it. */
export const handSale = z
  .strictObject({
    id: saleId,
    card_id: cardId,
    quantity: z.int().min(1).max(maxQuantity),
    price: price.meta({ description: "For all copies together." }),
    fee: money.nullable().meta({ description: "What the place took. Null where nobody said." }),
    place: filledText(saleMaxima.place),
    note: text(saleMaxima.note).nullable(),
    sold_at: timestamp,
    recorded_at: timestamp,
    voided_at: timestamp.nullable(),
  })
  .meta({
    examples: [
      {
        id: exampleId("sale"),
        card_id: exampleId("card"),
        quantity: 1,
        price: { amount: 1250, currency: "USD" },
        fee: null,
        place: "Harbour card show",
        note: null,
        sold_at: "2026-03-01T09:30:00.000Z",
        recorded_at: "2026-03-01T18:00:00.000Z",
        voided_at: null,
      },
    ],
  });
export type HandSale = z.output<typeof handSale>;

/** `cards.recordSale`. With a `request_id` a repeated request records one sale. */
export const recordSaleInput = z.strictObject({
  id: pathId("card"),
  quantity: z.int().min(1).max(maxQuantity).default(1),
  price,
  fee: money.nullable().default(null),
  place: filledText(saleMaxima.place),
  note: text(saleMaxima.note).nullable().default(null),
  sold_at: requestTime.optional().meta({ description: "Now unless told; not in the future." }),
  request_id: uuid.optional(),
});
export type RecordSale = z.output<typeof recordSaleInput>;

/** `cards.voidSale`: its copies come back. 409 `invalid_transition` for one that is void. */
export const voidSaleInput = z.strictObject({ id: pathId("sale") });

/** `cards.sales`: a card's sales by hand, the latest first. */
export const cardSalesInput = z.strictObject({ id: pathId("card") });
export const cardSalesAnswer = z.strictObject({ data: z.array(handSale) });
