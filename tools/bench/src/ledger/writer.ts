import { randomUUID } from "node:crypto";
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
  /** Requests without a good answer, and how many of them had happened: a repeat got their stored answer. */
  readonly unanswered: number;
  readonly happened: number;
}

/** A card, as far as the API's answers are read. */
interface CardAnswer {
  readonly workflow_status: string;
  readonly updated_at: string;
}

interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly card: CardAnswer | undefined;
  /** A request before this one, under the same key, had done it. */
  readonly isReplayed: boolean;
}

/** Above every floor of a seeded card. */
const lowestAmount = 1_000_000;
const refusedEvery = 10;
const answerTimeoutMs = 10_000;
const againAfterMs = 250;

// Clients of the API in a process of its own. The API and its database die under them: a request
// without a good answer either happened or did not, and is repeated under its key until that is known.
// Reading the card back would not do: what was cut off may still be on its way to its commit.
let settings: LedgerWriterSettings | undefined;
const progress = { allowed: 0, started: 0 };
let amount = lowestAmount;
const stages = new Map<string, string>();
const committed: Write[] = [];
const counted = { refused: 0, unanswered: 0, happened: 0 };
let failure: unknown;

async function patch(
  token: string,
  cardId: string,
  body: unknown,
  condition: Readonly<Record<string, string>>,
): Promise<Answer> {
  try {
    const response = await fetch(`${settings?.origin}/cards/${cardId}`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...condition,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const answer = (await response.json()) as CardAnswer;
    const isReplayed = response.headers.get("idempotent-replayed") === "true";
    return {
      status: response.status,
      card: response.status === 200 ? answer : undefined,
      isReplayed,
    };
  } catch {
    // Refused, reset or cut short.
    return { status: 0, card: undefined, isReplayed: false };
  }
}

/** Moves the card between two stages, with a price that no other write has: it says whose write it was. */
function bodyOf(cardId: string): { asking_price: { amount: number }; workflow_status: string } {
  amount += 1;
  const to = stages.get(cardId) === "identified" ? "priced" : "identified";
  const asking_price = { amount, currency: "USD" };
  return { asking_price, workflow_status: to };
}

async function write(token: string, cardId: string): Promise<void> {
  const body = bodyOf(cardId);
  const key = { "idempotency-key": randomUUID() };
  for (;;) {
    const { status, card, isReplayed } = await patch(token, cardId, body, key);
    if (card !== undefined) {
      if (isReplayed) counted.happened += 1;
      return keep(cardId, card);
    }
    // 409: the request that was cut off is still being worked on, or its reservation has not run out.
    if (status >= 400 && status < 500 && status !== 409) throw new Error(`PATCH: ${status}`);
    counted.unanswered += 1;
    await wait(againAfterMs);
  }
}

function keep(cardId: string, card: CardAnswer): void {
  stages.set(cardId, card.workflow_status);
  committed.push([cardId, card.updated_at]);
}

/** A change that must be turned away: it names a version that the card does not have. */
async function writeRefused(token: string, cardId: string): Promise<void> {
  const { status } = await patch(token, cardId, bodyOf(cardId), { "if-match": '"0"' });
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
    await write(token, cardId);
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
