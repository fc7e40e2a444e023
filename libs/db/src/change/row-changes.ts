import { isDeepStrictEqual } from "node:util";

/**
 * Gives a loaded row the values that differ from its own, and says whether there were any.
 * Objects are compared by their members, whose order jsonb does not keep.
 */
export function applyChanges<Row extends object>(row: Row, values: Partial<Row>): boolean {
  const differing = (Object.keys(values) as (keyof Row)[]).filter(
    (name) => !isDeepStrictEqual(row[name] ?? null, values[name] ?? null),
  );
  for (const name of differing) row[name] = values[name] as Row[keyof Row];
  return differing.length > 0;
}
