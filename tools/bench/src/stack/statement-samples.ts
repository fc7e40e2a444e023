import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { table } from "../statistics.ts";

const everyMs = 10;
const shownStatements = 14;
const shownCharacters = 90;

interface Sample {
  readonly application: string;
  readonly statement: string;
  /** What the server waits for; null while it computes. */
  readonly wait: string | null;
}

/**
 * Looks again and again what PostgreSQL's processes are doing, for so long, and prints which statements
 * were seen most. The embedded server has no statistics of statements; samples say the same.
 */
export async function printStatements(databaseUrl: string, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const seen = new Map<string, { cpu: number; waits: Map<string, number> }>();
  let looks = 0;
  try {
    const untilMs = performance.now() + seconds * 1_000;
    while (performance.now() < untilMs) {
      const { rows } = await client.query<Sample>({
        name: "samples",
        text: `select application_name as application, wait_event as wait,
            left(regexp_replace(query, '\\s+', ' ', 'g'), ${shownCharacters}) as statement
          from pg_stat_activity
          where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      });
      looks += 1;
      for (const { application, statement, wait: event } of rows) {
        const name = `${application.replace("cardvault-", "")}: ${statement}`;
        const found = seen.get(name) ?? { cpu: 0, waits: new Map<string, number>() };
        seen.set(name, found);
        if (event === null) found.cpu += 1;
        else found.waits.set(event, (found.waits.get(event) ?? 0) + 1);
      }
      await wait(everyMs);
    }
  } finally {
    await client.end();
  }
  const rows = [...seen]
    .map(([name, { cpu, waits }]) => {
      const waiting = [...waits.values()].reduce((sum, count) => sum + count, 0);
      const [longest = ""] = [...waits].toSorted(([, one], [, other]) => other - one)[0] ?? [];
      return { name, cpu, waiting, longest };
    })
    .toSorted((one, other) => other.cpu + other.waiting - one.cpu - one.waiting)
    .slice(0, shownStatements)
    .map(({ name, cpu, waiting, longest }) => [
      name,
      (cpu / looks).toFixed(3),
      (waiting / looks).toFixed(3),
      longest,
    ]);
  console.log("\nPostgreSQL's processes at work on each statement, on average:");
  console.log(table([["statement", "computing", "waiting", "mostly for"], ...rows]));
}
