import { VaultError } from "@cardvault/contract";
import type { BatchStatus, Condition, Money, Unfinished } from "@cardvault/contract";
import { invalidMember, requireCurrency } from "./money.ts";
import { domainEvent, outcomeOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { requireRow } from "./table.ts";
import type { TransitionRow } from "./table.ts";

export type BatchDefaults = {
  set: string | null;
  game: string | null;
  condition: Condition | null;
  language: string | null;
  location: string | null;
  priceFloor: Money | null;
};

/** The whole of a batch that the rules need. The three counts are facts of other rows. */
export type BatchState = {
  id: string;
  code: string;
  name: string;
  status: BatchStatus;
  source: string | null;
  description: string | null;
  defaults: BatchDefaults;
  costBasis: Money | null;
  acquiredAt: Date | null;
  completedAt: Date | null;
  cardCount: number;
  /** Jobs queued, running or paused that work on its cards, those of `membershipJobCount` too. */
  jobCount: number;
  /** Those of them that import into it or change its membership. */
  membershipJobCount: number;
};

export type BatchPatch = {
  [Name in "code" | "name" | "source" | "description" | "costBasis" | "acquiredAt"]?:
    | BatchState[Name]
    | undefined;
} & { defaults?: Partial<BatchDefaults> | undefined };

/** Whether a job changes which cards are in the batch; a complete batch refuses such a job only. */
export type BatchJobKind = "membership" | "cards";

export type BatchCommand =
  | { type: "job_started"; kind: BatchJobKind }
  | { type: "job_finished"; kind: BatchJobKind }
  /** What is left to do, and whether whoever completes it has seen that. */
  | { type: "complete"; left?: readonly Unfinished[]; acknowledged?: boolean }
  | { type: "reopen" }
  | { type: "edit"; patch: BatchPatch; accountCurrency: string };

/** What no row names is refused: `batch_complete` for a complete batch, else `invalid_transition`. */
// oxfmt-ignore
export const batchMoves: readonly TransitionRow<BatchStatus, BatchCommand["type"]>[] = [
  { from: ["open"], to: ["processing"], by: "job_started" },
  { from: ["processing"], to: ["open"], by: "job_finished" },
  { from: ["open", "processing"], to: ["complete"], by: "complete" },
  { from: ["complete"], to: ["open"], by: "reopen" },
];

/**
 * The batch after a command, what changed and what it fires.
 * @throws VaultError `batch_complete`, `conflict`, `invalid_transition`, `validation_failed`
 */
export function decideBatch(
  batch: BatchState,
  command: BatchCommand,
  now: Date,
): Outcome<BatchState> {
  switch (command.type) {
    case "job_started":
      return jobStarted(batch, command.kind);
    case "job_finished":
      return jobFinished(batch, command.kind);
    case "complete":
      return completeBatch(batch, now, command);
    case "reopen":
      return reopenBatch(batch);
    case "edit":
      return editBatch(batch, command.patch, command.accountCurrency);
  }
}

/**
 * Refuses a change of a complete batch's own fields, defaults or membership.
 * @throws VaultError `batch_complete`
 */
export function requireNotComplete(batch: Pick<BatchState, "status">): void {
  if (batch.status === "complete") throw new VaultError("batch_complete");
}

function moved(batch: BatchState, to: BatchStatus, by: BatchCommand["type"]): BatchState {
  requireRow("batch", batchMoves, batch.status, to, by);
  return { ...batch, status: to };
}

/** An open batch turns processing; a complete one stays so, and lets other jobs run on its cards. */
function jobStarted(batch: BatchState, kind: BatchJobKind): Outcome<BatchState> {
  if (kind === "membership") requireNotComplete(batch);
  const counted = countJob(batch, kind, 1);
  return outcomeOf(
    batch,
    batch.status === "open" ? moved(counted, "processing", "job_started") : counted,
  );
}

/** The last job takes a processing batch back to open. */
function jobFinished(batch: BatchState, kind: BatchJobKind): Outcome<BatchState> {
  const counted = countJob(batch, kind, -1);
  if (counted.membershipJobCount < 0 || counted.jobCount < counted.membershipJobCount) {
    throw new VaultError("conflict", { message: "No such job runs on the batch." });
  }
  const isLast = batch.status === "processing" && counted.jobCount === 0;
  return outcomeOf(batch, isLast ? moved(counted, "open", "job_finished") : counted);
}

function countJob(batch: BatchState, kind: BatchJobKind, by: 1 | -1): BatchState {
  return {
    ...batch,
    jobCount: batch.jobCount + by,
    membershipJobCount: batch.membershipJobCount + (kind === "membership" ? by : 0),
  };
}

function completeBatch(
  batch: BatchState,
  now: Date,
  { left = [], acknowledged = false }: { left?: readonly Unfinished[]; acknowledged?: boolean },
): Outcome<BatchState> {
  requireNotComplete(batch);
  if (batch.membershipJobCount > 0) {
    throw new VaultError("conflict", {
      message: "An import or a change of membership is running on the batch.",
    });
  }
  if (left.length > 0 && !acknowledged) {
    throw new VaultError("conflict", {
      message: "Cards of the batch are unfinished. Complete it all the same by acknowledging that.",
      details: left.map(({ kind, cards }) => ({ path: kind, message: `Cards: ${cards}` })),
    });
  }
  const complete = { ...moved(batch, "complete", "complete"), completedAt: now };
  return outcomeOf(batch, complete, [
    domainEvent("batch.completed", {
      batch_id: batch.id,
      name: batch.name,
      card_count: batch.cardCount,
      completed_at: now.toISOString(),
    }),
  ]);
}

/** Open again, and processing at once where jobs still work on its cards. */
function reopenBatch(batch: BatchState): Outcome<BatchState> {
  const open = { ...moved(batch, "open", "reopen"), completedAt: null };
  return outcomeOf(batch, open.jobCount > 0 ? moved(open, "processing", "job_started") : open);
}

const noDefaults: BatchDefaults = {
  set: null,
  game: null,
  condition: null,
  language: null,
  location: null,
  priceFloor: null,
};

/** Defaults are replaced whole: one that is left out is null. */
function editBatch(
  batch: BatchState,
  patch: BatchPatch,
  accountCurrency: string,
): Outcome<BatchState> {
  requireNotComplete(batch);
  requireCurrency(accountCurrency, {
    cost_basis: patch.costBasis,
    "defaults.price_floor": patch.defaults?.priceFloor,
  });
  for (const name of ["code", "name"] as const) {
    if (patch[name]?.trim() === "") throw invalidMember(name, "Must not be blank");
  }
  const { defaults, ...fields } = patch;
  const after: BatchState = { ...batch };
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) Object.assign(after, { [name]: value });
  }
  if (defaults !== undefined) after.defaults = replacedDefaults(defaults);
  return outcomeOf(batch, after);
}

function replacedDefaults(given: Partial<BatchDefaults>): BatchDefaults {
  const defaults = { ...noDefaults };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) Object.assign(defaults, { [name]: value });
  }
  return defaults;
}
