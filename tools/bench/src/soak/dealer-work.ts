import { setTimeout as wait } from "node:timers/promises";
import type { CardImport, Job } from "@cardvault/contract";
import { waitUntil } from "@cardvault/postgres";
import type { BenchSession } from "../stack/session.ts";

const everyMs = 250;
const deadlineMs = 240_000;
const rowsPerList = 300;

/** What the dealer's longer work needs, and what it counted. */
export interface DealerWork {
  readonly session: BenchSession;
  readonly counts: DealerCounts;
}

export interface DealerCounts {
  imported: number;
  undone: number;
  priced: number;
  pricesUndone: number;
  /** Lines of cards in the exports. */
  exported: number;
}

/**
 * A list of cards uploaded, checked and imported into a batch of its own; all of them priced by a job, which is
 * undone; the whole inventory given out; and at the end, every second time, the import undone.
 */
export async function bringList({ session, counts }: DealerWork, turn: number): Promise<void> {
  const form = new FormData();
  form.append("file", listOf(rowsPerList, turn), `list-${turn}.csv`);
  const uploaded = await session.send<CardImport>("/trpc/files/import", form);
  const checking = await session.mutate<CardImport>("imports.preview", { id: uploaded.id });
  await untilImport(session, checking, "checked");
  const begun = await session.mutate<CardImport>("imports.start", {
    id: uploaded.id,
    mode: "valid_rows_only",
    new_batch: { name: `List ${turn}` },
  });
  const { outcomes } = await untilImport(session, begun, "imported");
  if (outcomes.created !== rowsPerList) throw new Error(`${outcomes.created} cards were imported`);
  counts.imported += outcomes.created;

  const { data } = await session.query<{ data: { id: string; name: string }[] }>("batches.list", {
    limit: 50,
  });
  const batch = data.find(({ name }) => name === `List ${turn}`);
  const priced = await runJob(session, "bulk.start", {
    selection: { filter: { batch: [batch?.id ?? ""] }, except: [] },
    action: { type: "set_price", price: { amount: 1_000 + turn, currency: "USD" } },
  });
  counts.priced += priced.progress.changed;
  const undone = await runJob(session, "bulk.undo", { id: priced.id });
  counts.pricesUndone += undone.progress.changed;
  counts.exported += await exportAll(session);

  if (turn % 2 === 0) return;
  const undoing = await session.mutate<CardImport>("imports.undo", { id: uploaded.id });
  const now = await untilImport(session, undoing, "undone");
  counts.undone += now.outcomes.undone;
}

/** A collection as ManaBox exports it, every card another one. */
function listOf(rows: number, turn: number): Blob {
  const header =
    "Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price," +
    "Misprint,Altered,Condition,Language,Purchase price currency\r\n";
  const lines = Array.from({ length: rows }, (_, row) => {
    const number = turn * rows + row;
    const id = String(number).padStart(12, "0");
    return (
      `"Charged Serpent, the ${number}th",SHB,Storm Harbour,${number},normal,rare,1,${900_000 + number},` +
      `5d1f7a30-0000-4000-8000-${id},"${(row % 900) / 100}",false,false,near_mint,en,USD\r\n`
    );
  });
  return new Blob([header, ...lines]);
}

async function untilImport(
  session: BenchSession,
  { id }: CardImport,
  status: CardImport["status"],
): Promise<CardImport> {
  return until(
    `the import to be ${status}`,
    () => session.query<CardImport>("imports.get", { id }),
    (now) => now.status === status,
  );
}

/** Starts a job and waits for its end, as the page does that shows it. @throws Error where it fails */
export async function runJob(
  session: BenchSession,
  procedure: string,
  input: unknown,
): Promise<Job> {
  const { id } = await session.mutate<Job>(procedure, input);
  return untilJob(session, id);
}

export async function untilJob(session: BenchSession, id: string): Promise<Job> {
  const ended = await until(
    "the job to end",
    () => session.query<Job>("jobs.get", { id }),
    ({ finished_at }) => finished_at !== null,
  );
  if (ended.status !== "done") throw new Error(`The job ${ended.kind} is ${ended.status}`);
  return ended;
}

/** Asks again and again until it is so. @throws Error where it does not come to be so */
export async function until<T>(
  what: string,
  read: () => Promise<T>,
  isSo: (now: T) => boolean,
): Promise<T> {
  let latest: T | undefined;
  const isThere = await waitUntil(
    async () => {
      latest = await read();
      return isSo(latest);
    },
    deadlineMs,
    everyMs,
  );
  if (!isThere || latest === undefined) throw new Error(`Waited for ${what} in vain`);
  return latest;
}

/** Takes the whole inventory as a file. Answers its lines without the header. */
async function exportAll(session: BenchSession): Promise<number> {
  const response = await session.open(`/trpc/files/cards?account=${session.accountId}`);
  if (!response.ok || response.body === null) throw new Error(`Export: ${response.status}`);
  let lines = 0;
  for await (const piece of response.body) for (const byte of piece) if (byte === 10) lines += 1;
  return lines - 1;
}

/** A token's life: made, used, revoked; from then on no process may take it any more. */
export async function throwAwayKey(
  session: BenchSession,
  origins: readonly string[],
): Promise<void> {
  const made = await session.mutate<{ key: { id: string }; token: string }>("keys.create", {
    name: "For a moment",
  });
  const statuses = (): Promise<number[]> =>
    Promise.all(
      origins.map(async (origin) => {
        const headers = { authorization: `Bearer ${made.token}` };
        const response = await fetch(`${origin}/cards?limit=1`, { headers });
        await response.arrayBuffer();
        return response.status;
      }),
    );
  const before = await statuses();
  if (before.some((status) => status !== 200)) throw new Error(`A new key: ${before.join()}`);
  await session.mutate("keys.revoke", { id: made.key.id });
  // Five seconds are what a cached principal may live.
  await wait(5_000);
  const after = await statuses();
  if (after.some((status) => status !== 401)) throw new Error(`A revoked key: ${after.join()}`);
}

/** A new key for an old one, which goes on for an hour. */
export async function rotateKey(
  session: BenchSession,
  key: { id: string; token: string },
): Promise<{ id: string; token: string }> {
  const made = await session.mutate<{ key: { id: string }; token: string }>("keys.rotate", {
    id: key.id,
    old_ends: "1h",
  });
  return { id: made.key.id, token: made.token };
}
