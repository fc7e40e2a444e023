import { accountHeader } from "@cardvault/contract";
import type { Card, Job } from "@cardvault/contract";
import { setLimits } from "@cardvault/core";
import { toUuid } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { startFleet } from "./fleet.ts";
import type { Fleet, FleetProcess } from "./fleet.ts";
import { followLive } from "./live-stream.ts";
import { isLong } from "./long.ts";
import { startLoad } from "./load.ts";
import { verified } from "./received.ts";
import { openShop } from "./shop.ts";
import type { Shop } from "./shop.ts";
import { stores } from "./stores.ts";

/** With its owner's session: sign-ins are few, for all processes together. */
type OpenShop = Shop & { readonly cookie: string };

const price = { amount: 1250, currency: "USD" };

/** Attempts that a worker has made since its start, as its metrics say. */
async function attemptsOf({ url }: FleetProcess): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = metrics.matchAll(/^vault_webhook_attempts_total\{[^}]*\} (\d+)$/gmu);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function openWork({ stack }: Fleet): Promise<number> {
  const rows = await stack.services.db.query(
    `select 1 from webhook_delivery where status in ('pending', 'retrying')
     union all select 1 from job where status in ('queued', 'running')`,
  );
  return rows.length;
}

/** Events of which there is a delivery, and how often the receiver got each. */
async function expectEachOnce(
  { stack }: Fleet,
  received: readonly { readonly id: string }[],
): Promise<number> {
  const [told] = await stack.services.db.query<{ delivered: number; attempts: number }>(
    `select count(*) filter (where status = 'delivered')::int as delivered, sum(attempts)::int as attempts
     from webhook_delivery`,
  );
  expect({
    received: received.length,
    different: new Set(received.map(({ id }) => id)).size,
  }).toEqual({ received: told?.delivered, different: told?.delivered });
  expect(told?.attempts).toBe(told?.delivered);
  return told?.delivered ?? 0;
}

/** One limit for all processes: of three times as many requests, sent to all of them at once. */
async function expectOneLimit(fleet: Fleet): Promise<void> {
  const limit = 12;
  const shop = await openShop(fleet.stack);
  await setLimits(fleet.stack.services, shop.access, { read: limit });
  const answers: { status: number; headers: Headers }[] = [];
  const asked = Array.from({ length: limit }, () =>
    fleet.apis.map(async ({ url }) => {
      const response = await fetch(`${url}/cards?limit=1`, {
        headers: { authorization: `Bearer ${shop.token}` },
      });
      await response.arrayBuffer();
      answers.push(response);
    }),
  );
  await Promise.all(asked.flat());
  const allowed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect([allowed.length, refused.length]).toEqual([limit, limit * 2]);
  const remaining = allowed.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
  expect(remaining.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: limit }, (_, left) => left),
  );
  const resets = new Set(answers.map(({ headers }) => headers.get("x-ratelimit-reset")));
  expect(resets.size).toBe(1);
  for (const { headers } of refused) {
    expect(headers.get("x-ratelimit-limit")).toBe(String(limit));
    expect(headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
  }
}

/** What one process changes is told by another, and what a key was given is taken back in all. */
async function expectToldAcross(fleet: Fleet, shop: OpenShop, card: Card): Promise<void> {
  const [first, second] = fleet.apis;
  if (first === undefined || second === undefined) throw new Error("There are three");
  const follower = followLive(first.url, shop);
  await waitFor(() => follower.isConnected);
  await waitFor(() => follower.cards.size > 0);
  const before = follower.connections[0]?.messages.length ?? 0;
  const patched = await fetch(`${second.url}/cards/${card.id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${shop.token}`, "content-type": "application/json" },
    body: JSON.stringify({ location: "B2-07" }),
  });
  expect(patched.status).toBe(200);
  const told = await waitFor(() =>
    follower.connections[0]?.messages
      .slice(before)
      .find((message) => message.type === "changed" && message.cards.includes(card.id)),
  );
  expect(told.type).toBe("changed");
  await follower.stop();
  expect(follower.connections).toHaveLength(1);
}

/** Each job is asked for at all processes at once, and there is one; each changes every card once. */
async function expectJobsOnce(fleet: Fleet, shop: OpenShop, cards: readonly Card[]): Promise<void> {
  const origin = fleet.stack.publicUrl;
  const begin = async ({ url }: FleetProcess, number: number): Promise<Job> => {
    const response = await fetch(`${url}/trpc/bulk.start`, {
      method: "POST",
      headers: {
        origin,
        cookie: shop.cookie,
        [accountHeader]: shop.accountId,
        "content-type": "application/json",
      },
      body: JSON.stringify({
        selection: { ids: cards.map(({ id }) => id) },
        action: { type: "move", location: `Drawer ${number}` },
        idempotency_key: `drawer-${number}`,
      }),
    });
    return ((await response.json()) as { result: { data: Job } }).result.data;
  };
  const wanted = Array.from({ length: 6 }, (_, number) => number);
  const begun = await Promise.all(
    wanted.flatMap((number) => fleet.apis.map((api) => begin(api, number))),
  );
  const jobs = [...new Set(begun.map(({ id }) => id))];
  expect(jobs).toHaveLength(wanted.length);
  await waitFor(async () => (await openWork(fleet)) === 0, { deadlineMs: 30_000 });
  const changes = await fleet.stack.services.db.query<{
    job: string;
    changes: number;
    cards: number;
  }>(
    `select j.status as job, count(c.card_id)::int as changes, count(distinct c.card_id)::int as cards
     from job j left join card_change c on c.job_id = j.id where j.id = any($1::uuid[]) group by j.id`,
    [jobs.map((id) => toUuid(id, "job"))],
  );
  expect(changes).toEqual(
    wanted.map(() => ({ job: "done", changes: cards.length, cards: cards.length })),
  );
}

