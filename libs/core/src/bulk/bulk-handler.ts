import { VaultError } from "@cardvault/contract";
import { changeAccount, markJobItems, readNextItems } from "@cardvault/db";
import type { AccountUnit, Database, ItemMark, JobRow } from "@cardvault/db";
import type { CardState } from "@cardvault/domain";
import type { Clock } from "@cardvault/kit";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { WorkContext, WorkHandler } from "../work/handler.ts";
import { readBulkJob } from "./bulk-job.ts";
import type { BulkPayload, BulkProgress } from "./bulk-job.ts";
import type { CardStep, CardWork } from "./card-work.ts";
import { chunkLimits, runChunks } from "./run-chunks.ts";
import type { ChunkLimits, ChunkStep } from "./run-chunks.ts";
import { selectCards } from "./select-cards.ts";
import { settleBatch } from "./settle-batches.ts";

interface Needs {
  db: Database;
  clock: Clock;
}

export interface BulkHandlerOptions extends Needs {
  /** What is done with each card of a job. */
  workOf(job: JobRow, payload: BulkPayload): CardWork;
  limits?: Partial<ChunkLimits> | undefined;
}

/** What a run works with. */
interface Run extends Needs {
  context: WorkContext;
  accountId: string;
  payload: BulkPayload;
  work: CardWork;
}

/**
 * Runs jobs over many cards. First the selection is written down, then each card is worked on once: what
 * becomes of it, its mark and the job's progress are one commit, so it does not matter where the process dies.
 */
export function bulkHandler(options: BulkHandlerOptions): WorkHandler {
  const { db, clock } = options;
  return {
    pausesWhenSuspended: true,
    run: async (context) => {
      const { job } = context;
      const { payload, progress } = readBulkJob(job);
      const accountId = job.accountId ?? "";
      const run: Run = {
        db,
        clock,
        context,
        accountId,
        payload,
        work: options.workOf(job, payload),
      };
      let state = progress;
      const limits = { ...chunkLimits, ...options.limits };
      const first = { ...limits, size: Math.min(limits.most, state.size ?? limits.size) };
      const isDone = await runChunks(context, first, async (size) => {
        const step =
          state.phase === "selecting"
            ? await selectCards(run, state)
            : await workOnNext(run, state, size);
        state = step.progress;
        return step;
      });
      return { type: isDone ? "done" : "chunk", progress: state };
    },
    ended: async ({ accountId, batchId }) => {
      if (accountId !== null && batchId !== null) {
        await settleBatch({ db, clock }, { accountId, batchId });
      }
    },
  };
}

type Step = ChunkStep & { progress: BulkProgress };

async function workOnNext(run: Run, progress: BulkProgress, size: number): Promise<Step> {
  const { db, context } = run;
  const after = progress.after ?? undefined;
  const ids = await readNextItems(db, context.job.id, { after, limit: size });
  if (ids.length === 0) return { heldMs: 0, isLast: true, progress };
  const prepared = await run.work.prepare?.(ids);
  let step: Step;
  try {
    step = await workOn(run, progress, ids, prepared);
  } catch (error) {
    if (!isOfCards(error)) throw error;
    context.logger.warn({ err: error, cards: ids.length }, "a chunk is done card by card");
    step = await oneByOne(run, progress, ids, prepared);
  }
  const isLast = ids.length < size && step.mustStop !== true;
  return { ...step, isLast, progress: { ...step.progress, size } };
}

/** One change of the account: the cards, their events and history, their marks, and the progress. */
async function workOn(
  run: Run,
  progress: BulkProgress,
  ids: readonly string[],
  prepared: unknown,
): Promise<Step> {
  const { db, clock, accountId, context, payload, work } = run;
  const jobId = context.job.id;
  const by = { actor: payload.actor, via: "job", jobId } as const;
  let startedMs = 0;
  const saved = await changeAccount(db, { accountId, clock, by }, async (unit) => {
    startedMs = performance.now();
    if (unit.account.isSuspended) return undefined;
    const marks: ItemMark[] = [];
    const cards = new Map((await unit.cards.getMany(ids)).map((card) => [card.id, card]));
    const decide = await work.begin(unit, ids, prepared);
    for (const id of ids) {
      const card = cards.get(id);
      marks.push(
        card === undefined
          ? markOf(id, "failed", { code: "card_not_found", message: "The card is gone." })
          : await workOnCard(run, unit, card, decide),
      );
    }
    await unit.tx.em.flush();
    if ((await markJobItems(unit.tx, jobId, marks)) !== marks.length) {
      throw takenOver();
    }
    const next = advanced(progress, marks);
    await context.saveProgress(unit.tx, next);
    return next;
  });
  return {
    heldMs: performance.now() - startedMs,
    isLast: false,
    mustStop: saved === undefined,
    progress: saved ?? progress,
  };
}

