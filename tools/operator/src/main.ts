import { text as readText } from "node:stream/consumers";
import { VaultError } from "@cardvault/contract";
import { ConfigError } from "@cardvault/kit";
import { connect, databaseUrlOf, UsageError } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { createProgram } from "./program.ts";

async function run(work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await connect();
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}

/** The sentence for the person at the keyboard; a stack only where the fault is ours. */
function explain(error: unknown): string {
  if (error instanceof VaultError && error.status < 500) {
    const details = (error.details ?? []).map(({ path, message }) => `  ${path}: ${message}`);
    return [error.message, ...details].join("\n");
  }
  if (error instanceof UsageError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  await createProgram({
    run,
    databaseUrl: () => databaseUrlOf(),
    say,
    readInput: () => readText(process.stdin),
  }).parseAsync();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
