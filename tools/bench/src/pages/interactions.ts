import type { Page } from "playwright-core";

const pressesOfEach = 20;
/** Below this the browser does not report an event: it counts as so long. */
const leastReportedMs = 16;

/** From a key or a click to the next frame that shows what it did, as the browser's Event Timing says, in ms. */
export async function interactionTimes(page: Page): Promise<number[]> {
  await page.evaluate((durationThreshold) => {
    const seen = new Map<number, number>();
    Object.assign(window, { benchInteractions: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId, duration } = entry as PerformanceEventTiming;
        if (interactionId === 0) continue;
        seen.set(interactionId, Math.max(seen.get(interactionId) ?? 0, duration));
      }
    }).observe({ type: "event", durationThreshold, buffered: false } as PerformanceObserverInit);
  }, leastReportedMs);
  let made = 0;
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key);
    made += 1;
  };
  for (let count = 0; count < pressesOfEach; count += 1) {
    await press("j");
    await press("x");
    await press("Shift+ArrowDown");
  }
  await press("Control+a");
  await press("Escape");
  for (let count = 0; count < pressesOfEach; count += 1) {
    await press("j");
    await press("e");
    await page.locator(".cell-input").waitFor();
    await press("Escape");
    await page.locator(".cell-input").waitFor({ state: "detached" });
  }
  for (let count = 0; count < pressesOfEach; count += 1) {
    const price = `${10 + count}.50`;
    await press("j");
    await press("e");
    await page.locator(".cell-input").fill(price);
    await press("Enter");
    await page.locator(".cell-input").waitFor({ state: "detached" });
  }
  const filter = page.getByRole("button", { name: "Filter", exact: true });
  for (let count = 0; count < pressesOfEach; count += 1) {
    await filter.click();
    await page.getByRole("menuitem", { name: "Condition", exact: true }).waitFor();
    await press("Escape");
    made += 1;
  }
  const seen = await page.evaluate(() => [
    ...(window as unknown as { benchInteractions: Map<number, number> }).benchInteractions.values(),
  ]);
  const quick = Math.max(0, made - seen.length);
  return [...seen, ...Array.from({ length: quick }, () => leastReportedMs)];
}
