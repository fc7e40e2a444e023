import type { Page } from "playwright-core";
import { watchReactions } from "./reactions.ts";

const pressesOfEach = 20;
/** Between two keys of a person; what comes sooner behind one another is a scanner. */
const paceMs = 150;

/**
 * From a key or a click to the frame that shows what it did, in ms: what holds a key back, because it may be
 * the beginning of a scan, counts.
 */
export async function interactionTimes(page: Page): Promise<number[]> {
  const reactions = await watchReactions(page);
  const press = async (kind: string, selector: string, key: string): Promise<void> => {
    await page.waitForTimeout(paceMs);
    await reactions.until(kind, selector, () => page.keyboard.press(key));
  };
  const active = "tr[data-active]";
  const count = ".bulk-count";
  await press("step", active, "j");
  for (let round = 0; round < pressesOfEach; round += 1) {
    await press("step", active, "j");
    await press("select", count, "x");
    await press("extend", count, "Shift+ArrowDown");
  }
  await press("select all", count, "Control+a");
  await press("clear", count, "Escape");
  for (let round = 0; round < pressesOfEach; round += 1) {
    await press("step", active, "j");
    await press("edit", ".cell-input", "e");
    await press("leave", ".cell-input", "Escape");
  }
  for (let round = 0; round < pressesOfEach; round += 1) {
    await press("step", active, "j");
    await press("edit", ".cell-input", "e");
    await page.locator(".cell-input").fill(`${10 + round}.50`);
    await press("save", ".cell-input", "Enter");
  }
  const filter = page.getByRole("button", { name: "Filter", exact: true });
  for (let round = 0; round < pressesOfEach; round += 1) {
    await page.waitForTimeout(paceMs);
    await reactions.until("filter", "[role=menu]", () => filter.click());
    await press("leave", "[role=menu]", "Escape");
  }
  return [...reactions.times.values()].flat();
}
