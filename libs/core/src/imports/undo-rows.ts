import { VaultError } from "@cardvault/contract";
import type { ImportOutcome } from "@cardvault/contract";
import {
  addOutcomes,
  changeAccount,
  findCardChange,
  getImport,
  markImportRows,
  readRowsToUndo,
  writeImport,
} from "@cardvault/db";
import type { AccountUnit, Database, ImportRow, RowMark, StagedRow } from "@cardvault/db";
import {
  canBeUndone,
  changedSince,
  decideCard,
  fieldOf,
  membersOf,
  withoutMembers,
} from "@cardvault/domain";
import type { CardOutcome, CardState } from "@cardvault/domain";
import type { Clock } from "@cardvault/kit";
import { chunkLimits, runChunks } from "../bulk/run-chunks.ts";
import type { ChunkStep } from "../bulk/run-chunks.ts";
import { settleBatch } from "../bulk/settle-batches.ts";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Actor } from "../context.ts";
import type { WorkContext, WorkHandler, WorkOutcome } from "../work/handler.ts";
import { sentenceOf, tally } from "./commit-rows.ts";
import { behindAllRows, notBegun, payloadOf, undoProgress } from "./import-job.ts";
import type { UndoProgress } from "./import-job.ts";

interface Needs {
  db: Database;
  clock: Clock;
}

/**
 * Takes an import back, from its last row to its first: cards that it made are archived and their SKUs
 * freed, cards that it changed are given back what has not changed since. What cannot be taken back is
 * kept, and its row says why. Events that were sent stay sent.
 */
export function importUndoHandler(needs: Needs): WorkHandler {
  return {
    pausesWhenSuspended: true,
    run: (context) => runUndo(needs, context),
    ended: async ({ accountId, batchId }) => {
      if (accountId !== null && batchId !== null) await settleBatch(needs, { accountId, batchId });
    },
  };
}

async function runUndo({ db, clock }: Needs, context: WorkContext): Promise<WorkOutcome> {
  const { accountId, import_id: importId, actor } = payloadOf(context.job);
  const found = await getImport(db, accountId, importId);
  const saved = undoProgress.safeParse(context.job.progress);
  let progress: UndoProgress = saved.success
    ? saved.data
    : { ...notBegun, total: null, before: behindAllRows };
  const isDone = await runChunks(context, chunkLimits, async (size): Promise<ChunkStep> => {
    const page = { before: progress.before, limit: size };
    const rows = await readRowsToUndo(db, importId, page);
    if (rows.length === 0) {
      await writeImport(db, importId, { status: "undone" }, clock.now());
      return { heldMs: 0, isLast: true };
    }
    const step = await undoNext({ db, clock, context, found, actor }, rows, progress);
    progress = step.progress;
    return step;
  });
  return { type: isDone ? "done" : "chunk", progress };
}

interface UndoRun extends Needs {
  context: WorkContext;
  found: ImportRow;
  actor: Actor;
}

const undoable: readonly ImportOutcome[] = ["created", "updated", "added"];

async function undoNext(
  { db, clock, context, found, actor }: UndoRun,
  rows: readonly StagedRow[],
  before: UndoProgress,
): Promise<ChunkStep & { progress: UndoProgress }> {
  const { accountId } = found;
  const by = { actor, via: "import", jobId: context.job.id } as const;
  let startedMs = 0;
  const saved = await changeAccount(db, { accountId, clock, by }, async (unit) => {
    startedMs = performance.now();
    if (unit.account.isSuspended) return undefined;
    const ids = rows.flatMap(({ cardId }) => cardId ?? []);
    const cards = new Map((await unit.cards.getMany(ids)).map((card) => [card.id, card]));
    const undone = new Set<string>();
    const marks: RowMark[] = [];
    for (const row of rows) marks.push(await undoRow({ db, actor }, unit, row, cards, undone));
    await unit.tx.em.flush();
    if ((await markImportRows(unit.tx, found.id, marks, undoable)) !== marks.length) {
      throw new VaultError("conflict", { message: "Another run has undone these rows." });
    }
    const taken = rows.map(({ outcome }) => ({ outcome: outcome ?? "created" }));
    await addOutcomes(unit.tx, found.id, difference(marks, taken), clock.now());
    const next = advanced(before, marks);
    await context.saveProgress(unit.tx, next);
    return next;
  });
  const heldMs = performance.now() - startedMs;
  return { heldMs, isLast: false, mustStop: saved === undefined, progress: saved ?? before };
}

