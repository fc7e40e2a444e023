import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Job } from "@cardvault/contract";
import { appRouter, createCallerFactory } from "@cardvault/core";
import { newId, toUuid } from "@cardvault/kit";
import { openAccount, openEndpoint } from "../stack/account.ts";
import { seedCards, someCards } from "../stack/seed-cards.ts";
import { withStack } from "../stack/stack.ts";
import type { Stack } from "../stack/stack.ts";
import type { Scenario } from "../scenario.ts";
import { percentile, round } from "../statistics.ts";

const cardsInAccount = 100_000;
const cardsPriced = 10_000;
const acceptances = 40;
const cardsPatched = 5_000;
const patchAcceptances = 20;
const everyMs = 100;
/** A person or a client who changes another card now and then. */
const writerEveryMs = 25;

const createCaller = createCallerFactory(appRouter);
type Caller = ReturnType<typeof createCaller>;

export const bulkScenario: Scenario = {
  name: "bulk",
  sentence: "10,000 of 100,000 cards priced in one job with events, beside a writer, and its undo",
  run: ({ store }) =>
    withStack(store, async (stack) => {
      const { accountId } = await openAccount(stack.services, "Bulk");
      await seedCards({ databaseUrl: stack.databaseUrl, accountId, cards: cardsInAccount });
      const receiver = await startReceiver();
      await openEndpoint(stack.services, accountId, receiver.url);
      const caller = sessionOf(stack, accountId);
      const accepted = await measureAcceptance(caller);
      const patchesAccepted = await measurePatches(stack, caller, accountId);
      await prepareCards(stack, accountId);
      await stack.startWorker();

      const priced = await measureJob(stack, caller, accountId, () =>
        caller.bulk.start({
          selection: { filter: { tag: ["bench"] }, except: [] },
          action: { type: "price_rule", rule: { percent: 110, rounding: "end_99" } },
        }),
      );
      const undone = await measureJob(stack, caller, accountId, () =>
        caller.bulk.undo({ id: priced.job.id }),
      );
      await receiver.close();
      return {
        figures: {
          store,
          accept_p95_ms: round(percentile(accepted, 0.95), 1),
          patches_accept_p95_ms: round(percentile(patchesAccepted, 0.95), 1),
          price_s: round(priced.ms / 1_000, 1),
          priced: priced.job.progress.changed,
          events: priced.events,
          chunks: priced.chunks,
          writer_p50_ms: round(percentile(priced.writes, 0.5), 1),
          writer_p95_ms: round(percentile(priced.writes, 0.95), 1),
          writer_max_ms: round(Math.max(...priced.writes), 1),
          undo_s: round(undone.ms / 1_000, 1),
          undone: undone.job.progress.changed,
          undo_writer_p95_ms: round(percentile(undone.writes, 0.95), 1),
        },
        goals: [
          { figure: "accept_p95_ms", atMost: 300 },
          { figure: "patches_accept_p95_ms", atMost: 300 },
          { figure: "price_s", atMost: 30 },
          { figure: "priced", atLeast: cardsPriced, atMost: cardsPriced },
          { figure: "undo_s", atMost: 30 },
          { figure: "undone", atLeast: cardsPriced, atMost: cardsPriced },
        ],
      };
    }),
};

/** As the owner's session, in this process: what is measured is the service's work and not a network. */
function sessionOf({ services }: Stack, accountId: string): Caller {
  const principal = {
    kind: "session",
    userId: "bench",
    userName: "Bench",
    userEmail: "bench@vault.example",
    accountId,
    environment: "test",
    currency: "USD",
    role: "owner",
    isOperator: false,
    isSuspended: false,
  } as const;
  return createCaller({ services, principal, requestId: newId("req") });
}

/** Jobs over the whole account, each cancelled before there is a worker. */
async function measureAcceptance(caller: Caller): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < acceptances; count += 1) {
    const fromMs = performance.now();
    const { id } = await caller.bulk.start({
      selection: { filter: {}, except: [] },
      action: { type: "move", location: "Nowhere" },
    });
    times.push(performance.now() - fromMs);
    await caller.jobs.cancel({ id });
  }
  return times;
}

/** The rows of a spreadsheet, each with a price and a place of its own; cancelled like the others. */
async function measurePatches(stack: Stack, caller: Caller, accountId: string): Promise<number[]> {
  const ids = await someCards(stack.databaseUrl, accountId, cardsPatched, ["identified"]);
  const patches = ids.map((id, row) => ({
    id,
    patch: { asking_price: { amount: 100 + row, currency: "USD" }, location: `Box ${row}` },
    if_version: 1,
  }));
  const times: number[] = [];
  for (let count = 0; count < patchAcceptances; count += 1) {
    const fromMs = performance.now();
    const { id } = await caller.bulk.patchEach({ patches });
    times.push(performance.now() - fromMs);
    await caller.jobs.cancel({ id });
  }
  return times;
}

/** Cards that have no price yet, so that each fires both its events: priced, and moved on. */
async function prepareCards(stack: Stack, accountId: string): Promise<void> {
  await stack.services.db.query(
    `update card set tags = array['bench'], market_price = 1000 + length(sku) * 37, market_price_currency = 'USD',
       market_price_source = 'guide', market_price_as_of = now()
     where id in (select id from card where account_id = $1 and workflow_status = 'identified'
       and asking_price is null order by id limit $2)`,
    [toUuid(accountId), cardsPriced],
  );
  await stack.services.db.query("analyze card");
}

/** A job from its request to its end, and meanwhile a writer's changes of other cards. */
async function measureJob(
  stack: Stack,
  caller: Caller,
  accountId: string,
  begin: () => Promise<Job>,
): Promise<{ job: Job; ms: number; writes: number[]; events: number; chunks: number }> {
  const others = await someCards(stack.databaseUrl, accountId, 500, ["photographed"]);
  const writes: number[] = [];
  const eventsBefore = await countEvents(stack, accountId);
  const fromMs = performance.now();
  const { id } = await begin();
  for (let turn = 0; ; turn += 1) {
    const job = turn % (everyMs / writerEveryMs) === 0 ? await caller.jobs.get({ id }) : undefined;
    if (job?.finished_at != null) {
      const ms = performance.now() - fromMs;
      const [row] = await stack.services.db.query<{ chunks: number }>(
        "select count(distinct changed_at) as chunks from card_change where job_id = $1",
        [toUuid(id)],
      );
      const events = (await countEvents(stack, accountId)) - eventsBefore;
      return { job, ms, writes, events, chunks: row?.chunks ?? 0 };
    }
    const writeFromMs = performance.now();
    await caller.cards.update({ id: others[turn % others.length] ?? "", notes: `Turn ${turn}` });
    writes.push(performance.now() - writeFromMs);
    await wait(writerEveryMs);
  }
}

async function countEvents({ services }: Stack, accountId: string): Promise<number> {
  const [row] = await services.db.query<{ events: number }>(
    "select count(*) as events from webhook_event where account_id = $1",
    [toUuid(accountId)],
  );
  return row?.events ?? 0;
}

/** Answers at once. What arrives is other scenarios' business. */
async function startReceiver(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((req, res) => {
    req.resume().on("end", () => res.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
