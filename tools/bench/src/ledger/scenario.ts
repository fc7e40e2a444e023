import { join } from "node:path";
import { waitUntil } from "@cardvault/postgres";
import type { Program } from "../stack/programs.ts";
import { withStack } from "../stack/stack.ts";
import type { Stack } from "../stack/stack.ts";
import type { Scenario, ScenarioResult, StoreKind } from "../scenario.ts";
import { behave, countWaiting, openHouse, tally } from "../webhooks/house.ts";
import type { House } from "../webhooks/house.ts";
import { accountFor } from "./accounting.ts";
import { rollBackChange } from "./rolled-back.ts";
import { openVictims } from "./victims.ts";
import type { VictimName, Victims } from "./victims.ts";
import type { LedgerWriterSettings, Written } from "./writer.ts";

const endpointsPerAccount = 5;
const clientsPerAccount = 2;
const cardsPerClient = 100;
/** So that requests are on their way whenever something is killed. */
const answersAfterMs = 30;
const stepDeadlineMs = 180_000;
const drainDeadlineMs = 300_000;

export const ledgerScenario: Scenario = {
  name: "ledger",
  sentence: "kill -9 of everything, again and again: every event is accounted for",
  run: ({ store, events = 10_000, endpoints = 50, kills = 20 }) =>
    withStack(store, (stack) => keepLedger(stack, { store, events, endpoints, kills }), {
      logLevel: "fatal",
    }),
};

interface LedgerSize {
  readonly store: StoreKind;
  readonly events: number;
  readonly endpoints: number;
  readonly kills: number;
}

async function keepLedger(stack: Stack, size: LedgerSize): Promise<ScenarioResult> {
  const { store, events, endpoints, kills } = size;
  const accounts = Math.max(1, Math.round(endpoints / endpointsPerAccount));
  const changedCards = clientsPerAccount * cardsPerClient;
  const house = await openHouse(stack, { accounts, endpointsPerAccount, changedCards });
  await behave(house, house.accounts, { afterMs: answersAfterMs });
  const victims = await openVictims(stack);
  const writer = await startWriter(house);

  const rolledBack: string[] = [];
  const killed = new Map<VictimName, number>();
  for (const [index, name] of drawVictims(victims.names, kills).entries()) {
    const from = Math.floor((events * index) / (kills + 1));
    const until = Math.floor((events * (index + 1)) / (kills + 1));
    await writer.ask("allow", until);
    await committed(writer, victims, from + Math.floor(Math.random() * (until - from)));
    rolledBack.push(...(await rollBackSome(house, index)));
    await victims.kill(name);
    killed.set(name, (killed.get(name) ?? 0) + 1);
    const count = await writer.ask<number>("committed");
    console.log(`kill ${index + 1} of ${kills}: ${name}, after ${count} events`);
  }
  await writer.ask("allow", events);
  await committed(writer, victims, events);
  const written = await writer.ask<Written>("result");
  await drainReviving(house, victims);

  const accounting = await accountFor(house, written, rolledBack);
  const { deliveries, repeated, unverified } = await tally(house);
  const inFlight = victims.inFlight();
  return {
    figures: {
      store,
      events: accounting.events,
      endpoints: accounts * endpointsPerAccount,
      deliveries,
      kills: [...killed.values()].reduce((sum, count) => sum + count, 0),
      ...Object.fromEntries(
        [...killed].map(([name, count]) => [`killed_${name.toLowerCase()}`, count]),
      ),
      unanswered: written.unanswered,
      happened: written.happened,
      refused: written.refused,
      rolled_back: rolledBack.length,
      without_event: accounting.withoutEvent,
      unexpected: accounting.unexpected,
      lost: accounting.lost,
      phantoms: accounting.phantoms,
      rolled_back_received: accounting.rolledBackReceived,
      unverified,
      repeated,
      in_flight_at_kills: inFlight,
      ended_by_itself: await victims.revive(),
    },
    goals: [
      { figure: "events", atLeast: events },
      { figure: "kills", atLeast: kills },
      ...victims.names
        .slice(0, kills)
        .map((name) => ({ figure: `killed_${name.toLowerCase()}`, atLeast: 1 })),
      { figure: "refused", atLeast: 1 },
      { figure: "rolled_back", atLeast: 1 },
      ...mustBeNone.map((figure) => ({ figure, atMost: 0 })),
      { figure: "repeated", atMost: inFlight },
    ],
  };
}

const mustBeNone = [
  "without_event",
  "unexpected",
  "lost",
  "phantoms",
  "rolled_back_received",
  "unverified",
  "ended_by_itself",
];

/** Each once, before any is drawn again; in random order. */
function drawVictims(names: readonly VictimName[], count: number): VictimName[] {
  const drawn: VictimName[] = [];
  while (drawn.length < count) {
    const round = names.map((name) => ({ name, at: Math.random() }));
    drawn.push(...round.toSorted((one, other) => one.at - other.at).map(({ name }) => name));
  }
  return drawn.slice(0, count);
}

async function startWriter({ stack, accounts }: House): Promise<Program> {
  const writer = await stack.start({ file: join(import.meta.dirname, "writer.ts") });
  await writer.ask("start", {
    origin: stack.publicUrl,
    clients: accounts.flatMap(({ token, cardIds }) =>
      Array.from({ length: clientsPerAccount }, (_, client) => ({
        token,
        cardIds: cardIds.slice(client * cardsPerClient, (client + 1) * cardsPerClient),
      })),
    ),
  } satisfies LedgerWriterSettings);
  return writer;
}

/** Until so many events are committed; what ended by itself meanwhile is started again. */
async function committed(writer: Program, victims: Victims, count: number): Promise<void> {
  const isThere = await waitUntil(
    async () => {
      await victims.revive();
      return (await writer.ask<number>("committed")) >= count;
    },
    stepDeadlineMs,
    20,
  );
  if (!isThere) throw new Error(`No ${count} events within ${stepDeadlineMs / 1_000} s`);
}

/** A card of an account whose turn it is. */
async function rollBackSome({ stack, accounts }: House, turn: number): Promise<string[]> {
  const account = accounts[turn % accounts.length];
  const cardId = account?.cardIds[0];
  if (account === undefined || cardId === undefined) throw new Error("No cards to change");
  return rollBackChange(stack, account, cardId);
}

async function drainReviving(house: House, victims: Victims): Promise<void> {
  const isDone = await waitUntil(
    async () => {
      await victims.revive();
      return (await countWaiting(house)) === 0;
    },
    drainDeadlineMs,
    200,
  );
  if (!isDone) throw new Error(`Deliveries still wait after ${drainDeadlineMs / 1_000} s`);
}
