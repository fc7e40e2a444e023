import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { restErrorTable } from "@cardvault/contract";
import { waitFor } from "@cardvault/testkit";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House } from "./house.ts";

vi.setConfig({ testTimeout: 180_000 });

/** What stands on every page: without it there is no page to fail. */
const ofShell = /^(?:accounts\.(?:current|mine|overview)|notices\.list|jobs\.list|live\.follow)$/u;
const somebody = "01kjn2z6g0fgz9pqafd9r83gq3";

/** Every page that asks for something, and what of it there must be to ask for. */
const pages = [
  "/",
  "/inventory",
  "/inventory?shown=grid",
  "/inventory/bulk-edit?workflow_status=priced",
  `/inventory/card_${somebody}`,
  "/inventory/batches",
  `/inventory/batches/batch_${somebody}`,
  "/import",
  "/import/csv",
  "/review",
  "/move",
  "/move?mode=sell",
  ...["live", "pull", "settle", "ledger"].map((tab) => `/sales?tab=${tab}`),
  "/settings/api",
  "/settings/profile",
  "/settings/account",
  "/settings/account?tab=trail",
  "/settings/inventory",
  "/settings/integrations",
  "/settings/webhooks",
  `/settings/webhooks/whe_${somebody}`,
  "/events",
  "/events/dropped",
  "/jobs",
  "/jobs?tab=accounts",
];
/** They ask for nothing until something is done there. */
const alone = new Set(["/import/csv", "/move", "/move?mode=sell"]);
/** They have no shell, or lead to another page. */
const others = [
  "/sign-in",
  "/auth/invite",
  "/auth/reset",
  "/settings",
  "/settings/marketplace",
  "/docs",
  "/docs/guides",
];

describeInBrowser(
  "every page while the service is slow, and while it fails at what it asks for",
  () => {
    let house: House;
    let browser: Browser;
    let page: Page;
    let answer = (): void => undefined;
    let answered = Promise.resolve();

    beforeAll(async () => {
      [house, browser] = await Promise.all([openHouse(), launch()]);
      const owner = await house.makeOwner("Mara");
      await house.makeOperator(owner.email);
      ({ page } = await openPage(browser, house.url));
      await page.goto("/");
      await signIn(page, owner);
      await page.getByRole("heading", { name: "Dashboard" }).waitFor();
      await page.route(/\/trpc\//u, (route) => failUnlessShell(route, answered));
    });
    afterAll(async () => {
      await browser?.close();
      await house?.close();
    });

    test("these are all of them", async () => {
      const router = await readFile(join(import.meta.dirname, "../src/app/router.tsx"), "utf8");
      const routes = Array.from(
        router.matchAll(/^ {2}path: "([^"]+)"/gmu),
        ([, path = ""]) => path,
      );
      const known = [...pages, ...others].map((path) => path.replace(/\?.*/u, ""));
      const named = known.map((path) => path.replace(/\/[a-z]+_[0-9a-z]+$/u, "/$id"));
      expect([...new Set(named)].toSorted()).toEqual(routes.toSorted());
    });

    test.each(pages)(
      "%s says that it waits, and what could not be had, with Retry, for everybody",
      async (path) => {
        answered = new Promise((resolve) => {
          answer = resolve;
        });
        await page.goto(path);
        if (!alone.has(path)) {
          await page.locator("main [aria-busy=true]").first().waitFor();
          expect(await violations(page)).toEqual([]);
        }
        answer();
        await waitFor(
          () =>
            page.evaluate(
              () =>
                document.querySelector("main h1, main [role=alert]") !== null &&
                document.querySelector(
                  "main [aria-busy=true], main .mantine-Skeleton-root[data-visible]",
                ) === null,
            ),
          { deadlineMs: 20_000, what: `${path} to settle` },
        );
        if (!alone.has(path)) {
          await page.getByText(refusal.message).first().waitFor();
          await page.getByText(refusal.data.code).first().waitFor();
          await page.getByText(refusal.data.request_id).first().waitFor();
          await page.getByRole("button", { name: "Retry" }).first().waitFor();
        }
        expect(await violations(page)).toEqual([]);
      },
    );

    test("the reference and a guide stand in the same house", async () => {
      await page.goto("/docs");
      await page.getByRole("heading", { name: "Card Vault", level: 1 }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.goto("/docs/guides/errors");
      expect(await violations(page)).toEqual([]);
    });
  },
);

/** As the service answers what it did not expect; the pages ask nobody a second time then. */
const refusal = {
  message: restErrorTable.internal_error.message,
  code: -32_603,
  data: { code: "internal_error", status: 500, request_id: "req_01kjn2z6g0fgz9pqafd9r83gq3" },
};

async function failUnlessShell(route: Route, answered: Promise<void>): Promise<void> {
  const { pathname, searchParams } = new URL(route.request().url());
  const asked = decodeURIComponent(pathname.slice("/trpc/".length)).split(",");
  if (asked.every((procedure) => ofShell.test(procedure))) {
    await route.continue();
    return;
  }
  await answered;
  const answers = asked.map(() => ({ error: refusal }));
  await route.fulfill({ status: 500, json: searchParams.has("batch") ? answers : answers[0] });
}