/** Every process is told to end and replaced, one of each kind after the other, while clients work. */
async function replaceAll(fleet: Fleet, shop: OpenShop): Promise<string> {
  const { stack, balancer, apis, workers } = fleet;
  const ending = new Set<number>();
  const follower = followLive(stack.url, shop);
  await waitFor(() => follower.isConnected);
  const load = startLoad(stack, shop, (index) => ending.has(index));
  const goneOn = async (): Promise<void> => {
    const before = { ...load.answers };
    await waitFor(
      () => load.clients.every((name) => (load.answers[name] ?? 0) > (before[name] ?? 0)),
      { deadlineMs: 60_000, what: "every client to go on" },
    );
    expect([...load.failures]).toEqual([]);
  };
  await goneOn();
  const statuses: Record<string, number | null> = {};
  const replace = async ({ name, program }: FleetProcess): Promise<void> => {
    statuses[name] = await program.stop();
    await program.start();
  };
  const replaceApis = async (): Promise<void> => {
    for (const [index, api] of apis.entries()) {
      ending.add(index);
      await replace(api);
      await waitFor(() => balancer.isReady(index), { deadlineMs: 30_000 });
      ending.delete(index);
      await goneOn();
    }
  };
  const replaceWorkers = async (): Promise<void> => {
    for (const worker of workers) {
      await replace(worker);
      await goneOn();
    }
  };
  await Promise.all([replaceApis(), replaceWorkers()]);
  await load.stop();
  expect([...load.failures]).toEqual([]);
  const all = [...apis, ...workers].map(({ name }) => [name, 0]);
  expect(statuses).toEqual(Object.fromEntries(all));

  // Ending is nothing that anybody has to be woken for.
  const errors = apis.flatMap(
    ({ program }) => program.output.match(/^.*"level":"error".*$/gmu) ?? [],
  );
  expect(errors).toEqual([]);

  await waitFor(() => load.priced.every((id) => follower.cards.has(id)));
  await follower.stop();
  const [first, ...others] = follower.connections;
  const connections = [first, ...others];
  expect(others.length).toBeGreaterThan(0);
  // Told to come again by each process that ended, and gone on from where it stood.
  expect(connections.slice(0, -1).map((one) => one?.errorCode)).toEqual(
    others.map(() => "service_unavailable"),
  );
  expect(others.map(({ messages }) => messages[0])).toMatchObject(
    others.map(() => ({ type: "connected", resumed: true })),
  );

  await waitFor(async () => (await openWork(fleet)) === 0, { deadlineMs: 60_000 });
  const [made] = await stack.services.db.query<{ cards: number; titles: number; priced: number }>(
    `select count(*)::int as cards, count(distinct title)::int as titles,
       (select count(*)::int from card where title like 'Written %' and workflow_status = 'priced') as priced
     from card where title like 'Listed %'`,
  );
  const rows = load.lists * load.rowsOfAList;
  expect(load.lists).toBeGreaterThan(0);
  expect(made).toEqual({ cards: rows, titles: rows, priced: load.priced.length });
  return `${JSON.stringify(load.answers)}, ${load.turnedAway} turned away, ${others.length} live connections made again`;
}

test.for(isLong ? stores : stores.slice(-1))(
  "three of each on %s: one limit, nothing twice, told across, replaced one by one without a request that fails",
  { timeout: 300_000 },
  async (store, context) => {
    const { onTestFinished } = context;
    const fleet = await startFleet(context, store);
    const { stack, workers } = fleet;
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const opened = await openShop(stack);
    const endpoint = await opened.receive(receiver.url);
    const session = await opened.signIn();
    const shop = { ...opened, cookie: session.cookie };
    const cards = await session.createCards(
      Array.from({ length: 12 }, (_, number) => ({ title: `Card ${number}`, asking_price: price })),
    );
    const [card] = cards;
    if (card === undefined) throw new Error("Cards were made");

    await expectOneLimit(fleet);
    await expectToldAcross(fleet, shop, card);
    await expectJobsOnce(fleet, shop, cards);

    const shares = (): Promise<number[]> => Promise.all(workers.map(attemptsOf));
    await waitFor(
      async () => {
        if ((await shares()).every((share) => share > 0)) return true;
        await session.createCards(cards.map(({ title }) => ({ title: `More of ${title}` })));
        return false;
      },
      { deadlineMs: 30_000 },
    );
    await waitFor(async () => (await openWork(fleet)) === 0, { deadlineMs: 30_000 });
    const delivered = await expectEachOnce(fleet, verified(receiver.requests, endpoint.secret));
    const shared = await shares();
    expect(shared.reduce((sum, share) => sum + share)).toBe(delivered);

    const said = await replaceAll(fleet, shop);
    const arrived = await expectEachOnce(fleet, verified(receiver.requests, endpoint.secret));
    process.stdout.write(
      `${delivered} deliveries shared ${shared.join(" + ")}; then ${said}; ${arrived} events, each once\n`,
    );
  },
);
