import type { BrowserContext, Page } from "playwright-core";

/** Below this the browser does not report an event: it counts as so long. */
const leastReportedMs = 16;
const deadlineMs = 20_000;

/** How soon a page answers keys and clicks, by what they do. */
export interface Reactions {
  /**
   * Acts, and waits until what the selector finds is something else and drawn. Counts from the last key, click
   * or paste to the end of that frame, in ms.
   */
  until(kind: string, selector: string, act: () => Promise<unknown>): Promise<void>;
  /** Acts, and counts what the browser's Event Timing says of each of its keys. @param keys how many it has */
  during(kind: string, keys: number, act: () => Promise<unknown>): Promise<void>;
  /** Every kind with its times, in the order in which they came. */
  readonly times: ReadonlyMap<string, readonly number[]>;
}

interface Watch {
  benchReactions: {
    begin(selector: string): void;
    drawn(): Promise<number>;
    takeEvents(): number[];
  };
}

/**
 * Notes when a person acted, before any script of the page hears of it: what holds keys back, and gives them on
 * as its own, is not to begin the count.
 */
export async function noteActs(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const acts = { at: 0 };
    for (const type of ["pointerup", "keydown", "paste", "drop", "change"]) {
      window.addEventListener(
        type,
        ({ isTrusted, timeStamp }) => {
          if (isTrusted) acts.at = timeStamp;
        },
        { capture: true },
      );
    }
    Object.assign(window, { benchActs: acts });
  });
}

/** Watches a page of {@link noteActs}'s context; one that is loaded anew has to be watched anew. */
export async function watchReactions(
  page: Page,
  times: Map<string, number[]> = new Map(),
): Promise<Reactions> {
  await page.evaluate(installWatch, leastReportedMs);
  const add = (kind: string, some: readonly number[]): void => {
    times.set(kind, [...(times.get(kind) ?? []), ...some]);
  };
  return {
    times,
    async until(kind, selector, act) {
      await page.evaluate(
        (found) => (window as unknown as Watch).benchReactions.begin(found),
        selector,
      );
      await act();
      const drawn = page.evaluate(() => (window as unknown as Watch).benchReactions.drawn());
      add(kind, [await within(drawn, kind)]);
    },
    async during(kind, keys, act) {
      const take = (): Promise<number[]> =>
        page.evaluate(() => (window as unknown as Watch).benchReactions.takeEvents());
      await take();
      await act();
      // An event is told of after the frame that it waited for.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const told = await take();
      const quick = Array.from({ length: Math.max(0, keys - told.length) }, () => leastReportedMs);
      add(kind, [...told, ...quick]);
    },
  };
}

/** @throws where nothing else is drawn */
async function within<T>(drawn: Promise<T>, kind: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing was drawn: ${kind}`)), deadlineMs);
  });
  try {
    return await Promise.race([drawn, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** In the page. */
function installWatch(durationThreshold: number): void {
  const events = new Map<number, number>();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId, duration } = entry as PerformanceEventTiming;
      if (interactionId === 0) continue;
      events.set(interactionId, Math.max(events.get(interactionId) ?? 0, duration));
    }
  }).observe({ type: "event", durationThreshold, buffered: false } as PerformanceObserverInit);
  const { benchActs: acts } = window as unknown as { benchActs: { at: number } };
  let selector = "";
  let before = "";
  let told: ((drawnAt: number) => void) | undefined;
  let drawn = Promise.resolve(0);
  const signature = (): string => {
    const found = document.querySelector(selector);
    if (found === null) return "";
    return `${found.tagName} ${found.id} ${found.getAttribute("aria-label")} ${found.textContent}`;
  };
  const look = (): void => {
    if (told === undefined || signature() === before) return;
    const tell = told;
    told = undefined;
    // The frame is drawn once the task behind it runs.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => tell(performance.now()));
      port1.start();
      port2.postMessage(null);
    });
  };
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["data-active", "aria-pressed", "id"],
  });
  const watch: Watch = {
    benchReactions: {
      begin(found) {
        selector = found;
        before = signature();
        // Where it is the page itself that acts, as in scrolling, there is no event.
        acts.at = performance.now();
        drawn = new Promise((done) => (told = done));
      },
      drawn: () => drawn.then((drawnAt) => drawnAt - acts.at),
      takeEvents() {
        const taken = [...events.values()];
        events.clear();
        return taken;
      },
    },
  };
  Object.assign(window, watch);
}
