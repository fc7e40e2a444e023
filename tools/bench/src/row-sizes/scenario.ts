import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { CardImport, Job } from "@cardvault/contract";
import { waitUntil } from "@cardvault/postgres";
import type pg from "pg";
import { openDealer } from "../import/dealer.ts";
import type { BenchDealer } from "../import/dealer.ts";
import { openEndpoint } from "../stack/account.ts";
import { withStack } from "../stack/stack.ts";
import { withClient } from "../stack/with-client.ts";
import type { Scenario } from "../scenario.ts";
import { round, table } from "../statistics.ts";
import { connectionsByName, tableSizes } from "./sizes.ts";

const deadlineMs = 600_000;
const everyMs = 250;
const mostConnections = new Map<string, number>();

export const rowSizesScenario: Scenario = {
  name: "row-sizes",
  sentence:
    "what a card, its history, its events and their deliveries take on the disk, and connections",
  run: ({ store, cards = 5_000 }) =>
    withStack(store, (stack) =>
      withClient(stack.databaseUrl, async (client) => {
        const receiver = createServer((request, response) =>
          request.resume().on("end", () => response.end("ok")),
        );
        await once(receiver.listen(0, "127.0.0.1"), "listening");
        const { port } = receiver.address() as AddressInfo;
        const api = await stack.startApi();
        const dealer = await openDealer(stack);
        await openEndpoint(stack.services, dealer.accountId, `http://127.0.0.1:${port}`);
        const worker = await stack.startWorker();
        const startedAt = await walPosition(client);

        // Each card is made, identified, priced and moved on: four changes of it that are told, in two commits.
        await importList(dealer, client, cards);
        await priceAll(dealer, client);
        const walBytes = (await walPosition(client)) - startedAt;
        await worker.stop();
        await api.stop();
        receiver.close();

        const [undelivered, events] = await counts(client);
        const sizes = await tableSizes(client, cards);
        const rows = sizes.map((one) => [
          one.table,
          one.rows,
          ...[one.written, one.rowBytes, one.indexBytes, one.rowBytes + one.indexBytes].map(
            (bytes) => round(bytes),
          ),
        ]);
        console.log(
          table([
            ["table", "rows", "bytes a row as written", "packed: row", "indexes", "both"],
            ...rows,
          ]),
        );
        console.log(table([["connections of", "most at once"], ...mostConnections]));
        const written = sizes.reduce((sum, one) => sum + one.written * one.rows, 0);
        const packed = sizes.reduce(
          (sum, one) => sum + (one.rowBytes + one.indexBytes) * one.rows,
          0,
        );
        return {
          figures: {
            store,
            cards,
            events,
            undelivered,
            kb_a_card: round(written / cards / 1_000, 1),
            packed_kb_a_card: round(packed / cards / 1_000, 1),
            wal_kb_a_card: round(walBytes / cards / 1_000, 1),
            ...Object.fromEntries(
              sizes.map((one) => [
                `${one.table.replace(".", "_")}_bytes`,
                round(one.rowBytes + one.indexBytes),
              ]),
            ),
          },
          goals: [
            { figure: "undelivered", atMost: 0 },
            { figure: "events", atLeast: cards * 4, atMost: cards * 4 },
          ],
        };
      }),
    ),
};

/** A list as dealers keep them: names, sets, numbers, conditions, what was paid, a note. */
async function importList(dealer: BenchDealer, client: pg.Client, cards: number): Promise<void> {
  const rows = Array.from(
    { length: cards },
    (_, row) =>
      `"Charged Serpent, the ${row}th",Storm Harbour,${row}/${cards},near_mint,English,${(row % 900) / 100},"Box ${row % 40}, bought at the spring show"`,
  );
  const list = ["Name,Set,Number,Condition,Language,Purchase price,Notes", ...rows].join("\n");
  const { id } = await dealer.upload(new Blob([list]));
  const until = (status: CardImport["status"]): Promise<void> =>
    waitUntilTrue(client, async () => (await dealer.get(id)).status === status);
  await dealer.call("imports.preview", { id });
  await until("checked");
  await dealer.call("imports.start", {
    id,
    mode: "valid_rows_only",
    new_batch: { name: "Spring" },
  });
  await until("imported");
  await waitUntilTrue(client, async () => (await counts(client))[0] === 0);
}

async function priceAll(dealer: BenchDealer, client: pg.Client): Promise<void> {
  const job = (await dealer.call("bulk.start", {
    selection: { filter: {}, except: [] },
    action: { type: "set_price", price: { amount: 1_250, currency: "USD" } },
    idempotency_key: "row-sizes",
  })) as unknown as Job;
  await waitUntilTrue(client, async () => {
    const done = await client.query("select 1 from job where status = 'done' and kind = $1", [
      job.kind,
    ]);
    return done.rowCount === 1 && (await counts(client))[0] === 0;
  });
}

/** Deliveries that have not arrived, and events that were written. */
async function counts(client: pg.Client): Promise<[undelivered: number, events: number]> {
  const { rows } = await client.query<{ undelivered: string; events: string }>(
    `select (select count(*) from webhook_delivery where status <> 'delivered') as undelivered,
       (select count(*) from webhook_event) as events`,
  );
  return [Number(rows[0]?.undelivered), Number(rows[0]?.events)];
}

async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_current_wal_lsn() - '0/0' as bytes",
  );
  return Number(rows[0]?.bytes);
}

/** Notes meanwhile how many connections there are. */
async function waitUntilTrue(client: pg.Client, look: () => Promise<boolean>): Promise<void> {
  const holds = await waitUntil(
    async () => {
      for (const [name, count] of await connectionsByName(client)) {
        mostConnections.set(name, Math.max(count, mostConnections.get(name) ?? 0));
      }
      return look();
    },
    deadlineMs,
    everyMs,
  );
  if (!holds) throw new Error("What was waited for has not come");
}
