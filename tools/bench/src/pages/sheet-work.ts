import type { Page } from "playwright-core";
import { round } from "../statistics.ts";
import { watchReactions } from "./reactions.ts";
import type { Reactions } from "./reactions.ts";
import { countElements } from "./work-page.ts";
import type { Work } from "./work-page.ts";

const rows = 5_000;
const presses = 20;
const largeSteps = 5;
/** From the title to the asking price. */
const toPrices = 9;
const active = "[data-active]";
const saveButton = ".sheet-bar button";

/** The spreadsheet with as many cards as it takes. */
export const sheetWork: Work = {
  name: "sheet",
  async run(page) {
    const { origin } = new URL(page.url());
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    const begun = Date.now();
    await page.goto("/inventory/bulk-edit?workflow_status=priced&sort=title");
    await page.locator(".sheet-cell").first().waitFor();
    const openMs = Date.now() - begun;
    const reactions = await watchReactions(page);
    await page.locator(".sheet").focus();
    const before = await countElements(page);
    await typeInto(page, reactions, "sheet");
    await pasteAndUndo(page, reactions);
    // With an edit in every row.
    await paste(page, reactions, textOf("2"));
    await typeInto(page, reactions, "sheet with 15,000 edits");
    await look(page, reactions);
    const elements = Math.max(before, await countElements(page));
    return { times: reactions.times, elements, others: { sheet_open_ms: round(openMs) } };
  },
};

async function typeInto(page: Page, reactions: Reactions, kind: string): Promise<void> {
  const { keyboard } = page;
  await toFirstPrice(page);
  for (let count = 0; count < presses; count += 1) {
    await reactions.until(`${kind}: to the next cell`, active, () => keyboard.press("ArrowDown"));
    await reactions.until(`${kind}: begin to type`, ".sheet-input", () => keyboard.press("1"));
    await reactions.during(`${kind}: type`, `${count}.5`.length, () => keyboard.type(`${count}.5`));
    await reactions.until(`${kind}: Enter`, active, () => keyboard.press("Enter"));
    await reactions.during(`${kind}: undo`, 1, () => keyboard.press("Control+z"));
  }
}

async function toFirstPrice({ keyboard }: Page): Promise<void> {
  await keyboard.press("Control+Home");
  for (let step = 0; step < toPrices; step += 1) await keyboard.press("ArrowRight");
}

async function pasteAndUndo(page: Page, reactions: Reactions): Promise<void> {
  const text = textOf("1");
  const { keyboard } = page;
  for (let count = 0; count < largeSteps; count += 1) {
    await paste(page, reactions, text);
    await reactions.until("sheet: undo 15,000 cells", saveButton, () =>
      keyboard.press("Control+z"),
    );
    await toFirstPrice(page);
    await keyboard.press("1");
    await keyboard.press("Enter");
    await keyboard.press("ArrowUp");
    await reactions.until("sheet: select a column", active, () =>
      keyboard.press("Control+Shift+ArrowDown"),
    );
    await reactions.until("sheet: fill 5,000 down", saveButton, () => keyboard.press("Control+d"));
    await keyboard.press("Control+z");
    await keyboard.press("Control+z");
    await page.getByRole("button", { name: "Nothing to save" }).waitFor();
  }
}

async function paste(page: Page, reactions: Reactions, text: string): Promise<void> {
  await toFirstPrice(page);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await reactions.until("sheet: paste 5,000 x 3", saveButton, () =>
    page.keyboard.press("Control+v"),
  );
}

/** Three columns of amounts, as a spreadsheet copies them. */
function textOf(last: string): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `${(row % 90) + 10}.4${last}\t${(row % 9) + 1}.2${last}\t${(row % 7) + 1}.1${last}`,
  );
  return `${lines.join("\r\n")}\r\n`;
}

async function look(page: Page, reactions: Reactions): Promise<void> {
  const { keyboard } = page;
  await keyboard.press("Control+Home");
  for (let count = 0; count < presses; count += 1) {
    await reactions.until("sheet: a page down", active, () => keyboard.press("PageDown"));
  }
  for (let count = 0; count < largeSteps; count += 1) {
    await reactions.until("sheet: to the end", active, () => keyboard.press("Control+ArrowDown"));
    await reactions.until("sheet: to the beginning", active, () => keyboard.press("Control+Home"));
  }
}
