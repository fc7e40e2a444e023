import { waitUntil } from "@cardvault/postgres";
import { serve } from "../stack/serve.ts";
import { ApiClients } from "./api-clients.ts";
import type { ApiSettings, Told } from "./api-clients.ts";
import { createMeasure } from "./measure.ts";
import type { Measured } from "./measure.ts";
import { PageClients } from "./page-clients.ts";
import type { PageSettings } from "./page-clients.ts";
import { Poller } from "./poller.ts";

export interface TrafficSettings {
  readonly api: ApiSettings;
  readonly pages: PageSettings;
  /** Where the pollers begin. */
  readonly since: string;
}

/** What the clients were told and saw, all in all. */
export interface TrafficResult {
  readonly told: readonly Told[];
  /** By account: the latest version of each card that its poller has seen. */
  readonly seen: Readonly<Record<string, readonly (readonly [cardId: string, version: number])[]>>;
  readonly liveMissed: number;
}

// Clients of the REST surface, pollers, and a person at the web interface, in a process of their own.
const measure = createMeasure();
const stopping = new AbortController();
const leaving = new AbortController();
let clients: ApiClients | undefined;
let pages: PageClients | undefined;
let pollers: Poller[] = [];
let accounts: ApiSettings["accounts"] = [];
let running: Promise<unknown> = Promise.resolve();
const tellingMs = 20_000;

serve({
  start({ api, pages: page, since }: TrafficSettings) {
    accounts = api.accounts;
    const apiClients = new ApiClients(api, measure);
    const pageClients = new PageClients(page, measure);
    pollers = accounts.map((account) => new Poller(apiClients, measure, account, since));
    running = Promise.all([
      apiClients.run(stopping.signal),
      pageClients.run(stopping.signal, leaving.signal),
      ...pollers.map((poller) => poller.run(stopping.signal)),
    ]);
    running.catch((error: unknown) => measure.fail("traffic", error));
    clients = apiClients;
    pages = pageClients;
  },
  /** A token of an account that takes the place of another. */
  replaceToken({ old, token }: { old: string; token: string }) {
    for (const { tokens } of accounts) {
      const at = tokens.indexOf(old);
      if (at !== -1) tokens[at] = token;
    }
  },
  take: (): Measured => measure.take(),
  /** Nothing new is begun; resolves when all that was under way has ended and was told to the pages. */
  async stop() {
    stopping.abort();
    const lives = pages?.lives ?? [];
    await waitUntil(() => lives.every((live) => live.waiting() === 0), tellingMs, 100);
    leaving.abort();
    await running;
  },
  /** After the last change: each poller goes on from where it stands. */
  async result(): Promise<TrafficResult> {
    await Promise.all(pollers.map((poller) => poller.poll()));
    return {
      told: clients?.told ?? [],
      seen: Object.fromEntries(pollers.map(({ account, seen }) => [account.accountId, [...seen]])),
      liveMissed: (pages?.lives ?? []).reduce((sum, { missed }) => sum + missed, 0),
    };
  },
});
