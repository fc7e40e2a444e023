/** Answers that are good for a while: what was found is kept, a failure is not. */
export class KeptFor<Value> {
  readonly #forMs: number;
  readonly #kept = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  async get(key: string, find: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && performance.now() < kept.until) return kept.value;
    const value = await find();
    this.#kept.set(key, { value, until: performance.now() + this.#forMs });
    return value;
  }
}
