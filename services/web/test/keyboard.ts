import type { Locator, Page } from "playwright-core";

/** More stops than any page has: beyond it what is looked for cannot be reached. */
const mostStops = 150;

/** What `?` says of the pages that tests go to. */
const letters = {
  "/": "h",
  "/inventory": "i",
  "/sales": "s",
  "/events": "e",
  "/events/dropped": "d",
  "/settings/api": "k",
  "/settings/webhooks": "w",
  "/settings/account": "c",
} as const;

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Goes on with Tab until the element has the focus. @throws where it cannot be reached so */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop <= mostStops; stop += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

/** Presses Enter on what Tab reaches. */
export async function press(page: Page, target: Locator): Promise<void> {
  await reach(page, target);
  await page.keyboard.press("Enter");
}

/** Goes to another page, by the letter that follows `g`. */
export async function jump(page: Page, path: keyof typeof letters): Promise<void> {
  await page.keyboard.press("g");
  await page.keyboard.press(letters[path]);
  await page.waitForURL((url) => url.pathname === path);
}

/** Opens the menu of a button, goes down to the item of this name and chooses it. */
export async function choose(page: Page, button: Locator, name: string): Promise<void> {
  await press(page, button);
  const item = page.getByRole("menuitem", { name, exact: true });
  await item.waitFor();
  const items = await page.getByRole("menuitem").count();
  for (let step = 0; step <= items && !(await isFocused(item)); step += 1) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}
