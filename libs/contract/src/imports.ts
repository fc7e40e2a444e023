import * as z from "zod";
import { batchId, cardId, exampleId, jobId, pathId } from "./ids.ts";
import { cardSelectionSchema } from "./selection.ts";
import { filledText, text, timestamp } from "./text.ts";

/** The most bytes of a list that can be uploaded. */
export const maxImportBytes = 100 * 1024 * 1024;
/** The most rows of a list. A longer one is imported in parts. */
export const maxImportRows = 1_000_000;
/** The most columns of a list. */
export const maxImportColumns = 500;

/** The tools whose lists are recognised by their headers and mapped without asking; ours among them. */
export const importLayouts = [
  "cardvault",
  "tcgplayer",
  "manabox",
  "deckbox",
  "moxfield",
  "card_dealer_pro",
  "collx",
  "ebay",
] as const;
export type ImportLayout = (typeof importLayouts)[number];

/** What a column of a list can say of a card. Those that need a `name` are marked. */
export const importFields = [
  "card_id",
  "sku",
  "title",
  "game",
  "set",
  "set_code",
  "number",
  "year",
  "subject",
  "team",
  "manufacturer",
  "variant",
  /** Foil or not, as the tools say it: a normal finish is no variant. */
  "finish",
  "rarity",
  "language",
  "print_run",
  "serial_number",
  "is_rookie",
  "is_autograph",
  "is_memorabilia",
  /** Codes with commas: RC, AU, MEM, SN. */
  "attributes",
  "condition",
  /** TCGplayer's "Near Mint Foil". */
  "condition_and_finish",
  "grader",
  "grade",
  "cert_number",
  "qualifier",
  /** "PSA 10" in one cell. */
  "grading",
  "quantity",
  /** Added to `quantity`. */
  "add_quantity",
  "asking_price",
  "price_floor",
  "purchase_price",
  /** ISO 4217, of all prices of the row. */
  "price_currency",
  "location",
  "notes",
  "tags",
  /** A tag called `name` where the cell says yes. */
  "tag_if",
  /** The id that the tool called `name` gives the card. */
  "external_id",
  /** As our own export writes them: a JSON object. */
  "external_ids",
  "market_price",
  "market_price_currency",
  "market_price_source",
  "market_price_as_of",
  "workflow_status",
] as const;
export type ImportField = (typeof importFields)[number];

const importColumn = z.strictObject({
  column: z
    .int()
    .min(0)
    .max(maxImportColumns - 1)
    .meta({ description: "Index from 0." }),
  field: z.enum(importFields),
  name: filledText(50).optional().meta({ description: "For `external_id` and `tag_if`." }),
});

/** How the columns of a list become fields of a card. Columns that it does not name are ignored. */
export const importMapping = z.strictObject({
  columns: z.array(importColumn).max(maxImportColumns),
  /** For rows whose column is blank, or where there is no such column. */
  constants: z.partialRecord(z.enum(importFields), filledText(200)).default({}),
  /** What separates the cents. */
  decimal: z.enum([".", ","]).default("."),
  /** The scale that words of condition belong to; "good" is another thing in each. */
  condition_scale: z.enum(["general", "cardmarket", "sports"]).default("general"),
  /** Where no column is the title: from year, manufacturer, set, subject, number and variant. */
  compose_title: z.boolean().default(false),
  /** Rows without stock are passed over, as TCGplayer's pricing export has one for each product. */
  skip_out_of_stock: z.boolean().default(false),
});
export type ImportMapping = z.output<typeof importMapping>;

export const importMatches = ["sku", "cert_number", "external_id", "identity"] as const;
export type ImportMatch = (typeof importMatches)[number];

/** What is done with a row that is a card already, or says the same as an earlier row. */
export const duplicateActions = ["skip", "add_to_quantity", "create", "update"] as const;
export type DuplicateAction = (typeof duplicateActions)[number];

export const importSettings = z.strictObject({
  /** By what a row is recognised as a card that there is. `card_id` always is. */
  match: z.array(z.enum(importMatches)).max(4).default(["sku", "cert_number", "external_id"]),
  duplicates: z.enum(duplicateActions).default("skip"),
  /** Prices in another currency than the account's: the row is invalid, or the price is left out. */
  foreign_prices: z.enum(["invalid", "leave_out"]).default("invalid"),
});
export type ImportSettings = z.output<typeof importSettings>;

export const importStatuses = [
  "uploading",
  "uploaded",
  "checking",
  "checked",
  "importing",
  "imported",
  /** Cancelled or failed on the way: what was committed stays, and it can be started again or undone. */
  "stopped",
  "undoing",
  "undone",
  /** The file cannot be read. */
  "unreadable",
] as const;
export type ImportStatus = (typeof importStatuses)[number];

export const importVerdicts = ["valid", "invalid", "duplicate", "ignored"] as const;
export type ImportVerdict = (typeof importVerdicts)[number];

export const importOutcomes = [
  "created",
  "updated",
  "added",
  "skipped",
  "failed",
  "undone",
  "kept",
] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

export const importModes = ["all_or_nothing", "valid_rows_only"] as const;
export type ImportMode = (typeof importModes)[number];

