import { setInterval } from "node:timers/promises";
import { accountHeader } from "@cardvault/contract";
import type { Card, CardImport } from "@cardvault/contract";
import { waitFor } from "@cardvault/testkit";
import { servedBy } from "./balancer.ts";
import type { Shop } from "./shop.ts";
import type { Stack } from "./stack.ts";

const rowsOfAList = 20;
/** One turn of each client: all of them stay below what a person may ask in a minute. */
const everyMs = 200;

/** What several clients did, from its start until it was told to stop. */
export interface Load {
  readonly clients: readonly string[];
  /** Answers by the client that got them. */
  readonly answers: Readonly<Record<string, number>>;
  /** Each request that was not answered well, and each answer that was not whole. */
  readonly failures: ReadonlySet<string>;
  /** 503 of processes that were not ending: the machine was too slow for a moment. Asked again. */
  readonly turnedAway: number;
  /** Cards that were made, and priced after that. */
  readonly priced: readonly string[];
  /** Lists that were imported to their end. */
  readonly lists: number;
  readonly rowsOfAList: number;
  /** Every client ends what it is at. */
  stop(): Promise<void>;
}

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

/**
 * Clients that ask one thing after the other, each on connections that are kept: a reader and a writer with a token, a page,
 * and somebody who imports lists.
 * @param isEnding whether a process has been told to stop: nothing excuses what it answers
 */
export function startLoad(
  { url, publicUrl }: Stack,
  shop: Shop & { readonly cookie: string },
  isEnding: (index: number) => boolean,
): Load {
  const answers: Record<string, number> = {};
  const failures = new Set<string>();
  const priced: string[] = [];
  const load = { turnedAway: 0, lists: 0, isStopping: false };
  const page = { cookie: shop.cookie, origin: publicUrl, [accountHeader]: shop.accountId };
  const token = { authorization: `Bearer ${shop.token}` };
  const json = { "content-type": "application/json" };

  const fail = (message: string): never => {
    failures.add(message);
    throw new Error(message);
  };
  const ask = async <Body>(client: string, path: string, asked: Ask = {}): Promise<Body> => {
    const what = `${client}: ${asked.method ?? "GET"} ${path.split("?", 1)[0]}`;
    for (;;) {
      const response = await fetch(`${url}${path}`, asked).catch((error: unknown) =>
        fail(`${what}: ${describe(error)}`),
      );
      const text = await response
        .text()
        .catch((error: unknown) => fail(`${what}: broken off: ${describe(error)}`));
      const by = response.headers.get(servedBy);
      if (response.status === 503 && !isEnding(Number(by ?? -1))) {
        load.turnedAway += 1;
        continue;
      }
      if (!response.ok) fail(`${what}: ${response.status} of ${by}: ${text.slice(0, 300)}`);
      answers[client] = (answers[client] ?? 0) + 1;
      return JSON.parse(text) as Body;
    }
  };
  const command = async <Body>(
    client: string,
    procedure: string,
    input: unknown,
  ): Promise<Body> => {
    const asked = { method: "POST", headers: { ...page, ...json }, body: JSON.stringify(input) };
    return (await ask<{ result: { data: Body } }>(client, `/trpc/${procedure}`, asked)).result.data;
  };
  const query = async <Body>(client: string, procedure: string, input: unknown): Promise<Body> => {
    const path = `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
    return (await ask<{ result: { data: Body } }>(client, path, { headers: page })).result.data;
  };

  const turns: Readonly<Record<string, (turn: number) => Promise<void>>> = {
    reader: async () => {
      await ask("reader", "/cards?limit=5", { headers: token });
    },
    writer: async (turn) => {
      const { id } = await command<Card>("writer", "cards.create", { title: `Written ${turn}` });
      const body = JSON.stringify({ asking_price: { amount: 100 + turn, currency: "USD" } });
      const asked = { method: "PATCH", headers: { ...token, ...json }, body };
      await ask("writer", `/cards/${id}`, asked);
      priced.push(id);
    },
    page: async () => {
      await query("page", "accounts.overview", {});
    },
    importer: async (turn) => {
      const form = new FormData();
      form.append("file", new Blob([listOf(turn)]), "list.csv");
      const sent = { method: "POST", headers: page, body: form };
      const { id } = await ask<CardImport>("importer", "/trpc/files/import", sent);
      const until = (status: CardImport["status"]): Promise<true> =>
        waitFor(
          async () =>
            (await query<CardImport>("importer", "imports.get", { id })).status === status,
          { deadlineMs: 60_000, everyMs: everyMs * 2, what: `an import to be ${status}` },
        );
      await command("importer", "imports.preview", { id });
      await until("checked");
      await command("importer", "imports.start", { id, mode: "valid_rows_only" });
      await until("imported");
      load.lists += 1;
    },
  };
  const clients = Object.values(turns).map(async (take) => {
    let turn = 0;
    for await (const _ of setInterval(everyMs)) {
      if (load.isStopping) return;
      await take(turn).catch((error: unknown) => failures.add(describe(error)));
      turn += 1;
    }
  });
  return {
    clients: Object.keys(turns),
    answers,
    failures,
    priced,
    rowsOfAList,
    get turnedAway() {
      return load.turnedAway;
    },
    get lists() {
      return load.lists;
    },
    stop: async () => {
      load.isStopping = true;
      await Promise.all(clients);
    },
  };
}

function listOf(turn: number): string {
  const rows = Array.from(
    { length: rowsOfAList },
    (_, row) => `Listed ${turn}-${row},Ember Coast,${row}`,
  );
  return ["Name,Set,Number", ...rows].join("\n");
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
}
