import { randomUUID } from "node:crypto";
import type { Measure } from "./measure.ts";
import { pace } from "./pace.ts";

/** An account as clients of the REST surface use it. */
export interface ClientAccount {
  readonly accountId: string;
  /** Used in turn, each far below its limit. */
  readonly tokens: string[];
  readonly readIds: readonly string[];
  /** Cards that these clients alone change. */
  readonly writtenIds: readonly string[];
  readonly writesPerSecond: number;
}

export interface ApiSettings {
  /** Of every API process; used in turn. */
  readonly origins: readonly string[];
  readonly accounts: readonly ClientAccount[];
  readonly listsPerSecond: number;
  readonly cardsPerSecond: number;
  /** Requests that are to be turned away. */
  readonly oddPerSecond: number;
}

/** A change that was answered: the card's version and time, and whether it moved the card, which is an event. */
export type Told = readonly [cardId: string, version: number, updatedAt: string, isMove: boolean];

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface CardAnswer {
  readonly version: number;
  readonly updated_at: string;
  readonly workflow_status: string;
}

/** Above every floor of a seeded card, and different each time. */
const lowestAmount = 1_000_000;
const tries = 5;
/** Longer than any answer takes: one that never comes must not keep the run from ending. */
const answerTimeoutMs = 120_000;
/** One PATCH in so many is sent again under its key. */
const replayedEvery = 20;
/** One in so many changes a text and moves nothing: no event. */
const quietEvery = 4;
const lists = [
  "/cards?limit=50",
  "/cards?limit=50&sort=-updated_at",
  "/cards?limit=50&workflow_status=priced&sort=asking_price",
  "/cards?limit=20&q=Lantern",
  "/cards?limit=50&set=Ember%20Coast",
  "/batches?limit=50",
  "/listings?limit=50",
];

/** Readers and writers of the documented surface, each with a token, over all API processes. */
export class ApiClients {
  readonly told: Told[] = [];
  readonly #settings: ApiSettings;
  readonly #measure: Measure;
  readonly #stages = new Map<string, string>();
  #requests = 0;
  #amount = lowestAmount;

  constructor(settings: ApiSettings, measure: Measure) {
    this.#settings = settings;
    this.#measure = measure;
  }

  /** Until the signal comes, and what is under way then has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { accounts, listsPerSecond, cardsPerSecond, oddPerSecond } = this.#settings;
    const writers = accounts.filter(({ writesPerSecond }) => writesPerSecond > 0);
    await Promise.all([
      pace(listsPerSecond, signal, (turn, dueMs) => this.#list(turn, dueMs)),
      pace(cardsPerSecond, signal, (turn, dueMs) => this.#card(turn, dueMs)),
      pace(oddPerSecond, signal, (turn, dueMs) => this.#odd(turn, dueMs)),
      ...writers.map((account) =>
        pace(account.writesPerSecond, signal, (turn, dueMs) =>
          this.#measure.time("patch", dueMs, () => this.#write(account, turn)),
        ),
      ),
    ]);
  }

  /** An answer, by the next token of the account and the next process. */
  async ask(
    account: ClientAccount,
    method: string,
    path: string,
    more: { body?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> {
    this.#requests += 1;
    const { origins } = this.#settings;
    const token = account.tokens[this.#requests % account.tokens.length] ?? "";
    const response = await fetch(`${origins[this.#requests % origins.length]}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(more.body === undefined ? {} : { "content-type": "application/json" }),
        ...more.headers,
      },
      ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  async #expect(status: number, asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked;
    if (answer.status === status) return answer;
    throw new Error(`${answer.status} and not ${status}: ${answer.text.slice(0, 300)}`);
  }

  #accountOf(turn: number): ClientAccount {
    const { accounts } = this.#settings;
    const account = accounts[turn % accounts.length];
    if (account === undefined) throw new Error("There are no accounts");
    return account;
  }

  #list(turn: number, dueMs: number): Promise<void> {
    const account = this.#accountOf(turn);
    const path = lists[Math.floor(turn / this.#settings.accounts.length) % lists.length] ?? "";
    return this.#measure.time("list", dueMs, () =>
      this.#expect(200, this.ask(account, "GET", path)),
    );
  }

  #card(turn: number, dueMs: number): Promise<void> {
    const account = this.#accountOf(turn);
    const id = account.readIds[turn % account.readIds.length];
    return this.#measure.time("card", dueMs, () =>
      this.#expect(200, this.ask(account, "GET", `/cards/${id}`)),
    );
  }

  /** One writer a card at a time: there are far more cards than requests under way. */
  async #write(account: ClientAccount, turn: number): Promise<void> {
    const id = account.writtenIds[turn % account.writtenIds.length] ?? "";
    const isMove = turn % quietEvery !== 0;
    this.#amount += 1;
    const to = this.#stages.get(id) === "identified" ? "priced" : "identified";
    const body = isMove
      ? { asking_price: { amount: this.#amount, currency: "USD" }, workflow_status: to }
      : { notes: `Write ${this.#amount}`, location: `Shelf ${turn % 40}` };
    const headers = { "idempotency-key": randomUUID() };
    const request = { body, headers };
    const answer = await this.#certain(account, `/cards/${id}`, request);
    const card = JSON.parse(answer.text) as CardAnswer;
    this.#stages.set(id, card.workflow_status);
    this.told.push([id, card.version, card.updated_at, isMove]);
    if (turn % replayedEvery !== 0) return;
    const again = await this.#expect(200, this.ask(account, "PATCH", `/cards/${id}`, request));
    const isSame =
      again.text === answer.text && again.headers.get("idempotent-replayed") === "true";
    if (!isSame) throw new Error("A repeat under the same key was answered otherwise");
  }

  /** Without an answer it may have happened: under its key it is asked again, and each time is a failure. */
  async #certain(
    account: ClientAccount,
    path: string,
    request: { body: unknown; headers: Readonly<Record<string, string>> },
  ): Promise<Answer> {
    for (let count = 1; ; count += 1) {
      try {
        return await this.#expect(200, this.ask(account, "PATCH", path, request));
      } catch (error) {
        if (count === tries) throw error;
        this.#measure.fail("patch", error);
      }
    }
  }

  /** What clients do wrong: each has its own answer, and changes nothing. */
  #odd(turn: number, dueMs: number): Promise<void> {
    const account = this.#accountOf(turn);
    const path = `/cards/${account.writtenIds[turn % account.writtenIds.length]}`;
    const body = { notes: "Never" };
    const odd: (() => Promise<Answer>)[] = [
      () => this.#expect(404, this.ask(account, "GET", "/cards/card_01kjn2z6g0fgz9pqafd9r83gq3")),
      () =>
        this.#expect(
          412,
          this.ask(account, "PATCH", path, { body, headers: { "if-match": '"0"' } }),
        ),
      () => this.#expect(400, this.ask(account, "PATCH", path, { body: { nothing: 1 } })),
      () => this.#expect(400, this.ask(account, "GET", "/cards?sort=nothing")),
      () =>
        this.#expect(
          401,
          this.ask(account, "GET", "/cards", { headers: { authorization: "Bearer cv_test_no" } }),
        ),
      () => this.#expect(404, this.ask(account, "GET", "/nothing/of/the/kind")),
    ];
    const one = odd[Math.floor(turn / this.#settings.accounts.length) % odd.length];
    return this.#measure.time("odd", dueMs, async () => one?.());
  }
}
