/** What simulated third parties remember. A process of the sandbox keeps it in PostgreSQL. */
export interface SimulatorStore {
  read(protocol: string, key: string): Promise<unknown>;
  write(protocol: string, key: string, value: unknown): Promise<void>;
  /** Takes one off the record's `remaining` and answers the record; null where none is left. */
  take(protocol: string, key: string): Promise<unknown>;
  /** Forgets every key with this beginning. */
  forget(protocol: string, keyPrefix: string): Promise<void>;
  /** Every record whose key begins so, in the order of their keys. */
  list(protocol: string, keyPrefix: string): Promise<SimulatorRecord[]>;
  /**
   * What is done by `work` on the store that it is given is done alone among those with this key, and
   * wholly or not at all where the store outlives its process.
   */
  exclusive<Done>(
    protocol: string,
    key: string,
    work: (store: SimulatorStore) => Promise<Done>,
  ): Promise<Done>;
}

interface SimulatorRecord {
  readonly key: string;
  readonly value: unknown;
}

/** For one process and as long as it lives. */
export function createMemoryStore(): SimulatorStore {
  const records = new Map<string, unknown>();
  const queues = new Map<string, Promise<unknown>>();
  const placeOf = (protocol: string, key: string): string => `${protocol}\n${key}`;
  // What was read is the reader's: changing it changes nothing that is stored.
  const store: SimulatorStore = {
    read: (protocol, key) =>
      Promise.resolve(structuredClone(records.get(placeOf(protocol, key)) ?? null)),
    write: (protocol, key, value) => {
      records.set(placeOf(protocol, key), structuredClone(value));
      return Promise.resolve();
    },
    take: (protocol, key) => {
      const record = records.get(placeOf(protocol, key)) as { remaining: number } | undefined;
      if (record === undefined || record.remaining < 1) return Promise.resolve(null);
      record.remaining -= 1;
      return Promise.resolve({ ...record });
    },
    forget: (protocol, keyPrefix) => {
      for (const place of records.keys()) {
        if (place.startsWith(placeOf(protocol, keyPrefix))) records.delete(place);
      }
      return Promise.resolve();
    },
    list: (protocol, keyPrefix) => {
      const beginning = placeOf(protocol, keyPrefix);
      const found = [...records]
        .filter(([place]) => place.startsWith(beginning))
        .map(([place, value]) => ({
          key: place.slice(protocol.length + 1),
          value: structuredClone(value),
        }));
      return Promise.resolve(found.sort((one, other) => (one.key < other.key ? -1 : 1)));
    },
    exclusive: (protocol, key, work) => {
      const place = placeOf(protocol, key);
      const before = queues.get(place) ?? Promise.resolve();
      const done = before.then(() => work(store));
      const settled = done.then(
        () => undefined,
        () => undefined,
      );
      queues.set(place, settled);
      return done;
    },
  };
  return store;
}
