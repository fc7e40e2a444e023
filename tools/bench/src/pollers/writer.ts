import { serve } from "../stack/serve.ts";

export interface WriterSettings {
  readonly origin: string;
  readonly token: string;
  readonly writers: number;
  /** Each is written once, so that no later version can hide one that was missed. */
  readonly onceIds: readonly string[];
  /** Written again and again by all writers at once. */
  readonly hotIds: readonly string[];
}

/** A version of a card, as the answer of the PATCH that wrote it told. */
export type Version = readonly [cardId: string, version: number];

/** Each so many writes one goes to a card that all writers fight over. */
const hotEvery = 5;

// Concurrent clients in a process of their own, over real HTTP, each with one request under way.
const stopping = new AbortController();
let nextOnce = 0;
let writes = 0;

async function patch({ origin, token }: WriterSettings, id: string): Promise<Version> {
  writes += 1;
  const response = await fetch(`${origin}/cards/${id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ notes: `Write ${writes}` }),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`PATCH: ${response.status} ${body}`);
  const { version } = JSON.parse(body) as { version: number };
  return [id, version];
}

async function write(given: WriterSettings): Promise<Version[]> {
  const written: Version[] = [];
  for (let turn = 1; !stopping.signal.aborted; turn += 1) {
    const isHot = turn % hotEvery === 0;
    const id = isHot ? given.hotIds[turn % given.hotIds.length] : given.onceIds[nextOnce];
    if (!isHot) nextOnce += 1;
    if (id === undefined) break;
    written.push(await patch(given, id));
  }
  return written;
}

let running: Promise<Version[][]> | undefined;

serve({
  start(given: WriterSettings) {
    running = Promise.all(Array.from({ length: given.writers }, () => write(given)));
    // Told when the writers are asked to stop.
    running.catch(() => undefined);
  },
  async stop(): Promise<Version[]> {
    stopping.abort();
    if (running === undefined) throw new Error("Nothing was started");
    return (await running).flat();
  },
});
