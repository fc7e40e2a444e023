import { VaultError } from "@cardvault/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isSame } from "../outcome.ts";
import { decideCard } from "./decide.ts";
import { fieldChangesBetween, membersOf } from "./fields.ts";
import type { CardMembers } from "./fields.ts";
import { now } from "./fixtures.ts";
import { birth, life, live } from "./lives.ts";
import type { Step } from "./lives.ts";
import type { CardState } from "./state.ts";
import { canBeUndone, changedSince, withoutMembers } from "./undo.ts";

/** What an undo gives back by its own means, and so must have given back where it was allowed to. */
const given = [
  "title",
  "set",
  "isRookie",
  "askingPrice",
  "condition",
  "grading",
  "tags",
  "sku",
  "quantity",
  "batchId",
  "status",
  "workflowStatus",
] as const satisfies readonly (keyof CardMembers)[];

/** As it comes out of the history: through JSON. */
function stored({ before, outcome }: Step) {
  const changes = fieldChangesBetween(before, outcome.state);
  return membersOf(JSON.parse(JSON.stringify(changes)) as Record<string, [unknown, unknown]>);
}

function undo(card: CardState, change: ReturnType<typeof stored>) {
  const membership = (id: string | null) => (id === null ? null : { id, status: "open" as const });
  const batches = {
    now: membership(card.batchId),
    before: membership(change.from.batchId ?? null),
  };
  const undone = { ...change, accountCurrency: "USD", batches };
  return decideCard(card, { type: "undo_change", change: undone }, now);
}

function holdsFor(check: (step: Step) => void): void {
  fc.assert(
    fc.property(birth, life, (fields, makers) => {
      live(fields, makers, check);
    }),
    { numRuns: 1_000 },
  );
}

test("what the history holds is what the card had, before and after", () => {
  holdsFor((step) => {
    const { from, to } = stored(step);
    for (const [name, value] of Object.entries(from)) {
      expect(value).toEqual(step.before[name as keyof CardState]);
    }
    expect(changedSince(step.outcome.state, to)).toEqual([]);
  });
});

test("a change that is undone at once is gone, or the rules refuse it and nothing has happened", () => {
  let undone = 0;
  holdsFor((step) => {
    const change = stored(step);
    if (!canBeUndone(change.from)) return;
    try {
      const { state } = undo(step.outcome.state, change);
      for (const name of given) {
        if (change.from[name] !== undefined) expect(state[name]).toEqual(change.from[name]);
      }
      undone += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(VaultError);
      expect((error as VaultError).status).toBeLessThan(500);
    }
  });
  expect(undone).toBeGreaterThan(500);
});

test("an undo leaves what has changed since as it is", () => {
  holdsFor((step) => {
    const change = stored(step);
    const later = { ...step.outcome.state, tags: ["later"], notes: "later" };
    const since = changedSince(later, change.to);
    const rest = withoutMembers(change, since);
    expect(since.every((name) => !isSame(later[name], change.to[name]))).toBe(true);
    if (!canBeUndone(rest.from)) return;
    try {
      const { state } = undo(later, rest);
      expect([state.tags, state.notes]).toEqual([["later"], "later"]);
    } catch (error) {
      expect(error).toBeInstanceOf(VaultError);
    }
  });
});
