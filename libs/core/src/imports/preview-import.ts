import { cardImport, importPreviewInput, importSettings, VaultError } from "@cardvault/contract";
import type { CardImport, ImportMapping } from "@cardvault/contract";
import { enqueueJob, getImport, lockImport, workChannel, writeImport } from "@cardvault/db";
import type * as z from "zod";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { importAnswer, importStatus } from "./import-answer.ts";
import { importCheckKind, notBegun } from "./import-job.ts";

/** Fields that several columns may say together; each other one has one column. */
const joined = [
  "title",
  "variant",
  "notes",
  "tags",
  "attributes",
  "tag_if",
  "external_id",
  "number",
];

/**
 * Begins to check every row of a list by a mapping, in the background. It may be asked for again with
 * another mapping, as long as nothing has been imported.
 * @throws VaultError `not_found`; `validation_failed`; `conflict`
 */
async function previewImport(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId, actor }: Access,
  { id, mapping, settings }: z.output<typeof importPreviewInput>,
): Promise<CardImport> {
  return db.transaction(async (tx) => {
    const found = await lockImport(tx, accountId, id);
    if (!["uploaded", "checked"].includes(importStatus(found))) {
      throw new VaultError("conflict", { message: "The import is not waiting to be checked." });
    }
    const used = mapping ?? found.mapping;
    if (used === null || found.reading === null) throw new VaultError("not_found");
    requireMapping(used, found.reading.headers.length);
    const now = clock.now();
    const progress = { ...notBegun, total: null, phase: "clearing", at: null };
    const payload = { import_id: id, actor };
    const createdBy = actor.id ?? undefined;
    const kind = importCheckKind;
    const job = { kind, accountId, payload, createdBy, subjectId: id, progress };
    const jobId = await enqueueJob(tx, job, now);
    await writeImport(
      tx,
      id,
      {
        status: "checking",
        mapping: used,
        ...(mapping !== undefined && { mappingFrom: "given" as const }),
        settings: settings ?? importSettings.parse(found.settings),
        verdicts: {},
        jobId,
      },
      now,
    );
    tx.afterCommit(() => db.notify(workChannel));
    return importAnswer(await getImport(tx, accountId, id));
  });
}

/** @throws VaultError `validation_failed` that names every column at fault */
export function requireMapping({ columns, constants }: ImportMapping, width: number): void {
  const details = columns.flatMap(({ column, field, name }, index) => {
    const path = `mapping.columns.${index}`;
    const named = field === "external_id" || field === "tag_if";
    const isRepeated =
      !joined.includes(field) && columns.findIndex((other) => other.field === field) !== index;
    return [
      ...(column < width ? [] : [{ path, message: "The list has no such column" }]),
      ...(named && name === undefined ? [{ path, message: "The field needs a name" }] : []),
      ...(isRepeated ? [{ path, message: `Two columns are mapped to ${field}` }] : []),
    ];
  });
  if (columns.length === 0 && Object.keys(constants).length === 0) {
    details.push({ path: "mapping.columns", message: "No column is mapped to a field" });
  }
  if (details.length > 0) throw new VaultError("validation_failed", { details });
}

export const previewImportProcedure = session()
  .input(importPreviewInput)
  .output(cardImport)
  .mutation(({ ctx, input }) => previewImport(ctx.services, ctx.access, input));