/** What the rows were counted as goes down, what they are now goes up. */
function difference(
  marks: readonly RowMark[],
  before: readonly { outcome: ImportOutcome }[],
): Partial<Record<ImportOutcome, number>> {
  const counts: Partial<Record<ImportOutcome, number>> = { ...tally(marks) };
  for (const { outcome } of before) counts[outcome] = (counts[outcome] ?? 0) - 1;
  return counts;
}

async function undoRow(
  { db, actor }: { db: Database; actor: Actor },
  unit: AccountUnit,
  row: StagedRow,
  cards: Map<string, CardState>,
  undone: Set<string>,
): Promise<RowMark> {
  const { changedAt } = row;
  const mark = { row: row.row, cardId: row.cardId, changedAt, problems: row.problems };
  const card = cards.get(row.cardId ?? "");
  const kept = (message: string): RowMark => ({
    ...mark,
    outcome: "kept",
    problems: [{ column: null, message }],
  });
  if (card === undefined) return kept("The card is gone.");
  // Rows that changed one card in one commit have one entry in its history.
  const entry = `${card.id} ${changedAt?.getTime() ?? ""}`;
  if (undone.has(entry)) return { ...mark, outcome: "undone" };
  try {
    const outcome =
      row.outcome === "created" ? archived(unit, card) : await given(unit, card, changedAt);
    if (typeof outcome === "string") return kept(outcome);
    undone.add(entry);
    if (outcome === null) return { ...mark, outcome: "undone" };
    unit.cards.save(outcome.state);
    cards.set(card.id, outcome.state);
    await writeOutcome(db, unit, { actor }, outcome);
    return { ...mark, outcome: "undone" };
  } catch (error) {
    if (!(error instanceof VaultError) || error.status >= 500) throw error;
    return kept(sentenceOf(error));
  }
}

function archived(unit: AccountUnit, card: CardState): CardOutcome | string {
  if (card.workflowStatus === "sold") return "The card is sold.";
  return decideCard(card, { type: "archive", freeSku: true }, unit.stamp);
}

/** Null where the import changed nothing; a sentence where all of it has changed since. */
async function given(
  unit: AccountUnit,
  card: CardState,
  changedAt: Date | null,
): Promise<CardOutcome | string | null> {
  if (changedAt === null) return null;
  const stored = await findCardChange(unit.tx, unit.accountId, card.id, changedAt);
  // The same commit made the card: its own row archives it.
  if (stored === null || stored.isCreation) return null;
  const { to, from } = membersOf(stored.changes);
  const since = changedSince(card, to);
  const rest = withoutMembers({ from, to }, since);
  if (!canBeUndone(rest.from)) return `Changed since: ${since.map(fieldOf).join(", ")}.`;
  const accountCurrency = unit.account.currency;
  const change = { ...rest, accountCurrency, batches: { now: null, before: null } };
  return decideCard(card, { type: "undo_change", change }, unit.stamp);
}

function advanced(progress: UndoProgress, marks: readonly RowMark[]): UndoProgress {
  const { undone = 0, kept = 0 } = tally(marks);
  return {
    ...progress,
    before: marks.at(-1)?.row ?? progress.before,
    done: progress.done + marks.length,
    changed: progress.changed + undone,
    skipped: progress.skipped + kept,
  };
}
