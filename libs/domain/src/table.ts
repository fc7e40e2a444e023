import { VaultError } from "@cardvault/contract";

/** One row of a transition table: from any of these states, to any of these, by this. */
export type TransitionRow<State extends string, Trigger extends string> = {
  from: readonly State[];
  to: readonly State[];
  by: Trigger;
};

/** The row that names this transition, if one does. */
function findRow<
  State extends string,
  Trigger extends string,
  Row extends TransitionRow<State, Trigger>,
>(
  rows: readonly (Row & TransitionRow<State, Trigger>)[],
  from: State,
  to: State,
  by: Trigger,
): Row | undefined {
  return rows.find((row) => row.by === by && row.from.includes(from) && row.to.includes(to));
}

/**
 * The row that names this transition.
 * @throws VaultError `invalid_transition` for what no row names.
 */
export function requireRow<
  State extends string,
  Trigger extends string,
  Row extends TransitionRow<State, Trigger>,
>(
  subject: string,
  rows: readonly (Row & TransitionRow<State, Trigger>)[],
  from: State,
  to: State,
  by: Trigger,
): Row {
  const row = findRow<State, Trigger, Row>(rows, from, to, by);
  if (row === undefined) {
    throw new VaultError("invalid_transition", {
      message: `A ${subject} that is ${from} cannot become ${to} this way.`,
    });
  }
  return row;
}
