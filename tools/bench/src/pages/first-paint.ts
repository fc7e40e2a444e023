import type { BrowserContext } from "playwright-core";

const paths = ["/", "/inventory", "/review", "/sales", "/settings/webhooks"];
const runs = 5;
const settleMs = 1_500;

/**
 * Milliseconds until the largest thing of a page is drawn (Largest Contentful Paint), opened by its
 * address in a tab of its own with nothing kept from the visit before.
 */
export async function largestPaints(context: BrowserContext): Promise<Map<string, number[]>> {
  const paints = new Map<string, number[]>(paths.map((path) => [path, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const [path, times] of paints) {
      const page = await context.newPage();
      try {
        const cdp = await context.newCDPSession(page);
        await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
        await page.goto(path);
        await page.getByRole("heading").first().waitFor();
        // The live subscription stays open, so the network is never idle: what comes later is small.
        await page.waitForTimeout(settleMs);
        times.push(await page.evaluate(readPaint));
      } finally {
        await page.close();
      }
    }
  }
  return paints;
}

/** In the page. The observer is given what was drawn before it was there. */
function readPaint(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const last = list.getEntries().at(-1);
      if (last !== undefined) resolve(last.startTime);
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
}
