import { keptAttempt, keptCandidate, fieldEvidence } from "@cardvault/contract";
import type { IdentificationRecord, KeptCandidate } from "@cardvault/contract";
import type { IdentificationRow } from "@cardvault/db";
import * as z from "zod";

/** An identification as it is shown. Who acted has no name here: the history of the card gives it. */
export function identificationRecordOf(row: IdentificationRow): IdentificationRecord {
  return {
    id: row.id,
    card_id: row.cardId,
    status: row.status,
    review_reason: row.reviewReason,
    threshold: row.threshold,
    candidates: keptCandidates(row),
    fields: fieldsOf(row),
    attempts: z.array(keptAttempt).parse(row.attempts),
    actor: { ...row.actor, name: null },
    job_id: row.jobId,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  };
}

export function keptCandidates({
  candidates,
}: Pick<IdentificationRow, "candidates">): KeptCandidate[] {
  return z.array(keptCandidate).parse(candidates);
}

export function fieldsOf({
  evidence,
}: Pick<IdentificationRow, "evidence">): IdentificationRecord["fields"] {
  return z.array(fieldEvidence).parse(evidence);
}
