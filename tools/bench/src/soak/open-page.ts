import type { CDPSession } from "playwright-core";
import { openPages } from "../pages/open-pages.ts";
import type { BenchSession } from "../stack/session.ts";

/** What the page holds once its garbage is collected. */
export interface PageState {
  readonly heapMb: number;
  readonly elements: number;
  readonly listeners: number;
}

/** The inventory in a browser, open all the time: what others change shows in it. */
export interface StayingPage {
  read(): Promise<PageState>;
  close(): Promise<void>;
}

export async function openStayingPage(
  url: string,
  { email, password }: BenchSession,
): Promise<StayingPage> {
  const pages = await openPages(url, { emails: [email], password });
  const { page, context } = pages;
  const cdp: CDPSession = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  return {
    async read() {
      await cdp.send("HeapProfiler.collectGarbage");
      const { metrics } = await cdp.send("Performance.getMetrics");
      const metric = (wanted: string): number =>
        metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
      return {
        heapMb: metric("JSHeapUsedSize") / 2 ** 20,
        elements: metric("Nodes"),
        listeners: metric("JSEventListeners"),
      };
    },
    close: () => pages.close(),
  };
}
