import { join } from "node:path";
import { scopes } from "@cardvault/contract";
import { createKey, operatorAccess, provideInventedCatalogue, setLimits } from "@cardvault/core";
import { openAccount, openEndpoint } from "../stack/account.ts";
import type { Program } from "../stack/programs.ts";
import { seedCards, someCards } from "../stack/seed-cards.ts";
import { openSession } from "../stack/session.ts";
import type { BenchSession } from "../stack/session.ts";
import type { Stack } from "../stack/stack.ts";
import type { Behaviour } from "../webhooks/receiver.ts";
import type { ClientAccount } from "./api-clients.ts";

/** A receiver of an account's events, at a path of the one program. */
interface SoakEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly path: string;
  readonly kind: EndpointKind;
}

type EndpointKind = keyof typeof behaviours;

/** Who uses the service, and who receives its events. */
export interface World {
  readonly receiver: Program;
  readonly clients: readonly ClientAccount[];
  readonly endpoints: readonly SoakEndpoint[];
  /** Whose account is the last of the clients': what is done in the web interface is done there. */
  readonly dealer: BenchSession;
  /** The dealer's keys, which are rotated. */
  readonly dealerKeys: { id: string; token: string }[];
  /** Cards of the dealer's that only the pages change, and those that are published. */
  readonly editedIds: readonly string[];
  readonly publishedIds: readonly string[];
}

const behaviours = {
  quick: { afterMs: 5 },
  slow: { afterMs: 2_000 },
  /** One event in ten is answered 500 at first: it comes again after 30 s. */
  failing: { afterMs: 5, refusesOneOf: 10 },
  dead: "hang",
} as const satisfies Record<string, Behaviour>;

// A slow receiver takes five a second at most, ten at once; what is dead gathers deliveries.
const shops: readonly { writesPerSecond: number; endpoints: readonly EndpointKind[] }[] = [
  { writesPerSecond: 3.5, endpoints: ["quick", "quick"] },
  { writesPerSecond: 2, endpoints: ["quick", "failing"] },
  { writesPerSecond: 1, endpoints: ["slow"] },
  { writesPerSecond: 0.5, endpoints: ["quick", "dead"] },
];
const cardsPerShop = 5_000;
const dealerCards = 10_000;
/** The window of a token is kept exactly, request by request: a client has several, as several would. */
const tokensPerAccount = 5;
const limits = { read: 6_000, write: 6_000, ai: 6_000 };
const writtenCards = 1_000;
const readCards = 500;
const editedCards = 200;
const publishedCards = 600;

/** Accounts with cards, keys and endpoints. The API must be ready. */
export async function openWorld(stack: Stack): Promise<World> {
  await provideInventedCatalogue(stack.services);
  const file = join(import.meta.dirname, "../webhooks/receiver.ts");
  const receiver = await stack.start({ file });
  const port = await receiver.ask<number>("port");
  const endpoints: SoakEndpoint[] = [];
  const receive = async (accountId: string, kind: EndpointKind): Promise<void> => {
    const path = `/${endpoints.length}/${kind}`;
    const url = `http://127.0.0.1:${port}${path}`;
    const { id, secret } = await openEndpoint(stack.services, accountId, url);
    await receiver.ask("secrets", { [path]: secret });
    await receiver.ask("behave", { [path]: behaviours[kind] });
    endpoints.push({ id, accountId, path, kind });
  };

  const clients: ClientAccount[] = [];
  for (const [number, { writesPerSecond, endpoints: kinds }] of shops.entries()) {
    const { accountId } = await openAccount(stack.services, `Shop ${number + 1}`);
    const written = await seeded(stack, accountId, cardsPerShop, writtenCards);
    const tokens = (await openKeys(stack, accountId)).map(({ token }) => token);
    for (const kind of kinds) await receive(accountId, kind);
    const readIds = written.slice(0, readCards);
    clients.push({ accountId, tokens, readIds, writtenIds: written, writesPerSecond });
  }

  const dealer = await openSession(stack, "Dealer");
  const { accountId } = dealer;
  const own = await seeded(stack, accountId, dealerCards, editedCards);
  const dealerKeys = await openKeys(stack, accountId);
  await receive(accountId, "quick");
  const publishedIds = await publishable(stack, accountId, own);
  clients.push({
    accountId,
    tokens: dealerKeys.map(({ token }) => token),
    readIds: own,
    writtenIds: own,
    writesPerSecond: 0,
  });
  return { receiver, clients, endpoints, dealer, dealerKeys, editedIds: own, publishedIds };
}

/** Cards of an account, of which some that have a price are given out. */
async function seeded(
  { databaseUrl }: Stack,
  accountId: string,
  cards: number,
  some: number,
): Promise<string[]> {
  await seedCards({ databaseUrl, accountId, cards });
  return someCards(databaseUrl, accountId, some, ["priced"]);
}

async function openKeys(
  { services }: Stack,
  accountId: string,
): Promise<{ id: string; token: string }[]> {
  const access = await operatorAccess(services.db, accountId, "bench");
  await setLimits(services, access, limits);
  const keys = [];
  for (let number = 1; number <= tokensPerAccount; number += 1) {
    const { key, token } = await createKey(services, access, { name: `Client ${number}`, scopes });
    keys.push({ id: key.id, token });
  }
  return keys;
}

/** Cards with a listing photo, none of which anybody else changes. */
async function publishable(
  { databaseUrl }: Stack,
  accountId: string,
  others: readonly string[],
): Promise<string[]> {
  const ids = await someCards(databaseUrl, accountId, publishedCards, ["photographed"]);
  const taken = new Set(others);
  return ids.filter((id) => !taken.has(id));
}
