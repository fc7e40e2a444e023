import { openPackedIds } from "@cardvault/contract";
import { LivePage } from "./live-page.ts";
import type { Measure } from "./measure.ts";
import { pace } from "./pace.ts";

export interface PageSettings {
  /** Of every API process; used in turn. */
  readonly origins: readonly string[];
  /** What makes a request one of the person's. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cards that the person alone changes. */
  readonly editedIds: readonly string[];
  readonly pagesPerSecond: number;
  readonly editsPerSecond: number;
}

type Call = readonly [procedure: string, input?: unknown];

const timeZone = "Europe/Berlin";
const rowsInSight = 60;
/** Longer than any answer takes: one that never comes must not keep the run from ending. */
const answerTimeoutMs = 120_000;

/** The calls of each page, sent together as the pages send them. */
function pageCalls(cardId: string): readonly (readonly Call[])[] {
  return [
    [["accounts.current"], ["accounts.dashboard", { time_zone: timeZone }], ["notices.list", {}]],
    [
      ["cards.get", { id: cardId }],
      ["cards.history", { id: cardId }],
      ["cards.sales", { id: cardId }],
      ["identifications.list", { card_id: cardId, limit: 5 }],
      ["prices.history", { card_id: cardId }],
    ],
    [["events.list", {}], ["webhooks.endpoints.health"], ["webhooks.deliveries.list", {}]],
    [["sales.overview"], ["sales.toPull", {}], ["sales.listings", { latest: true, limit: 50 }]],
    [["jobs.list", { limit: 20 }], ["imports.list"], ["photoImports.list", { limit: 5 }]],
    [["batches.list", { limit: 50 }], ["views.list"], ["locations.tree", {}]],
    [["listings.list", { limit: 50 }], ["accounts.overview"], ["keys.list"]],
    [["sales.list", {}], ["review.stats", {}], ["providers.health"]],
  ];
}

const filters = [
  {},
  { workflow_status: ["priced"] },
  { game: ["Baseball"] },
  { search: "lantern f" },
  { tag: ["foil"], has_price: true },
  { location: ["Shelf A*"] },
];

/** A person at the web interface, with a page's subscription to each API process. */
export class PageClients {
  readonly lives: readonly LivePage[];
  readonly #settings: PageSettings;
  readonly #measure: Measure;
  #requests = 0;

  constructor(settings: PageSettings, measure: Measure) {
    this.#settings = settings;
    this.#measure = measure;
    const { origins, headers } = settings;
    this.lives = origins.map((origin) => new LivePage(origin, headers, measure));
  }

  /** Pages and edits until the first signal comes; the subscriptions until the second. */
  async run(signal: AbortSignal, liveSignal: AbortSignal): Promise<void> {
    const { pagesPerSecond, editsPerSecond } = this.#settings;
    await Promise.all([
      ...this.lives.map((live) => live.run(liveSignal)),
      pace(pagesPerSecond, signal, (turn, dueMs) => this.#page(turn, dueMs)),
      pace(editsPerSecond, signal, (turn, dueMs) => this.#edit(turn, dueMs)),
    ]);
  }

  /** Every fourth look is one at the inventory, which is two requests: the ids, and the rows in sight. */
  #page(turn: number, dueMs: number): Promise<void> {
    if (turn % 4 === 0) return this.#inventory(turn / 4, dueMs);
    const { editedIds } = this.#settings;
    const pages = pageCalls(editedIds[turn % editedIds.length] ?? "");
    const calls = pages[turn % pages.length] ?? [];
    // The page by itself too, from when it was sent: which of them is slow?
    const [first = ""] = calls[0] ?? [];
    return this.#measure.time("page", dueMs, () =>
      this.#measure.time(`  ${first}, …`, performance.now(), () => this.#query(calls)),
    );
  }

  #inventory(turn: number, dueMs: number): Promise<void> {
    const at = turn % filters.length;
    return this.#measure.time("inventory", dueMs, () =>
      this.#measure.time(`  inventory, filter ${at + 1}`, performance.now(), () =>
        this.#rowsOf(filters[at] ?? {}),
      ),
    );
  }

  async #rowsOf(filter: object): Promise<void> {
    const [found] = await this.#query([
      ["cards.ids", { filter, limit: 1_000 }],
      ["cards.totals", { filter }],
    ]);
    const ids = openPackedIds("card", (found as { ids: string }).ids);
    await this.#query([["cards.rows", { ids: ids.slice(0, rowsInSight) }]]);
  }

  /** As a person types into a card that the page shows: its version, then the change of that version. */
  #edit(turn: number, dueMs: number): Promise<void> {
    const { editedIds } = this.#settings;
    const id = editedIds[turn % editedIds.length] ?? "";
    return this.#measure.time("edit", dueMs, async () => {
      const [card] = await this.#query([["cards.get", { id }]]);
      for (const live of this.lives) live.expect(id);
      const body = { id, notes: `Edit ${turn}`, location: `Desk ${turn % 12}` };
      const { version } = card as { version: number };
      await this.#mutate("cards.update", body, { "if-match": `"${version}"` });
    });
  }

  #origin(): string {
    this.#requests += 1;
    const { origins } = this.#settings;
    return origins[this.#requests % origins.length] ?? "";
  }

  /** All calls in one request. @throws Error where one of them was not answered well */
  async #query(calls: readonly Call[]): Promise<unknown[]> {
    const paths = calls.map(([procedure]) => procedure).join(",");
    const inputs = Object.fromEntries(calls.map(([, input], at) => [at, input]));
    const input = encodeURIComponent(JSON.stringify(inputs));
    const url = `${this.#origin()}/trpc/${paths}?batch=1&input=${input}`;
    const response = await fetch(url, {
      headers: this.#settings.headers,
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${paths}: ${response.status} ${text}`);
    const answers = JSON.parse(text) as { result: { data: unknown } }[];
    return answers.map(({ result }) => result.data);
  }

  async #mutate(
    procedure: string,
    input: unknown,
    more: Readonly<Record<string, string>>,
  ): Promise<void> {
    const response = await fetch(`${this.#origin()}/trpc/${procedure}`, {
      method: "POST",
      headers: { ...this.#settings.headers, "content-type": "application/json", ...more },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${procedure}: ${response.status} ${text}`);
  }
}
