import { setTimeout as wait } from "node:timers/promises";
import { serve } from "../stack/serve.ts";

export interface LedgerWriterSettings {
  readonly origin: string;
  /** Each is written by a client of its own, so that a card has one writer. */
  readonly clients: readonly { readonly token: string; readonly cardIds: readonly string[] }[];
}

/** A change of a card, by the time that the card and the event of the change have in common. */
type Write = readonly [cardId: string, updatedAt: string];

export interface Written {
  /** Each is an event. */
  readonly committed: readonly Write[];
  /** Changes that were turned away, none of which may be an event. */
  readonly refused: number;
  /** Requests without a good answer, and how many of them had happened. */
  readonly unanswered: number;
  readonly happened: number;
}

/** A card, as far as the API's answers are read. */
interface CardAnswer {
  readonly asking_price: { readonly amount: number } | null;
  readonly workflow_status: string;
  readonly updated_at: string;
}

/** Above every floor of a seeded card. */
const lowestAmount = 1_000_000;
const refusedEvery = 10;
const answerTimeoutMs = 10_000;
const againAfterMs = 100;

// Clients of the API in a process of its own. The API and its database die under them: a request
// without a good answer either happened or did not, and is read back before anything else.
let settings: LedgerWriterSettings | undefined;
const progress = { allowed: 0, started: 0 };
let amount = lowestAmount;
const stages = new Map<string, string>();
const committed: Write[] = [];
const counted = { refused: 0, unanswered: 0, happened: 0 };
let failure: unknown;

async function request(
  token: string,
  cardId: string,
  patch?: { readonly body: unknown; readonly ifMatch?: string },
): Promise<{ status: number; card: CardAnswer | undefined }> {
  try {
    const response = await fetch(`${settings?.origin}/cards/${cardId}`, {
      method: patch === undefined ? "GET" : "PATCH",
      headers: {
        authorization: `Bearer ${token}`,
        ...(patch === undefined ? {} : { "content-type": "application/json" }),
        ...(patch?.ifMatch === undefined ? {} : { "if-match": patch.ifMatch }),
      },
      body: patch === undefined ? null : JSON.stringify(patch.body),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const answer = (await response.json()) as CardAnswer;
    return { status: response.status, card: response.status === 200 ? answer : undefined };
  } catch {
    // Refused, reset or cut short.
    return { status: 0, card: undefined };
  }
}

/** Moves the card between two stages, with a price that no other write has: it says whose write it was. */
function bodyOf(cardId: string): { asking_price: { amount: number }; workflow_status: string } {
  amount += 1;
  const to = stages.get(cardId) === "identified" ? "priced" : "identified";
  const asking_price = { amount, currency: "USD" };
  return { asking_price, workflow_status: to };
}

async function write(token: string, cardId: string): Promise<boolean> {
  const body = bodyOf(cardId);
  const { status, card } = await request(token, cardId, { body });
  if (card !== undefined) return keep(cardId, card);
  if (status >= 400 && status < 500) throw new Error(`PATCH: ${status}`);
  counted.unanswered += 1;
  for (;;) {
    const read = await request(token, cardId);
    if (read.card !== undefined) {
      if (read.card.asking_price?.amount !== body.asking_price.amount) return false;
      counted.happened += 1;
      return keep(cardId, read.card);
    }
    await wait(againAfterMs);
  }
}

function keep(cardId: string, card: CardAnswer): true {
  stages.set(cardId, card.workflow_status);
  committed.push([cardId, card.updated_at]);
  return true;
}

/** A change that must be turned away: it names a version that the card does not have. */
async function writeRefused(token: string, cardId: string): Promise<void> {
  const { status } = await request(token, cardId, { body: bodyOf(cardId), ifMatch: '"0"' });
  if (status === 200) throw new Error("A change of another version was not refused");
  if (status === 412) counted.refused += 1;
}

async function run({ token, cardIds }: LedgerWriterSettings["clients"][number]): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const cardId = cardIds[turn % cardIds.length];
    if (cardId === undefined) throw new Error("No cards to write");
    while (progress.started >= progress.allowed) await wait(10);
    if (turn % refusedEvery === 0) await writeRefused(token, cardId);
    progress.started += 1;
    // One that did not happen is written again, by whoever comes next.
    if (!(await write(token, cardId))) progress.started -= 1;
  }
}

serve({
  start(given: LedgerWriterSettings) {
    settings = given;
    for (const client of given.clients) {
      run(client).catch((error: unknown) => {
        failure ??= error;
      });
    }
  },
  /** So many events may be committed, all in all. */
  allow(events: number) {
    progress.allowed = events;
  },
  committed(): number {
    if (failure !== undefined) throw failure as Error;
    return committed.length;
  },
  result: (): Written => ({ committed, ...counted }),
});
