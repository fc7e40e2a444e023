import type { CDPSession, Page } from "playwright-core";

/** What a frame of scrolling costs the browser's main thread, in ms of processor time, and how much is drawn. */
export interface ScrollCost {
  readonly scriptMs: number;
  readonly styleMs: number;
  readonly layoutMs: number;
  readonly totalMs: number;
  readonly mostElements: number;
  readonly frames: number;
}

const frames = 150;

/**
 * Scrolls a list so many pixels a frame, and adds up what DevTools measures of script, style and layout.
 * @param stepPx 120 is a quick wheel, 2,000 is the scroll bar pulled
 */
export async function scrollCost(page: Page, cdp: CDPSession, stepPx: number): Promise<ScrollCost> {
  await page.evaluate(() => document.querySelector(".list-scroll")?.scrollTo(0, 0));
  const before = await metricsOf(cdp);
  const mostElements = await page.evaluate(
    async ({ frames, stepPx }) => {
      const list = document.querySelector(".list-scroll");
      if (list === null) throw new Error("No list is shown");
      let most = 0;
      for (let frame = 0; frame < frames; frame += 1) {
        list.scrollTop += stepPx;
        await new Promise((done) => requestAnimationFrame(done));
        // Counting is not what is measured: a few times are enough.
        if (frame % 30 === 29) most = Math.max(most, document.querySelectorAll("*").length);
      }
      return most;
    },
    { frames, stepPx },
  );
  const after = await metricsOf(cdp);
  const perFrame = (name: string): number =>
    (((after[name] ?? 0) - (before[name] ?? 0)) * 1_000) / frames;
  const scriptMs = perFrame("ScriptDuration");
  const styleMs = perFrame("RecalcStyleDuration");
  const layoutMs = perFrame("LayoutDuration");
  return {
    scriptMs,
    styleMs,
    layoutMs,
    totalMs: scriptMs + styleMs + layoutMs,
    mostElements,
    frames,
  };
}

async function metricsOf(cdp: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