async function workOnCard(
  { db, payload }: Run,
  unit: AccountUnit,
  card: CardState,
  decide: (card: CardState) => CardStep | Promise<CardStep>,
): Promise<ItemMark> {
  let step: CardStep;
  try {
    step = await decide(card);
  } catch (error) {
    if (error instanceof VaultError && error.status < 500) return refused(card.id, error);
    throw error;
  }
  if (step.type === "skip") return markOf(card.id, "skipped", step.remark);
  if (step.type === "beside") {
    await step.write();
    return { ...markOf(card.id, "changed", undefined), changedAt: unit.stamp };
  }
  const { outcome, remark } = step;
  if (!outcome.changed && outcome.events.length === 0 && outcome.effects.length === 0) {
    return markOf(card.id, "unchanged", remark);
  }
  unit.cards.save(outcome.state);
  await writeOutcome(db, unit, payload, outcome);
  await step.beside?.();
  return { ...markOf(card.id, "changed", remark), changedAt: unit.stamp };
}

/** Where the database refuses a chunk, each of its cards is a chunk, and the one that is refused is marked. */
async function oneByOne(
  run: Run,
  progress: BulkProgress,
  ids: readonly string[],
  prepared: unknown,
): Promise<Step> {
  let step: Step = { heldMs: 0, isLast: false, progress };
  for (const id of ids) {
    try {
      step = await workOn(run, step.progress, [id], prepared);
    } catch (error) {
      if (!isOfCards(error)) throw error;
      run.context.logger.warn({ err: error, cardId: id }, "a card of a job was refused");
      step = await markRefused(run, step.progress, id, error);
    }
    if (step.mustStop === true) break;
  }
  return step;
}

/** Throws where it was not the card's fault, but another run has taken the job over. */
function markRefused(run: Run, progress: BulkProgress, id: string, error: unknown): Promise<Step> {
  const { db, context } = run;
  const known = error instanceof VaultError ? error : new VaultError("internal_error");
  return db.transaction(async (tx) => {
    const marks = [refused(id, known)];
    const next = advanced(progress, marks);
    await context.saveProgress(tx, next);
    if ((await markJobItems(tx, context.job.id, marks)) === 0) throw takenOver();
    return { heldMs: 0, isLast: false, progress: next };
  });
}

function takenOver(): VaultError {
  return new VaultError("conflict", { message: "Another run has worked on these cards." });
}

/** A database that is away is no card's fault: the run ends, and is repeated. */
function isOfCards(error: unknown): boolean {
  return !(error instanceof VaultError && error.code === "service_unavailable");
}

function refused(cardId: string, error: VaultError): ItemMark {
  const { code, message, details = [] } = error;
  const all = [message, ...details.map((one) => `${one.path}: ${one.message}`)].join(" ");
  const mark = markOf(cardId, "failed", { code, message: all.slice(0, 500) });
  return { ...mark, details: details.length === 0 ? undefined : details };
}

function markOf(
  cardId: string,
  outcome: ItemMark["outcome"],
  remark: { code: string; message: string } | undefined,
): ItemMark {
  const { code = null, message = null } = remark ?? {};
  return { cardId, outcome, code, message, changedAt: null };
}

function advanced(progress: BulkProgress, marks: readonly ItemMark[]): BulkProgress {
  const count = (outcome: ItemMark["outcome"]): number =>
    progress[outcome] + marks.filter((mark) => mark.outcome === outcome).length;
  return {
    ...progress,
    done: progress.done + marks.length,
    changed: count("changed"),
    unchanged: count("unchanged"),
    skipped: count("skipped"),
    failed: count("failed"),
    after: marks.at(-1)?.cardId ?? progress.after,
  };
}
