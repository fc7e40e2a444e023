import * as z from "zod";
import { locationRenameInput } from "./locations.ts";
import { cardSelectionSchema } from "./selection.ts";

export const labelBarcodes = ["code128", "qr", "datamatrix", "none"] as const;
export type LabelBarcode = (typeof labelBarcodes)[number];

const mm = z.number().min(0).max(2_000);

/** Where labels are on their sheet, in millimetres. One column and row without margins is a label printer. */
export const labelTemplate = z
  .strictObject({
    page_width: mm.min(10),
    page_height: mm.min(5),
    label_width: mm.min(10),
    label_height: mm.min(5),
    columns: z.int().min(1).max(50),
    rows: z.int().min(1).max(100),
    left: mm,
    top: mm,
    /** From the left edge of a label to that of its neighbour. */
    pitch_x: mm,
    pitch_y: mm,
    /** Bars are whole dots of the printer, so that they print sharp; 203 dpi is 0.125. */
    dot: z.number().min(0.01).max(0.5).nullable().default(null),
  })
  .refine(
    ({ left, top, columns, rows, ...t }) =>
      left + (columns - 1) * t.pitch_x + t.label_width <= t.page_width + 0.01 &&
      top + (rows - 1) * t.pitch_y + t.label_height <= t.page_height + 0.01,
    "The labels do not fit on the page",
  )
  .refine(
    ({ columns, rows, ...t }) =>
      (columns === 1 || t.pitch_x >= t.label_width) && (rows === 1 || t.pitch_y >= t.label_height),
    "The labels lie over each other",
  );
export type LabelTemplate = z.output<typeof labelTemplate>;

/** Sheets and labels that are sold everywhere. */
export const labelTemplateNames = [
  "avery_5160",
  "avery_5167",
  "avery_l7160",
  "avery_l7651",
  "dymo_30252",
  "dymo_30336",
  "zebra_2x1",
  "zebra_225x125",
  "zebra_4x6",
] as const;
export type LabelTemplateName = (typeof labelTemplateNames)[number];

/** The most labels of one document. */
export const maxLabels = 5_000;

/** What the labels are of: cards, or places. A place need not have cards yet. */
const labelSubjects = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("cards"), selection: cardSelectionSchema }),
  z.strictObject({
    type: z.literal("locations"),
    paths: z.array(locationRenameInput.shape.from).min(1).max(maxLabels),
  }),
  z.strictObject({
    type: z.literal("locations_within"),
    path: locationRenameInput.shape.from.nullable().meta({ description: "Null: all there are." }),
  }),
]);

const labelOrderShape = {
  subjects: labelSubjects,
  template: z.union([z.enum(labelTemplateNames), labelTemplate]),
  barcode: z.enum(labelBarcodes).default("code128").meta({
    description: "A Code 128 that does not fit, or cannot say the text, becomes a QR code.",
  }),
  /** Of the first sheet, those that are used up. */
  skip: z.int().min(0).max(1_000).default(0),
  /** Of each, so many. */
  copies: z.int().min(1).max(100).default(1),
};

/** `POST /inventory/labels`: the document. An SVG is one page of it. */
export const labelDocumentInput = z.strictObject({
  ...labelOrderShape,
  format: z.enum(["pdf", "svg"]).default("pdf"),
  page: z.int().min(1).default(1),
});
export type LabelDocumentInput = z.output<typeof labelDocumentInput>;

/** `labels.preview`: the first page, and how many there are. */
export const labelPreviewInput = z.strictObject(labelOrderShape);
export type LabelPreviewInput = z.output<typeof labelPreviewInput>;
export const labelPreview = z.strictObject({
  svg: z.string(),
  labels: z.int().min(0),
  pages: z.int().min(0),
  /** There were more; a document has at most {@link maxLabels}. */
  is_cut: z.boolean(),
  /** Labels of the first page that have a QR code instead of the Code 128. */
  qr_instead: z.int().min(0),
  /** Characters of the first page that no font of ours has; they are printed as a box. */
  not_covered: z.string(),
});
export type LabelPreview = z.output<typeof labelPreview>;

/** `labels.templates`. */
export const labelTemplatesAnswer = z.strictObject({
  data: z.array(
    z.strictObject({
      name: z.enum(labelTemplateNames),
      title: z.string(),
      template: labelTemplate,
    }),
  ),
});
