import { join } from "node:path";
import { toId, toUuid } from "@cardvault/kit";
import { waitUntil } from "@cardvault/postgres";
import { openAccount, openEndpoint } from "../stack/account.ts";
import type { BenchAccount } from "../stack/account.ts";
import type { Program } from "../stack/programs.ts";
import { seedCards, someCards } from "../stack/seed-cards.ts";
import type { Stack } from "../stack/stack.ts";
import type { ProducerSettings } from "./producer.ts";
import type { Behaviour, ReceiverReport, ReceiverTotals } from "./receiver.ts";

/** An account with cards that have a price, and its endpoints: paths of the one receiver. */
export interface HouseAccount extends BenchAccount {
  readonly cardIds: readonly string[];
  readonly endpoints: readonly HouseEndpoint[];
}

interface HouseEndpoint {
  readonly id: string;
  readonly path: string;
}

/** Accounts whose cards change, the program that changes them, and the receiver of their events. */
export interface House {
  readonly stack: Stack;
  readonly receiver: Program;
  readonly producer: Program;
  readonly accounts: readonly HouseAccount[];
}

interface HouseOptions {
  readonly accounts: number;
  readonly endpointsPerAccount?: number | undefined;
  /** Cards of each account that the scenario may change. */
  readonly changedCards?: number | undefined;
}

const cardsPerAccount = 2_000;

export async function openHouse(stack: Stack, options: HouseOptions): Promise<House> {
  const receiver = await stack.start({ file: join(import.meta.dirname, "receiver.ts") });
  const accounts: HouseAccount[] = [];
  for (let number = 0; number < options.accounts; number += 1) {
    accounts.push(await openHouseAccount(stack, receiver, number, options));
  }
  const settings: ProducerSettings = { databaseUrl: stack.databaseUrl };
  const producer = await stack.start({ file: join(import.meta.dirname, "producer.ts"), settings });
  await producer.ask("accounts", accounts);
  return { stack, receiver, producer, accounts };
}

async function openHouseAccount(
  { services, databaseUrl }: Stack,
  receiver: Program,
  number: number,
  { endpointsPerAccount = 1, changedCards = 500 }: HouseOptions,
): Promise<HouseAccount> {
  const account = await openAccount(services, `Bench ${number}`);
  const { accountId } = account;
  await seedCards({ databaseUrl, accountId, cards: cardsPerAccount });
  const port = await receiver.ask<number>("port");
  const endpoints: HouseEndpoint[] = [];
  for (let index = 0; index < endpointsPerAccount; index += 1) {
    const path = `/${number}/${index}`;
    const url = `http://127.0.0.1:${port}${path}`;
    const { id, secret } = await openEndpoint(services, accountId, url);
    await receiver.ask("secrets", { [path]: secret });
    endpoints.push({ id, path });
  }
  const cardIds = await someCards(databaseUrl, accountId, changedCards, ["priced"]);
  return { ...account, endpoints, cardIds };
}

function pathsOf(accounts: readonly HouseAccount[]): string[] {
  return accounts.flatMap(({ endpoints }) => endpoints.map(({ path }) => path));
}

/** From now on all receivers of these accounts behave so. */
export function behave(
  { receiver }: House,
  accounts: readonly HouseAccount[],
  behaviour: Behaviour,
): Promise<void> {
  return receiver.ask(
    "behave",
    Object.fromEntries(pathsOf(accounts).map((path) => [path, behaviour])),
  );
}

/** What arrived since the receiver's mark, of these accounts or of all. */
export function report(
  { receiver }: House,
  accounts?: readonly HouseAccount[],
): Promise<ReceiverReport> {
  return receiver.ask("report", accounts === undefined ? null : pathsOf(accounts));
}

const waitingStatement = `select count(*) as count from webhook_delivery
  where status in ('pending', 'retrying') and account_id = any ($1::uuid[])`;

/** How many deliveries of these accounts wait. */
export async function countWaiting(
  { stack, accounts }: House,
  of: readonly HouseAccount[] = accounts,
): Promise<number> {
  const ids = of.map(({ accountId }) => toUuid(accountId, "acc"));
  const [row] = await stack.services.db.query<{ count: number }>(waitingStatement, [ids]);
  return row?.count ?? Number.NaN;
}

/** Until nothing of these accounts waits any more; of all, unless told. */
export async function drain(
  house: House,
  { deadlineMs = 120_000, of }: { deadlineMs?: number; of?: readonly HouseAccount[] } = {},
): Promise<void> {
  const isDone = await waitUntil(
    // A database that is just coming back refuses; it is asked again.
    async () => (await countWaiting(house, of).catch(() => Number.NaN)) === 0,
    deadlineMs,
    100,
  );
  if (!isDone) throw new Error(`Deliveries still wait after ${deadlineMs / 1_000} s`);
}

export interface Tally {
  readonly deliveries: number;
  readonly lost: number;
  readonly repeated: number;
  readonly unverified: number;
}

/** Every delivery that was committed against those that arrived. */
export async function tally({ stack, receiver }: House): Promise<Tally> {
  const [row] = await stack.services.db.query<{ deliveries: number; undelivered: number }>(
    `select count(*) as deliveries, count(*) filter (where status <> 'delivered') as undelivered
     from webhook_delivery`,
  );
  const { requests, deliveries, unverified, hung, refused } =
    await receiver.ask<ReceiverTotals>("totals");
  const committed = row?.deliveries ?? Number.NaN;
  return {
    deliveries: committed,
    lost: Math.max(committed - deliveries, row?.undelivered ?? Number.NaN),
    repeated: requests - deliveries - unverified - hung - refused,
    unverified,
  };
}

/** Deliveries that somebody has claimed and not recorded: their requests may be on their way. */
export async function readLeased({
  services,
}: Stack): Promise<{ id: string; eventId: string; leaseToken: string }[]> {
  const rows = await services.db.query<{ id: string; event_id: string; lease_token: string }>(
    "select id, event_id, lease_token from webhook_delivery where lease_token is not null",
  );
  return rows.map((row) => ({
    id: row.id,
    eventId: toId("evt", row.event_id),
    leaseToken: row.lease_token,
  }));
}
