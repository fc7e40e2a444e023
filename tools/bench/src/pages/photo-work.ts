import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { memoryMb } from "../stack/process-tree.ts";
import type { Stack } from "../stack/stack.ts";
import { round } from "../statistics.ts";
import { watchReactions } from "./reactions.ts";
import type { Reactions } from "./reactions.ts";
import { countElements } from "./work-page.ts";
import type { Work } from "./work-page.ts";

const photos = 4_000;
const clicks = 10;
const uploadMs = 60_000;
const heapEveryMs = 2_000;

/** A whole box dropped into an import: fronts and backs of two thousand cards. */
export const photoWork: Work = {
  name: "photos",
  async run(page, stack) {
    const files = await drawFiles(stack);
    // As an upload's pictures are: not the one that stands for the seeded ones.
    await page.context().unroute("**/photos/**");
    await page.goto("/import");
    const input = page.locator(".photo-drop input[type=file]").first();
    await input.waitFor({ state: "attached" });
    const reactions = await watchReactions(page);
    const memory = await watchPage(page);
    const before = await uploaded(stack);
    const begun = Date.now();
    await input.setInputFiles(files);
    const givenMs = Date.now() - begun;
    await page.locator(".upload-panel").waitFor();
    const listMs = Date.now() - begun - givenMs;
    await page.locator(".pair").first().waitFor();
    const pairsMs = Date.now() - begun - givenMs;
    let elements = await countElements(page);
    await reactions.until("import: show each file", ".upload-files", () =>
      page.getByRole("button", { name: "Show each file" }).click(),
    );
    elements = Math.max(elements, await countElements(page));
    await page.getByRole("button", { name: "Hide each file" }).click();
    await page
      .getByRole("heading", { name: `${(photos / 2).toLocaleString("en")} cards` })
      .waitFor({ timeout: 300_000 });
    const announcedMs = Date.now() - begun - givenMs;
    await choose(page, reactions);
    await scroll(page, reactions);
    elements = Math.max(elements, await countElements(page));
    await page.waitForTimeout(Math.max(0, uploadMs - (Date.now() - begun)));
    const seconds = (Date.now() - begun) / 1_000;
    const sent = (await uploaded(stack)) - before;
    const most = await memory.end();
    return {
      times: reactions.times,
      elements,
      others: {
        photos,
        photos_list_ms: listMs,
        photos_first_pair_ms: pairsMs,
        photos_all_announced_s: round(announcedMs / 1_000, 1),
        photos_sent_per_s: round(sent / seconds, 1),
        photos_longest_task_ms: round(most.taskMs),
        photos_heap_mb: round(most.heapMb),
        photos_page_rss_mb: round(most.rssMb),
      },
    };
  },
};

/** Pairs chosen and put right while photos are on their way. */
async function choose(page: Page, reactions: Reactions): Promise<void> {
  for (let count = 0; count < clicks; count += 1) {
    const picture = page.locator(".pair .picture-button").nth(count);
    const bar = ".pair-bar output";
    await reactions.until("import: choose a photo", bar, () => picture.click());
    await reactions.until("import: choose none", bar, () => page.keyboard.press("Escape"));
  }
}

async function scroll(page: Page, reactions: Reactions): Promise<void> {
  const to = (top: number): Promise<void> => page.evaluate((px) => window.scrollTo(0, px), top);
  for (let count = 1; count <= clicks; count += 1) {
    await reactions.until("import: scroll far", ".tile-row", () => to(count * 4_000));
  }
  await to(0);
}

/** JPEGs of a card in the size of a scan, each another file. */
async function drawFiles({ folder }: Stack): Promise<string[]> {
  const noise = { type: "gaussian", mean: 140, sigma: 18 } as const;
  const drawn = await sharp({
    create: { width: 1_000, height: 1_400, channels: 3, background: "#28587c", noise },
  })
    .jpeg({ quality: 60 })
    .toBuffer();
  const scans = join(folder, "scans");
  await mkdir(scans, { recursive: true });
  const names = Array.from({ length: photos }, (_, at) =>
    join(scans, `card_${Math.floor(at / 2) + 1}_${at % 2 === 0 ? "front" : "back"}.jpg`),
  );
  // What stands behind the end of a picture is read by nobody, and makes another file of it.
  for (const name of names) await writeFile(name, Buffer.concat([drawn, Buffer.from(name)]));
  return names;
}

async function uploaded({ services }: Stack): Promise<number> {
  const [row] = await services.db.query<{ count: number }>(
    "select count(*)::int as count from photo where card_id is null",
  );
  return row?.count ?? 0;
}

interface PageMemory {
  /** The most that JavaScript held, what the process held at most, and the longest task of the main thread. */
  end(): Promise<{ heapMb: number; rssMb: number; taskMs: number }>;
}

async function watchPage(page: Page): Promise<PageMemory> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { benchTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask" });
  });
  let heapMb = 0;
  const look = async (): Promise<void> => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    const used = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0;
    heapMb = Math.max(heapMb, used / 1_048_576);
  };
  const timer = setInterval(() => void look().catch(() => undefined), heapEveryMs);
  return {
    async end() {
      clearInterval(timer);
      await look();
      const browser = await page.context().browser()?.newBrowserCDPSession();
      const { processInfo = [] } = (await browser?.send("SystemInfo.getProcessInfo")) ?? {};
      const pages = processInfo.filter(({ type }) => type === "renderer");
      const held = await Promise.all(pages.map(({ id }) => memoryMb(id)));
      const taskMs = await page.evaluate(() =>
        Math.max(0, ...(window as unknown as { benchTasks: number[] }).benchTasks),
      );
      return { heapMb, rssMb: Math.max(...held.map(({ most }) => most)), taskMs };
    },
  };
}
