import { existsSync } from "node:fs";
import { waitFor } from "@cardvault/testkit";
import axe from "axe-core";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { describe } from "vitest";
import type { Person } from "./house.ts";

/** Debian's and Ubuntu's place; CHROMIUM_PATH names another. */
const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** Below a test's own deadline, so that a failure names the step. */
const stepDeadlineMs = 20_000;
const signInDeadlineMs = 20_000;

/** Tests in a browser: skipped loudly on a machine without one. */
export function describeInBrowser(name: string, tests: () => void): void {
  const hasBrowser = existsSync(executablePath);
  if (!hasBrowser) {
    process.stderr.write(
      `NOT TESTED in a browser (no ${executablePath}: install chromium, or set CHROMIUM_PATH): ${name}\n`,
    );
  }
  (hasBrowser ? describe : describe.skip)(name, tests);
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/**
 * A page in a context of its own, whose console must stay silent.
 * @param userAgent what the browser says that it is, where that matters
 */
export async function openPage(
  browser: Browser,
  url: string,
  userAgent?: string,
): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const context = await browser.newContext({
    baseURL: url,
    reducedMotion: "reduce",
    ...(userAgent === undefined ? {} : { userAgent }),
  });
  context.setDefaultTimeout(stepDeadlineMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A browser reports every answer of 4xx as an error of its own.
    const isAnswer = /the server responded with a status of 4\d\d/.test(message.text());
    if (message.type() === "error" && !isAnswer) complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** Fills in the form, and sends it again where sign-in's own limit says that it was too soon. */
export async function signIn(
  page: Page,
  { email, password }: Pick<Person, "email" | "password">,
): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await waitFor(
    async () => {
      const answer = page.waitForResponse((response) => response.url().includes("/auth/sign-in/"));
      await page.getByRole("button", { name: "Sign in" }).click();
      return (await answer).status() !== 429;
    },
    { deadlineMs: signInDeadlineMs, everyMs: 500, what: "sign-in to answer" },
  );
}

/** Rules about colours: the others find the same in either scheme, and are asked once. */
const ofColours = ["color-contrast", "link-in-text-block"];

/** What nobody can get behind: the page beneath it is looked at when it is closed. */
const modal = "[role=dialog][aria-modal=true]";

/** What axe finds on the page as it stands, or in the dialog that covers it, in both schemes. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  const isCovered = (await page.locator(modal).count()) > 0;
  // Once for a document, since its half a megabyte costs as much as looking.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.waitForFunction(
      // The guides follow the system by their style sheet alone; the reference names the scheme on its body,
      // a moment after the system's has changed.
      (scheme) => {
        const { dataset } = document.documentElement;
        const { classList } = document.body;
        const other = scheme === "light" ? "dark-mode" : "light-mode";
        return (dataset["mantineColorScheme"] ?? scheme) === scheme && !classList.contains(other);
      },
      colorScheme,
    );
    found.push(
      ...(
        await page.evaluate(
          async ({ within, options }) => {
            const { violations } = await window.axe.run(within ?? document, options);
            return violations.flatMap(({ id, nodes }) =>
              nodes.map(
                ({ target, failureSummary = "" }) =>
                  `${id}: ${target.join(" ")}: ${failureSummary}`,
              ),
            );
          },
          {
            within: isCovered ? modal : null,
            options: {
              resultTypes: ["violations" as const],
              ...(colorScheme === "dark"
                ? { runOnly: { type: "rule" as const, values: ofColours } }
                : {}),
            },
          },
        )
      ).map((line) => `${page.url()} ${colorScheme}: ${line}`),
    );
  }
  return found;
}

/** What a page shows and keeps, with its address, as one text. */
export function pageText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const cacheNames = await caches.keys();
    return JSON.stringify({
      local: Object.entries(localStorage),
      session: Object.entries(sessionStorage),
      databases,
      cacheNames,
      address: location.href,
      history: history.state as unknown,
      page: document.documentElement.outerHTML,
      values: [...document.querySelectorAll("input, textarea")].map(
        (field) => (field as HTMLInputElement).value,
      ),
    });
  });
}

/** Everything that a browser keeps for the page, as one text. */
export async function storedText(page: Page, context: BrowserContext): Promise<string> {
  return (await pageText(page)) + JSON.stringify(await context.storageState({ indexedDB: true }));
}
