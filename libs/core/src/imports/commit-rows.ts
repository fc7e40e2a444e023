import { importSettings, VaultError } from "@cardvault/contract";
import type { ImportOutcome, ImportSettings } from "@cardvault/contract";
import {
  addOutcomes,
  changeAccount,
  markImportRows,
  matchCards,
  readRowCards,
} from "@cardvault/db";
import type {
  AccountUnit,
  CardMatch,
  Counts,
  Database,
  ImportRow,
  RowMark,
  StagedRow,
} from "@cardvault/db";
import type { CardState } from "@cardvault/domain";
import type { MappedCard } from "@cardvault/exchange";
import type { Clock } from "@cardvault/kit";
import type { Actor } from "../context.ts";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { WorkContext } from "../work/handler.ts";
import { applyRow } from "./apply-row.ts";
import type { RowPlace } from "./apply-row.ts";
import { marksOf, matchOf } from "./row-marks.ts";

/** What a run of an import works with. */
export interface CommitRun {
  db: Database;
  clock: Clock;
  context: WorkContext;
  found: ImportRow;
  actor: Actor;
}

export interface Committed {
  marks: RowMark[];
  /** How long the account's clock was held, to the commit. */
  heldMs: number;
  /** Nothing was done: the account has been suspended. */
  isSuspended: boolean;
}

/** Takes back everything that a trial has done. */
class TrialOver extends Error {
  readonly marks: RowMark[];
  constructor(marks: RowMark[]) {
    super("The trial is over");
    this.marks = marks;
  }
}

/** The same as {@link commitRows}, of which nothing is kept: what each row would become. */
export async function tryRows(run: CommitRun, rows: readonly StagedRow[]): Promise<Committed> {
  try {
    return await change(run, rows, async (_unit, marks) => {
      throw new TrialOver(marks);
    });
  } catch (error) {
    if (!(error instanceof TrialOver)) throw error;
    return { marks: error.marks, heldMs: 0, isSuspended: false };
  }
}

/**
 * One change of the account: the cards that these rows become, their events and history, what became of
 * each row, and the job's progress. Nothing twice and nothing missing, wherever the process dies.
 * @throws VaultError `conflict` where another run has been at these rows
 */
export function commitRows(
  run: CommitRun,
  rows: readonly StagedRow[],
  progressOf: (marks: readonly RowMark[]) => unknown,
): Promise<Committed> {
  const { context, found, clock } = run;
  return change(run, rows, async (unit, marks) => {
    await unit.tx.em.flush();
    if ((await markImportRows(unit.tx, found.id, marks, null)) !== marks.length) {
      throw new VaultError("conflict", { message: "Another run has imported these rows." });
    }
    await addOutcomes(unit.tx, found.id, tally(marks), clock.now());
    await context.saveProgress(unit.tx, progressOf(marks));
  });
}

