import type { Page } from "playwright-core";

/** Column heads that sort, and words to search for: each makes a list that was not asked for before. */
const heads = ["Card", "Number", "Location", "Market, USD", "Asking, USD", "Changed"];
const words = ["dragon", "storm", "night", "river", "golden", "shadow", "iron", "queen"];
const stages = ["Imported", "Identified", "Priced", "Photographed", "Listed", "Sold", "Archived"];

/** From a click or Enter until rows of the new list stand there with what is in them, in ms. */
export async function firstRowTimes(page: Page): Promise<number[]> {
  await page.evaluate(watchRows);
  const times: number[] = [];
  const take = async (act: () => Promise<void>): Promise<void> => {
    await page.evaluate(() => (window as unknown as Watch).benchRows.begin());
    await act();
    times.push(await page.evaluate(() => (window as unknown as Watch).benchRows.drawn()));
  };
  for (const name of heads) {
    const head = page.getByRole("columnheader", { name }).getByRole("button");
    await take(() => head.click());
    await take(() => head.click());
    await head.click();
    await page.locator(".card-table .card-link").first().waitFor();
  }
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("menuitem", { name: "Stage", exact: true }).click();
  for (const stage of stages) {
    await take(() => page.getByRole("checkbox", { name: stage, exact: true }).check());
  }
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  const field = page.getByRole("searchbox", { name: "Search the inventory" });
  for (const word of words) {
    await take(async () => {
      await field.fill(word);
      await field.press("Enter");
    });
  }
  return times;
}

interface Watch {
  benchRows: { begin(): void; drawn(): Promise<number> };
}

/** In the page: the time of the last click or key, and of the first frame with rows of another list. */
function watchRows(): void {
  let actedAt = 0;
  let wasWaiting = false;
  let told = (_drawnAt: number): void => undefined;
  let drawn = new Promise<number>(() => undefined);
  for (const type of ["click", "keydown"]) {
    window.addEventListener(type, (event) => (actedAt = event.timeStamp), { capture: true });
  }
  const look = (): void => {
    const isWaiting = document.querySelector(".list-waiting") !== null;
    if (isWaiting) wasWaiting = true;
    const isDrawn = document.querySelector(".card-table .card-link, .state-panel") !== null;
    if (wasWaiting && !isWaiting && isDrawn) told(performance.now());
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  const watch: Watch = {
    benchRows: {
      begin() {
        wasWaiting = false;
        drawn = new Promise((done) => (told = done));
      },
      drawn: () => drawn.then((drawnAt) => drawnAt - actedAt),
    },
  };
  Object.assign(window, watch);
}
