import { importOutcomes, importSettings, importVerdicts } from "@cardvault/contract";
import type { CardImport, ImportStatus } from "@cardvault/contract";
import type { Counts, ImportRow } from "@cardvault/db";

/** Where an import stands, seen with its job: one that was cancelled or failed has stopped it. */
export function importStatus({ status, jobStatus }: ImportRow): ImportStatus {
  const isStopped = jobStatus === "cancelled" || jobStatus === "failed";
  if (!isStopped) return status;
  if (status === "checking") return "uploaded";
  return status === "importing" || status === "undoing" ? "stopped" : status;
}

/** An import as its account sees it. */
export function importAnswer(row: ImportRow): CardImport {
  const { reading } = row;
  const isFailed = row.jobStatus === "failed";
  return {
    id: row.id,
    status: importStatus(row),
    file_name: row.fileName,
    file_size: row.fileSize,
    same_file_as: row.sameFileAs,
    encoding: reading?.encoding ?? null,
    delimiter: reading?.delimiter ?? null,
    header_row: reading?.headerRow ?? null,
    headers: reading?.headers ?? [],
    sample: reading?.sample ?? [],
    layout: reading?.layout ?? null,
    mapping_from: row.mappingFrom,
    mapping: row.mapping,
    settings: importSettings.parse(row.settings),
    mode: row.mode,
    batch_id: row.batchId,
    verdicts: countsOf(importVerdicts, row.verdicts),
    outcomes: countsOf(importOutcomes, row.outcomes),
    problem: reading?.problem ?? (isFailed ? (row.jobError?.message ?? null) : null),
    job_id: row.jobId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Every name with its count, 0 where there is none. */
export function countsOf<Name extends string>(
  names: readonly Name[],
  counts: Counts<Name>,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, counts[name] ?? 0])) as Record<Name, number>;
}