export function tally(marks: readonly RowMark[]): Counts<ImportOutcome> {
  const counts: Counts<ImportOutcome> = {};
  for (const { outcome } of marks) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

async function change(
  run: CommitRun,
  rows: readonly StagedRow[],
  finish: (unit: AccountUnit, marks: RowMark[]) => Promise<void>,
): Promise<Committed> {
  const { db, clock, context, found, actor } = run;
  const by = { actor, via: "import", jobId: context.job.id } as const;
  let startedMs = 0;
  const { accountId } = found;
  const marks = await changeAccount(db, { accountId, clock, by }, async (unit) => {
    startedMs = performance.now();
    if (unit.account.isSuspended) return undefined;
    const made = await applyRows(run, unit, rows);
    await finish(unit, made);
    return made;
  });
  const heldMs = performance.now() - startedMs;
  return { marks: marks ?? [], heldMs, isSuspended: marks === undefined };
}

async function applyRows(
  { db, found, actor }: CommitRun,
  unit: AccountUnit,
  rows: readonly StagedRow[],
): Promise<RowMark[]> {
  const settings = importSettings.parse(found.settings);
  const batch = found.batchId === null ? null : await unit.batches.get(found.batchId);
  const cards = await cardsOf(unit, found, rows, settings);
  const place: RowPlace = { unit, batch, settings, ...skusFor(unit, batch, rows, cards) };
  const marks: RowMark[] = [];
  for (const row of rows) {
    const mark: RowMark = {
      row: row.row,
      outcome: "failed",
      cardId: null,
      changedAt: null,
      problems: [],
    };
    marks.push(mark);
    try {
      const matched = cards.matchedBy(row);
      const { outcome, card } = await applyRow(place, row, matched);
      mark.outcome = outcome;
      mark.cardId = card?.state.id ?? matched?.id ?? null;
      if (card === undefined) continue;
      if (outcome === "created") await unit.cards.create(card.state);
      else unit.cards.save(card.state);
      if (card.changed) mark.changedAt = unit.stamp;
      cards.remember(row, card.state);
      await writeOutcome(db, unit, { actor }, card);
    } catch (error) {
      if (!(error instanceof VaultError) || error.status >= 500) throw error;
      mark.problems = [{ column: null, message: sentenceOf(error) }];
    }
  }
  return marks;
}

/** A refusal in one sentence, with what it says of members. */
export function sentenceOf({ message, details = [] }: VaultError): string {
  return [message, ...details.map((one) => `${one.path}: ${one.message}`)].join(" ").slice(0, 500);
}

/**
 * The cards that rows are: looked up again now that nobody else changes them, because since the check
 * cards may have come and gone; and those that earlier rows have become.
 */
async function cardsOf(
  unit: AccountUnit,
  found: ImportRow,
  rows: readonly StagedRow[],
  settings: ImportSettings,
) {
  const { tx, accountId } = unit;
  const marks = rows.map(({ fields }) => marksOf(fields as MappedCard, settings));
  const matches = await matchCards(tx, accountId, marks);
  const earlier = await readRowCards(
    tx,
    found.id,
    rows.flatMap(({ sameAsRow }) => sameAsRow ?? []),
  );
  const wanted = [
    ...matches.flatMap((match) => Object.values(match) as string[]),
    ...earlier.values(),
  ];
  const states = new Map<string, CardState>();
  for (const state of await unit.cards.getMany(wanted)) states.set(state.id, state);
  const byRow = new Map(
    rows.map((row, index): [StagedRow, CardMatch] => [row, matches[index] ?? {}]),
  );
  const made = new Map<number, string>();
  return {
    matches,
    matchedBy(row: StagedRow): CardState | null {
      const match = matchOf(byRow.get(row));
      if (match !== null) return states.get(match.cardId) ?? null;
      if ((row.fields as MappedCard).card_id !== undefined) throw new VaultError("card_not_found");
      const { sameAsRow } = row;
      if (sameAsRow === null) return null;
      return states.get(made.get(sameAsRow) ?? earlier.get(sameAsRow) ?? "") ?? null;
    },
    remember(row: StagedRow, state: CardState): void {
      states.set(state.id, state);
      made.set(row.row, state.id);
    },
  };
}

/**
 * SKUs for cards whose rows say none, or one that another card has. Those that rows of this chunk say are
 * not in the database yet, so they are passed over here.
 */
function skusFor(
  unit: AccountUnit,
  batch: RowPlace["batch"],
  rows: readonly StagedRow[],
  { matches }: { matches: readonly CardMatch[] },
): Pick<RowPlace, "nextSku" | "isTaken"> {
  const said = new Set<string>();
  const taken = new Set<string>();
  for (const [index, { fields }] of rows.entries()) {
    const sku = fields["sku"];
    if (typeof sku !== "string") continue;
    said.add(sku);
    if (matches[index]?.sku !== undefined) taken.add(sku);
  }
  return {
    isTaken(sku) {
      const isTaken = taken.has(sku);
      taken.add(sku);
      return isTaken;
    },
    async nextSku({ game = batch?.defaults.game, set_code: setCode, year }) {
      for (;;) {
        const sku = await unit.counters.nextSku({ batchCode: batch?.code, game, setCode, year });
        if (!said.has(sku)) return sku;
      }
    },
  };
}