const countsOf = <const Name extends string>(names: readonly Name[]) =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, z.int().min(0)])) as Record<Name, z.ZodInt>,
  );

/** An import, from the upload of its file to its undoing. */
export const cardImport = z.strictObject({
  id: z.string().meta({ examples: [exampleId("imp")] }),
  status: z.enum(importStatuses),
  file_name: z.string(),
  file_size: z.int().min(0).meta({ description: "Bytes." }),
  /** Another import of this account of the very same file, the latest. */
  same_file_as: z.string().nullable(),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  /** The row that the names of the columns stand in; null where there is none. */
  header_row: z.int().nullable(),
  headers: z.array(z.string()),
  /** The first rows under the header, as they stand there; none in a list of imports. */
  sample: z.array(z.strictObject({ row: z.int(), cells: z.array(z.string()) })),
  layout: z.enum(importLayouts).nullable(),
  /** Where the mapping comes from. */
  mapping_from: z.enum(["layout", "saved", "guessed", "given"]).nullable(),
  mapping: importMapping.nullable(),
  settings: importSettings,
  mode: z.enum(importModes).nullable(),
  batch_id: batchId.nullable(),
  /** Of the check. */
  verdicts: countsOf(importVerdicts),
  /** Of the import and its undoing. */
  outcomes: countsOf(importOutcomes),
  /** Why the file cannot be read, in a sentence. */
  problem: z.string().nullable(),
  /** The latest job: check, import or undo. */
  job_id: jobId.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type CardImport = z.output<typeof cardImport>;

/** A row of an import: what was made of it, and what is wrong with it. */
export const importRow = z.strictObject({
  row: z.int().min(1).meta({ description: "As a spreadsheet counts." }),
  verdict: z.enum(importVerdicts),
  outcome: z.enum(importOutcomes).nullable(),
  /** The card that it is, was made or was changed. */
  card_id: cardId.nullable(),
  /** For a duplicate within the file: the row that it repeats. */
  same_as_row: z.int().nullable(),
  matched_by: z.enum(["card_id", ...importMatches]).nullable(),
  /** What the row says of a card, by the names of the fields. */
  fields: z.record(z.string(), z.unknown()),
  problems: z.array(
    z.strictObject({
      column: z.string().nullable().meta({ description: "The header of the column." }),
      message: z.string(),
    }),
  ),
});
export type ImportRow = z.output<typeof importRow>;

/** `imports.get`, `imports.undo`. */
export const importIdInput = z.strictObject({ id: pathId("imp") });

/** `imports.list`: the latest first, at most 100. */
export const importListAnswer = z.strictObject({ data: z.array(cardImport) });

/** `imports.preview`: checks every row by this mapping, in the background. */
export const importPreviewInput = z.strictObject({
  id: pathId("imp"),
  mapping: importMapping.optional().meta({ description: "Left out: the one that it has." }),
  settings: importSettings.optional(),
});

/** `imports.rows`: the rows of one verdict or outcome, in the order of the file. */
export const importRowsInput = z.strictObject({
  id: pathId("imp"),
  verdict: z.enum(importVerdicts).optional(),
  outcome: z.enum(importOutcomes).optional(),
  after_row: z.int().min(0).max(2_147_483_647).default(0),
  limit: z.int().min(1).max(200).default(50),
});
export const importRowsAnswer = z.strictObject({
  data: z.array(importRow),
  has_more: z.boolean(),
});

/** `imports.start`: into a batch that there is, a new one, or none. */
export const importStartInput = z
  .strictObject({
    id: pathId("imp"),
    mode: z.enum(importModes),
    batch_id: batchId.optional(),
    new_batch: z.strictObject({ name: filledText(120), source: text(120).optional() }).optional(),
  })
  .refine((input) => input.batch_id === undefined || input.new_batch === undefined, {
    message: "Name a batch or make one, not both",
    path: ["new_batch"],
  });

const savedMapping = z.strictObject({
  signature: z.string(),
  name: z.string(),
  mapping: importMapping,
  updated_at: timestamp,
});

/** `imports.mappings.list`, `.save`, `.delete`. */
export const mappingListAnswer = z.strictObject({ data: z.array(savedMapping) });
export const mappingSaveInput = z.strictObject({
  /** The import whose headers it is for. */
  import_id: pathId("imp"),
  name: filledText(80),
  mapping: importMapping,
});
export const mappingDeleteInput = z.strictObject({ signature: text(60) });

/** The forms in which cards are downloaded. */
const exportFormats = ["csv", "json", "ndjson"] as const;

/**
 * A download of cards. `csv` in the form of a tool; `json` an array and `ndjson` lines of cards in the form
 * in which the API answers them.
 */
export const cardExport = z.strictObject({
  selection: cardSelectionSchema,
  format: z.enum(exportFormats).default("csv"),
  layout: z.enum(importLayouts).default("cardvault"),
  /** In our own list the card's id before the rest: such a list brings its changes back to its cards. */
  with_ids: z.boolean().default(false),
});
export type CardExport = z.output<typeof cardExport>;
