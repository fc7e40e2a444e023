/**
 * The conditions of a statement and the values that they are bound to. A condition's text says its
 * shape and never a value.
 */
export class StatementParts {
  readonly conditions: string[] = [];
  readonly values: unknown[] = [];

  /** The placeholder of a value, cast to its type, so that its meaning never depends on the context. */
  bind(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  where(condition: string): void {
    this.conditions.push(condition);
  }

  /**
   * One of the given values. A single one is an equality, behind which an index still gives the
   * rows in the order of its next columns.
   */
  whereOneOf(expression: string, values: readonly unknown[] | undefined, type: string): void {
    if (values === undefined) return;
    this.where(
      values.length === 1
        ? `${expression} = ${this.bind(values[0], type)}`
        : `${expression} = any (${this.bind(values, `${type}[]`)})`,
    );
  }
}

/**
 * The first text, in the order of code points, after all that begin with a prefix; null where there
 * is none. A bound `like` could not use an index in a prepared statement, a range can.
 */
export function afterPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last >= 0x10ffff) continue;
    // Surrogates are no characters, so the next after U+D7FF is U+E000.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return null;
}
