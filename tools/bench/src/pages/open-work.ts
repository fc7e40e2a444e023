import { watchReactions } from "./reactions.ts";
import { countElements } from "./work-page.ts";
import type { Work } from "./work-page.ts";

const cards = 20;
/** Says which of the list it is, so it differs for every card. */
const walk = ".walk";
const searches = 8;

/** A card opened from the list, walked to the next, and the palette. */
export const openWork: Work = {
  name: "open",
  async run(page) {
    await page.goto("/inventory");
    await page.locator(".card-table .card-link").first().waitFor();
    const reactions = await watchReactions(page);
    let elements = 0;
    for (let count = 0; count < cards; count += 1) {
      await page.keyboard.press("j");
      await reactions.until("card: open", walk, () => page.keyboard.press("Enter"));
      elements = Math.max(elements, await countElements(page));
      await reactions.until("card: the next of the list", walk, () => page.keyboard.press("]"));
      await page.goBack();
      await page.locator(".card-table .card-link").first().waitFor();
    }
    const names = await page.locator(".card-table .card-link").allTextContents();
    const words = new Set(
      names.map((name) => name.split(" ")[0] ?? "").filter((word) => word !== "Not"),
    );
    for (const word of [...words].slice(0, searches)) {
      await reactions.until("palette: open", ".mantine-Spotlight-content", () =>
        page.keyboard.press("Control+k"),
      );
      await reactions.during("palette: type", word.length, () =>
        page.keyboard.type(word, { delay: 60 }),
      );
      await page
        .locator(".mantine-Spotlight-action img, .mantine-Spotlight-action .card-picture")
        .first()
        .waitFor();
      elements = Math.max(elements, await countElements(page));
      await reactions.during("palette: to the next", 1, () => page.keyboard.press("ArrowDown"));
      await page.keyboard.press("Escape");
      await page.locator(".mantine-Spotlight-content").waitFor({ state: "detached" });
    }
    return { times: reactions.times, elements };
  },
};
