import { batchStatuses, VaultError } from "@cardvault/contract";
import type { BatchStatus } from "@cardvault/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideBatch } from "./batch.ts";
import type { BatchCommand, BatchState } from "./batch.ts";

const now = new Date("2026-03-01T10:00:00.000Z");
const open: BatchState = {
  id: "batch_01kjm2yc00e00rf6sv9yp2y9rd",
  code: "B47",
  name: "Harbour",
  status: "open",
  source: null,
  description: null,
  defaults: {
    set: "Storm",
    game: null,
    condition: null,
    language: null,
    location: null,
    priceFloor: null,
  },
  costBasis: null,
  acquiredAt: null,
  completedAt: null,
  cardCount: 12,
  jobCount: 0,
  membershipJobCount: 0,
};
const started: BatchCommand = { type: "job_started", kind: "cards" };
const finished: BatchCommand = { type: "job_finished", kind: "cards" };
const importStarted: BatchCommand = { type: "job_started", kind: "membership" };
const importFinished: BatchCommand = { type: "job_finished", kind: "membership" };
const complete: BatchCommand = { type: "complete" };
const reopen: BatchCommand = { type: "reopen" };
const rename: BatchCommand = { type: "edit", patch: { name: "Other" }, accountCurrency: "USD" };

const run = (batch: BatchState, ...commands: BatchCommand[]) =>
  commands.reduce((state, command) => decideBatch(state, command, now).state, batch);

const at: Record<BatchStatus, BatchState> = {
  open,
  processing: run(open, started),
  complete: run(open, complete),
};

const table: [BatchCommand, Record<BatchStatus, string>][] = [
  [started, { open: "processing", processing: "processing", complete: "complete" }],
  [importStarted, { open: "processing", processing: "processing", complete: "batch_complete" }],
  [finished, { open: "conflict", processing: "open", complete: "conflict" }],
  [complete, { open: "complete", processing: "complete", complete: "batch_complete" }],
  [reopen, { open: "invalid_transition", processing: "invalid_transition", complete: "open" }],
  [rename, { open: "open", processing: "processing", complete: "batch_complete" }],
];

describe.each(table)("%j", (command, results) => {
  test.each(batchStatuses)("when %s", (status) => {
    const expected = results[status];
    const call = () => decideBatch(at[status], command, now).state.status;
    if ((batchStatuses as readonly string[]).includes(expected)) expect(call()).toBe(expected);
    else expect(call).toThrow(expect.objectContaining({ code: expected }));
  });
});

test("every completion fires batch.completed", () => {
  const event = {
    type: "batch.completed",
    data: {
      batch_id: open.id,
      name: "Harbour",
      card_count: 12,
      completed_at: now.toISOString(),
    },
  };
  expect(decideBatch(open, complete, now).events).toEqual([event]);
  const reopened = run(open, complete, reopen);
  expect(reopened.completedAt).toBeNull();
  expect(decideBatch(reopened, complete, now).events).toEqual([event]);
});

test("it is not completed while its membership changes", () => {
  expect(() => run(open, importStarted, complete)).toThrow(
    expect.objectContaining({ code: "conflict" }),
  );
  expect(run(open, importStarted, importFinished, complete).status).toBe("complete");
});

test("jobs on its cards finish while it is complete; reopened it is processing while they run", () => {
  expect(run(open, started, complete, finished)).toMatchObject({ status: "complete", jobCount: 0 });
  expect(run(open, started, complete, reopen).status).toBe("processing");
});

test("an edit that changes nothing is none; defaults are replaced whole; the account's currency holds", () => {
  const edit = (patch: Extract<BatchCommand, { type: "edit" }>["patch"]) =>
    decideBatch(open, { type: "edit", patch, accountCurrency: "USD" }, now);
  expect(edit({ name: "Harbour" })).toMatchObject({ changed: false, changes: {} });
  expect(edit({ defaults: { game: "Runes" } }).state.defaults).toMatchObject({
    set: null,
    game: "Runes",
  });
  const euro = { amount: 1, currency: "EUR" };
  expect(() => edit({ costBasis: euro, defaults: { priceFloor: euro } })).toThrow(
    expect.objectContaining({
      code: "validation_failed",
      details: [
        expect.objectContaining({ path: "cost_basis.currency" }),
        expect.objectContaining({ path: "defaults.price_floor.currency" }),
      ],
    }),
  );
});

test("any life of a batch: processing exactly while jobs run and it is not complete, one event a completion", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...table.map(([command]) => command), importFinished), {
        maxLength: 30,
      }),
      (life) => {
        let batch = open;
        for (const command of life) {
          const before = batch;
          try {
            const outcome = decideBatch(batch, command, now);
            batch = outcome.state;
            expect(outcome.events.length).toBe(
              before.status !== "complete" && batch.status === "complete" ? 1 : 0,
            );
          } catch (refusal) {
            if (!(refusal instanceof VaultError)) throw refusal;
          }
          if (batch.status !== "complete")
            expect(batch.status).toBe(batch.jobCount > 0 ? "processing" : "open");
          else {
            expect(batch.membershipJobCount).toBe(0);
            if (before.status === "complete") expect(batch.name).toBe(before.name);
          }
          expect(batch.membershipJobCount).toBeGreaterThanOrEqual(0);
          expect(batch.jobCount).toBeGreaterThanOrEqual(batch.membershipJobCount);
          expect(batch.completedAt !== null).toBe(batch.status === "complete");
        }
      },
    ),
    { numRuns: 1_500 },
  );
});
