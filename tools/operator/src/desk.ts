import type { Connection } from "./connection.ts";

/** What a command works with: a connection that is closed after it, and somewhere to write. */
export interface Desk {
  run(work: (connection: Connection) => Promise<void>): Promise<void>;
  /** For what needs no service: the database may not be there yet. */
  databaseUrl(): Promise<string>;
  /** One line of the answer. */
  say(line: string): void;
  /** Everything on standard input. */
  readInput(): Promise<string>;
}
