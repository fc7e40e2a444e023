/** What simulated third parties remember. A process of the sandbox keeps it in PostgreSQL. */
export interface SimulatorStore {
  read(protocol: string, key: string): Promise<unknown>;
  write(protocol: string, key: string, value: unknown): Promise<void>;
  /** Takes one off the record's `remaining` and answers the record; null where none is left. */
  take(protocol: string, key: string): Promise<unknown>;
  /** Forgets every key with this beginning. */
  forget(protocol: string, keyPrefix: string): Promise<void>;
}

/** For one process and as long as it lives. */
export function createMemoryStore(): SimulatorStore {
  const records = new Map<string, unknown>();
  const placeOf = (protocol: string, key: string): string => `${protocol}\n${key}`;
  return {
    read: (protocol, key) => Promise.resolve(records.get(placeOf(protocol, key)) ?? null),
    write: (protocol, key, value) => {
      records.set(placeOf(protocol, key), value);
      return Promise.resolve();
    },
    take: (protocol, key) => {
      const record = records.get(placeOf(protocol, key)) as { remaining: number } | undefined;
      if (record === undefined || record.remaining < 1) return Promise.resolve(null);
      record.remaining -= 1;
      return Promise.resolve(record);
    },
    forget: (protocol, keyPrefix) => {
      for (const place of records.keys()) {
        if (place.startsWith(placeOf(protocol, keyPrefix))) records.delete(place);
      }
      return Promise.resolve();
    },
  };
}
