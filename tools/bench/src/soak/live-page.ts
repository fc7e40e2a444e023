import { setTimeout as wait } from "node:timers/promises";
import type { LiveMessage } from "@cardvault/contract";
import type { Measure } from "./measure.ts";

const againAfterMs = 1_000;
/** A change that is not told by then has been missed. */
const toldWithinMs = 15_000;

interface Awaited {
  readonly cardId: string;
  readonly fromMs: number;
}

/** A page's subscription to its account, over one API process: it must be told of each change. */
export class LivePage {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #measure: Measure;
  #awaited: Awaited[] = [];
  #lastEventId: string | undefined;
  /** How many changes were not told in time. */
  missed = 0;
  connections = 0;

  constructor(origin: string, headers: Readonly<Record<string, string>>, measure: Measure) {
    this.#url = `${origin}/trpc/live.follow`;
    this.#headers = headers;
    this.#measure = measure;
  }

  /** From now on a message that names this card is waited for. */
  expect(cardId: string): void {
    this.#awaited.push({ cardId, fromMs: performance.now() });
  }

  /** How many are still waited for. Those whose time is up are counted as missed. */
  waiting(): number {
    const oldestMs = performance.now() - toldWithinMs;
    const due = this.#awaited.filter(({ fromMs }) => fromMs >= oldestMs);
    this.missed += this.#awaited.length - due.length;
    this.#awaited = due;
    return due.length;
  }

  /** Follows until the signal comes; a connection that ends is made again, from where it was. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#follow(signal);
        if (!signal.aborted) this.#measure.fail("live", "The subscription has ended");
      } catch (error) {
        if (!signal.aborted) this.#measure.fail("live", error);
      }
      await wait(againAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const input = this.#lastEventId === undefined ? {} : { lastEventId: this.#lastEventId };
    const response = await fetch(
      `${this.#url}?input=${encodeURIComponent(JSON.stringify(input))}`,
      { headers: { ...this.#headers, accept: "text/event-stream" }, signal },
    );
    if (!response.ok || response.body === null) {
      throw new Error(`${response.status}: ${(await response.text()).slice(0, 300)}`);
    }
    this.connections += 1;
    let rest = "";
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = `${rest}${piece}`.split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#read(block);
    }
  }

  #read(block: string): void {
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
      }),
    );
    // tRPC's own messages have a name; those of the subscription have none.
    const data = fields.get("data");
    if (fields.has("event") || data === undefined) {
      if (fields.get("event") === "serialized-error") this.#measure.fail("live", data);
      return;
    }
    this.#lastEventId = fields.get("id") ?? this.#lastEventId;
    const message = JSON.parse(data) as LiveMessage;
    if (message.type === "changed") this.#told((id) => message.cards.includes(id));
    // Too much has changed to be named: everything is asked for again, this card too.
    else if (message.type === "reset") this.#told(() => true);
  }

  #told(isNamed: (cardId: string) => boolean): void {
    const nowMs = performance.now();
    this.#awaited = this.#awaited.filter(({ cardId, fromMs }) => {
      if (!isNamed(cardId)) return true;
      this.#measure.note("live", nowMs - fromMs);
      if (nowMs - fromMs > toldWithinMs) this.missed += 1;
      return false;
    });
  }
}
