import type { Browser, BrowserContext, Page } from "playwright-core";
import { startReceiver } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000 });

describeInBrowser("the dashboard, the reference and pages that are not there", () => {
  let house: House;
  let browser: Browser;
  let receiver: Receiver;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  /** Addresses of other origins that the pages asked for. */
  const foreign: string[] = [];

  beforeAll(async () => {
    [house, browser, receiver] = await Promise.all([openHouse(), launch(), startReceiver()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== house.url) foreign.push(request.url());
    });
    await page.goto("/");
    await signIn(page, owner);
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate(context, owner, procedure, input);
  const money = (amount: number) => ({ amount, currency: "USD" });

  test("an account without a card is shown the way from import to publish", async () => {
    await page.getByRole("heading", { name: "From a box of cards to sold" }).waitFor();
    for (const [name, path] of [
      ["Import cards", "/import"],
      ["Open the review", "/review"],
      ["Open the inventory", "/inventory"],
    ] as const) {
      expect(await page.getByRole("link", { name }).getAttribute("href")).toBe(path);
    }
    expect(await page.title()).toBe("Dashboard · Card Vault");
    expect(await violations(page)).toEqual([]);
  });

  test("each figure leads to what it counts", async () => {
    await mutate("webhooks.endpoints.create", { url: receiver.url });
    const batch = await mutate<{ id: string }>("batches.create", { name: "Mill Street" });
    const sold = await mutate<{ id: string }>("cards.create", {
      title: "Charged Serpent",
      batch_id: batch.id,
      asking_price: money(4_000),
      purchase_price: money(1_500),
      quantity: 2,
    });
    await mutate("cards.create", { batch_id: batch.id });
    await mutate("cards.create", { title: "Lantern Keeper", batch_id: batch.id });
    const gone = { asking_price: money(9_900), purchase_price: money(800) };
    const old = await mutate<{ id: string }>("cards.create", {
      title: "Old Anchor",
      ...gone,
    });
    await mutate("cards.update", { id: old.id, workflow_status: "archived" });
    await mutate("cards.recordSale", { id: sold.id, price: money(3_500), place: "Counter" });
    // Others' changes show by themselves.
    await page.getByRole("link", { name: /^To price 1/ }).waitFor();
    await page.getByRole("link", { name: /^To identify 1/ }).waitFor();
    await page.getByRole("link", { name: /^Needs review 0/ }).waitFor();
    await page.getByRole("link", { name: /^Asking value \$40.00/ }).waitFor();
    await page.getByRole("link", { name: /^Cost \$15.00/ }).waitFor();
    const recent = page.getByRole("region", { name: "Recent sales" });
    const sale = recent.getByRole("link", { name: "Charged Serpent" });
    await sale.waitFor();
    expect(await sale.getAttribute("href")).toBe(`/inventory/${sold.id}`);
    await recent.getByText("$35.00").waitFor();
    const row = page.getByRole("row").filter({ hasText: "Mill Street" });
    await expect.poll(() => row.textContent()).toContain("1 to identify, 1 to price, 1 to publish");
    expect(
      await row.getByRole("link", { name: "Mill Street", exact: true }).getAttribute("href"),
    ).toBe(`/inventory/batches/${batch.id}`);
    await row.getByRole("link", { name: "1 to publish" }).click();
    await page.getByText("Charged Serpent").first().waitFor();
    await page.locator(".totals-bar").getByText("1 card", { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: /^To price 1/ }).click();
    await page.getByRole("heading", { name: "Inventory", level: 1 }).waitFor();
    await page.getByText("Lantern Keeper").first().waitFor();
    expect(await page.getByText("Charged Serpent").count()).toBe(0);
    await page.goBack();
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  });

  test("what stands behind a value adds up to it: without what is sold or archived", async () => {
    for (const [name, total, amount] of [
      [/^Asking value \$40.00/, "Asking", "$40.00"],
      [/^Market value \$0.00/, "Market", "$0.00"],
      [/^Cost \$15.00/, "Cost", "$15.00"],
      [/^3 copies in stock/, "Copies", "3"],
    ] as const) {
      await page.getByRole("link", { name }).click();
      const totals = page.locator(".totals-bar");
      await totals.getByText("3 cards", { exact: true }).waitFor();
      expect(await totals.locator("div", { hasText: total }).locator("dd").textContent()).toBe(
        amount,
      );
      await page.goBack();
      await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    }
  });

  test("the chart asks a question, and answers it in words and a table too", async () => {
    const chart = page.getByRole("figure", { name: "What sold in the last 30 days?" });
    await chart.getByText("$35.00").first().waitFor();
    await chart.getByText("from 1 sale").waitFor();
    await page.locator(".recharts-bar-rectangle").first().waitFor({ state: "attached" });
    await chart.getByText("The figures as a table").click();
    await chart.getByRole("cell", { name: "$35.00" }).waitFor();
    // Days without a sale say nothing.
    expect(await chart.getByRole("row").count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    // All of it, one day of it by the table, and by its bar: each is a stretch of the ledger.
    const ledger = page.locator(".ledger-sums").getByText("$35.00").first();
    const lines = page.getByRole("region", { name: "Every sale" });
    const back = async () => {
      await lines.getByRole("link", { name: "Charged Serpent" }).waitFor();
      await page.goBack();
      await chart.getByText("from 1 sale").waitFor();
    };
    await chart.getByRole("link", { name: "1 sale" }).click();
    await ledger.waitFor();
    expect(await page.getByRole("radio", { name: "30 days" }).isChecked()).toBe(true);
    await back();
    await chart.getByText("The figures as a table").click();
    await chart.getByRole("row").nth(1).getByRole("link").click();
    await page.getByRole("button", { name: /, show all days again$/ }).waitFor();
    await ledger.waitFor();
    expect(await violations(page)).toEqual([]);
    await back();
    await page.locator(".recharts-bar-rectangle path").first().click();
    await page.getByRole("button", { name: /, show all days again$/ }).waitFor();
    const day = new URL(page.url()).searchParams.get("day");
    // Another day is without it.
    await page.goto("/sales?tab=ledger&day=2020-02-29");
    await lines.getByText("No sale in this time").waitFor();
    await page.goto(`/sales?tab=ledger&day=${day ?? ""}`);
    await ledger.waitFor();
    await page.goto("/");
    await page
      .getByRole("region", { name: "Recent sales" })
      .getByRole("link", { name: "All sales" })
      .click();
    await back();
  });

  test("the palette leads to a batch, a page and what dealers do, and says what it could not search", async () => {
    const field = page.getByRole("textbox", { name: "Go to" });
    const choose = async (text: string, name: RegExp | string) => {
      await page.keyboard.press("Control+k");
      await field.fill(text);
      await page.getByRole("dialog").getByRole("button", { name }).click();
      await field.waitFor({ state: "detached" });
    };
    await choose("mill str", /Mill Street/);
    await page.getByRole("heading", { name: "Mill Street", level: 1 }).waitFor();
    await choose("profile", /^Your profile/);
    await page.getByRole("heading", { name: "Your profile", level: 1 }).waitFor();
    await choose("spreadsheet", "Import a list");
    await page.waitForURL("**/import/csv");
    for (const [text, action, dialog] of [
      ["record", "Record a sale", "Record a sale made elsewhere"],
      ["create token", "Make an API key", "Create key"],
      ["receiver", "Add a webhook endpoint", "Add endpoint"],
      ["colleague", "Invite somebody", /^Invite/],
      ["barcode", "Print labels of places", "Labels of places"],
      ["create collection", "New batch", "New batch"],
    ] as const) {
      await choose(text, action);
      const asked = page.getByRole("dialog", { name: dialog });
      await asked.waitFor();
      // One may close a list of suggestions alone, or come before the dialog has the keys.
      await expect
        .poll(async () => {
          await page.keyboard.press("Escape");
          return asked.count();
        })
        .toBe(0);
    }
    const searches = /\/trpc\/[^?]*batches\.find/;
    // What is found late moves nothing that is there.
    const gate = Promise.withResolvers<void>();
    await context.route(
      searches,
      async (route) => {
        await gate.promise;
        await route.continue();
      },
      { times: 1 },
    );
    await page.keyboard.press("Control+k");
    await field.fill("st");
    const action = page.getByRole("dialog").getByRole("button", { name: "Import a list" });
    const place = await action.boundingBox();
    gate.resolve();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Mill Street/ })
      .waitFor();
    expect(await action.boundingBox()).toEqual(place);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    await context.route(searches, (route) => route.abort());
    await page.keyboard.press("Control+k");
    await field.fill("mill stre");
    const said = page.getByRole("button", { name: /^Not searched: .*batches/ });
    await said.waitFor();
    expect(await violations(page)).toEqual([]);
    await context.unroute(searches);
    await said.click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Mill Street/ })
      .waitFor();
    await field.fill("sign out");
    await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.goto("/");
  });

  test("dropped events are red, and lead to where they are sent again", async () => {
    const endpoints = await query<{ data: { id: string }[] }>("webhooks.endpoints.list");
    receiver.always({ kind: "status", status: 500 });
    await mutate("cards.create", { title: "Tidecaller" });
    await receiver.waitFor((requests) =>
      requests.some(({ body }) => body.toString().includes("Tidecaller")),
    );
    await mutate("webhooks.endpoints.update", { id: endpoints.data[0]?.id, enabled: false });
    const dropped = page.getByRole("link", { name: /^Dropped events [1-9]/ });
    await dropped.first().waitFor();
    await page.locator('.figure-link[data-tone="bad"]').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator('.figure-link[data-tone="bad"]').click();
    await page.getByRole("heading", { name: "Dropped events", level: 1 }).waitFor();
  });

  test("while the service does not answer, the page says so, and comes back by itself", async () => {
    const figures = /\/trpc\/[^?]*accounts\.dashboard/;
    await context.route(figures, (route) => route.abort());
    await page.goto("/");
    await page.getByText("The figures could not be loaded").waitFor();
    await page.getByText("unreachable").waitFor();
    expect(await violations(page)).toEqual([]);
    await context.unroute(figures);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Waiting for you" }).waitFor();
  });

  test("a page that is not there names those that could be meant", async () => {
    await page.goto("/settings/webhook");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await page.title()).toBe("Page not found · Card Vault");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
  });

  test("the reference of the API belongs to the house, in both schemes", async () => {
    await page.goto("/docs");
    await page.getByRole("link", { name: "Card Vault, dashboard" }).waitFor();
    expect(await page.title()).toBe("API reference · Card Vault");
    await page.getByRole("heading", { name: "List cards" }).first().waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await page.getByRole("heading", { name: "List cards" }).first().waitFor();
      await expect
        .poll(() => page.evaluate(() => document.body.className))
        .toContain(`${colorScheme}-mode`);
    }
    await page.getByRole("link", { name: "Card Vault, dashboard" }).click();
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  });

  test("the guides can be read by everybody, in both schemes and on a phone", async () => {
    await page.goto("/docs");
    await page.getByRole("link", { name: "Guides", exact: true }).click();
    await page.getByRole("heading", { name: "Guides", level: 1 }).waitFor();
    expect(await page.title()).toBe("Guides · Card Vault");
    for (const name of ["Webhooks", "Errors"]) {
      await page.getByRole("navigation", { name: "Guides" }).getByRole("link", { name }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      expect(await violations(page)).toEqual([]);
      const window = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await violations(page)).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(390);
      if (window !== null) await page.setViewportSize(window);
    }
    // What somebody has chosen on the other pages holds here too.
    await page.evaluate(() => localStorage.setItem("mantine-color-scheme-value", "light"));
    await page.reload();
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await page.evaluate(() => localStorage.setItem("mantine-color-scheme-value", "dark"));
    await page.reload();
    expect(await ground()).toBe("rgb(25, 26, 31)");
    await page.evaluate(() => localStorage.removeItem("mantine-color-scheme-value"));
    // Nobody has to be signed in to read them.
    const stranger = await fetch(`${house.url}/docs/guides/webhooks`);
    expect(await stranger.text()).toContain("<title>Webhooks · Card Vault</title>");
  });

  test("nothing was asked of another origin, and the console stayed silent", () => {
    expect(foreign).toEqual([]);
    expect(complaints.filter((text) => !text.includes("net::ERR_FAILED"))).toEqual([]);
  });

  async function query<Answer>(procedure: string): Promise<Answer> {
    const response = await context.request.get(`/trpc/${procedure}`, {
      headers: { "x-vault-account": owner.accountId },
    });
    const body = (await response.json()) as { result: { data: Answer } };
    return body.result.data;
  }
});
