import type { CardImport } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { waitUntil } from "@cardvault/postgres";
import type { Scenario } from "../scenario.ts";
import { memoryMb } from "../stack/process-tree.ts";
import { withStack } from "../stack/stack.ts";
import type { Stack } from "../stack/stack.ts";
import { watchMemory } from "../stack/watch-memory.ts";
import { round } from "../statistics.ts";
import { openDealer } from "./dealer.ts";
import type { BenchDealer } from "./dealer.ts";

const defaultRows = 50_000;
const deadlineMs = 600_000;
const everyMs = 100;

export const importScenario: Scenario = {
  name: "import",
  sentence:
    "a list of 50,000 rows over HTTP: upload, check, import with a kill in the middle, export, undo",
  run: ({ store, cards: rows = defaultRows }) =>
    withStack(store, async (stack) => {
      const api = await stack.startApi();
      const dealer = await openDealer(stack);
      const first = await stack.startWorker();
      const list = listOf(rows);
      const apiMemory = watchMemory(api.processId);

      const uploadedMs = performance.now();
      const uploaded = await dealer.upload(list);
      const upload_s = (performance.now() - uploadedMs) / 1_000;
      const checking = await dealer.call("imports.preview", { id: uploaded.id });
      const check_s = await until(dealer, checking, (now) => now.status === "checked");

      const begun = await dealer.call("imports.start", {
        id: uploaded.id,
        mode: "valid_rows_only",
        new_batch: { name: "Collection" },
      });
      // A quarter by a worker that has warmed up, then it dies, and another does the rest.
      const beforeKill_s = await until(dealer, begun, (now) => now.outcomes.created > rows / 4);
      const firstMemory = await memoryMb(first.processId);
      await first.kill();
      const atKill = (await dealer.get(uploaded.id)).outcomes.created;
      const second = await stack.startWorker();
      const goesOn_s = await until(dealer, begun, (now) => now.outcomes.created > atKill);
      const afterKillMs = performance.now();
      // Warm from here on: what it holds may not grow with the rows any more.
      await until(dealer, begun, (now) => now.outcomes.created > atKill + rows / 10);
      const workerMemory = watchMemory(second.processId);
      await until(dealer, begun, (now) => now.status === "imported");
      const afterKill_s = (performance.now() - afterKillMs) / 1_000;
      const made = await counted(stack, dealer);
      const memory = workerMemory.stop();

      const downloadedMs = performance.now();
      const file = await dealer.download(`?account=${dealer.accountId}`);
      const export_s = (performance.now() - downloadedMs) / 1_000;
      const undoing = await dealer.call("imports.undo", { id: uploaded.id });
      const undo_s = await until(dealer, undoing, (now) => now.status === "undone");
      const undone = (await dealer.get(uploaded.id)).outcomes.undone;
      const apiRss = apiMemory.stop();
      return {
        figures: {
          store,
          rows,
          file_mb: round(list.size / 1_000_000, 1),
          upload_s: round(upload_s, 1),
          check_s: round(check_s, 1),
          checked_per_s: round(rows / check_s),
          imported_per_s: round((rows - atKill) / afterKill_s),
          before_kill_per_s: round(atKill / beforeKill_s),
          at_kill: atKill,
          goes_on_after_s: round(goesOn_s, 1),
          missing: rows - made.titles,
          twice: made.cards - made.titles,
          without_event: rows * 2 - made.events,
          export_per_s: round((file.lines - 1) / export_s),
          exported_missing: rows - (file.lines - 1),
          undo_per_s: round(rows / undo_s),
          undone_missing: rows - undone,
          api_rss_mb: round(apiRss.late),
          api_growth_mb: round(apiRss.late - apiRss.early),
          worker_rss_mb: round(Math.max(memory.late, firstMemory.now)),
          worker_growth_mb: round(memory.late - memory.early),
        },
        goals: [
          { figure: "missing", atMost: 0 },
          { figure: "twice", atMost: 0 },
          { figure: "without_event", atLeast: 0, atMost: 0 },
          { figure: "at_kill", atLeast: 1, atMost: rows - 1 },
          { figure: "exported_missing", atMost: 0 },
          { figure: "undone_missing", atMost: 0 },
          { figure: "worker_rss_mb", atMost: 300 },
          { figure: "worker_growth_mb", atMost: 60 },
          { figure: "api_growth_mb", atMost: 60 },
        ],
      };
    }),
};

/** A collection as ManaBox exports it, every card another one, with notes of some length. */
function listOf(rows: number): Blob {
  const header =
    "Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Purchase price," +
    "Misprint,Altered,Condition,Language,Purchase price currency\r\n";
  const conditions = ["mint", "near_mint", "excellent", "good", "light_played", "played", "poor"];
  const lines = Array.from({ length: rows }, (_, row) => {
    const foil = row % 5 === 0 ? "foil" : "normal";
    const condition = conditions[row % conditions.length];
    return (
      `"Charged Serpent, the ${row}th",SHB,Storm Harbour,${row},${foil},rare,${1 + (row % 4)},${900_000 + row},` +
      `5d1f7a30-0000-4000-8000-${String(row).padStart(12, "0")},"${(row % 900) / 100}",false,false,${condition},en,USD\r\n`
    );
  });
  return new Blob([header, ...lines]);
}

/** Waits for something of an import. Answers how long it took, in seconds. */
async function until(
  dealer: BenchDealer,
  { id }: CardImport,
  isThere: (now: CardImport) => boolean,
): Promise<number> {
  const fromMs = performance.now();
  const found = await waitUntil(async () => isThere(await dealer.get(id)), deadlineMs, everyMs);
  if (!found) throw new Error("The import does not go on");
  return (performance.now() - fromMs) / 1_000;
}

async function counted({ services }: Stack, { accountId }: BenchDealer) {
  const account = [toUuid(accountId)];
  const [cards] = await services.db.query<{ cards: number; titles: number }>(
    "select count(*) as cards, count(distinct title) as titles from card where account_id = $1",
    account,
  );
  const [fired] = await services.db.query<{ events: number }>(
    "select count(distinct (subject_id, type)) as events from webhook_event where account_id = $1",
    account,
  );
  return { cards: 0, titles: 0, events: 0, ...cards, ...fired };
}
