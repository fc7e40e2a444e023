import type { EventDataOf, EventType } from "@cardvault/contract";

/**
 * An event that a change fires, in the order of its steps. Its id, time and envelope are made
 * where it is stored.
 */
export type DomainEvent = {
  [Name in EventType]: { type: Name; data: EventDataOf<Name> };
}[EventType];

/** What a rule answers: the new state, which members changed (none: nothing to write), what it fires. */
export type Outcome<State> = {
  state: State;
  changes: Partial<State>;
  changed: boolean;
  events: DomainEvent[];
};

/** One event, typed by its name. */
export function domainEvent<Name extends EventType>(
  type: Name,
  data: EventDataOf<Name>,
): DomainEvent {
  return { type, data } as DomainEvent;
}

/** Whether two plain values (JSON and Dates) say the same; the order of an object's members is nothing. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (left instanceof Date || right instanceof Date) {
    return left instanceof Date && right instanceof Date && left.getTime() === right.getTime();
  }
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return false;
  }
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const leftKeys = Object.keys(left);
  if (leftKeys.length !== Object.keys(right).length) return false;
  return leftKeys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}

/** The members of `after` that differ from `before`. */
export function changesBetween<State extends object>(before: State, after: State): Partial<State> {
  const changes: Partial<State> = {};
  for (const key of Object.keys(after) as (keyof State)[]) {
    if (!isSame(before[key], after[key])) changes[key] = after[key];
  }
  return changes;
}

/** The outcome of a rule that went from `before` to `after`. */
export function outcomeOf<State extends object>(
  before: State,
  after: State,
  events: DomainEvent[] = [],
): Outcome<State> {
  const changes = changesBetween(before, after);
  const changed = Object.keys(changes).length > 0;
  return { state: changed ? after : before, changes, changed, events };
}
