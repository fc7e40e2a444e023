import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import type { InventoryAccount } from "../inventory/account.ts";
import { noteActs } from "./reactions.ts";

const web = resolve(import.meta.dirname, "../../../../services/web");
/** Debian's and Ubuntu's place; CHROMIUM_PATH names another. */
const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** Whether there is a browser here. */
export function hasChromium(): boolean {
  return existsSync(executablePath);
}

/** Builds the pages as a release has them: the api serves them from where they are. */
export async function buildPages(): Promise<void> {
  if (!hasChromium()) throw new TypeError("No chromium: name one by CHROMIUM_PATH");
  const vite = join(web, "node_modules/vite/bin/vite.js");
  // What is there stays, because tests may be served from it; that it is up to date is nobody's word now.
  await rm(join(web, "dist/.built-from"), { force: true });
  const options = ["--logLevel", "error", "--emptyOutDir", "false"];
  await promisify(execFile)(process.execPath, [vite, "build", web, ...options], {
    env: { ...process.env, NODE_ENV: "production" },
  });
}

export interface OpenPages {
  readonly page: Page;
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A browser of the size of a desk's screen, signed in and at the inventory. */
export async function openPages(
  url: string,
  account: Pick<InventoryAccount, "emails" | "password">,
): Promise<OpenPages> {
  const browser: Browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width: 1_440, height: 900 },
      reducedMotion: "reduce",
    });
    await drawPictures(context);
    await noteActs(context);
    const page = await context.newPage();
    await page.goto("/inventory");
    await page.getByLabel("E-mail").fill(account.emails[0] ?? "");
    await page.getByRole("textbox", { name: "Password" }).fill(account.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".card-table .card-link").first().waitFor();
    return { page, context, close: () => browser.close() };
  } catch (error) {
    // A browser that is left open would keep the bench from ending.
    await browser.close();
    throw error;
  }
}

/** The seeded photos have no files, so one picture stands for all of them, at the size of a real one. */
async function drawPictures(context: BrowserContext): Promise<void> {
  const colour = { r: 40, g: 90, b: 140 };
  const body = await sharp({ create: { width: 69, height: 96, channels: 3, background: colour } })
    .webp()
    .toBuffer();
  await context.route("**/photos/**", (route) =>
    route.fulfill({ contentType: "image/webp", headers: { "cache-control": "max-age=600" }, body }),
  );
}
