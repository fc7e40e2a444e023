import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000 });

describeInBrowser("the job collection, for operators alone", () => {
  let house: House;
  let browser: Browser;
  let operator: Person;
  let dealer: Person;
  let page: Page;
  let dealerPage: Page;
  let dealerContext: BrowserContext;
  let complaints: string[];

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse(), launch()]);
    operator = await house.makeOwner("Ops");
    dealer = await house.makeOwner("Mara");
    await house.makeOperator(operator.email);
    ({ page, complaints } = await openPage(browser, house.url));
    const other = await openPage(browser, house.url);
    dealerPage = other.page;
    dealerContext = other.context;
    await page.goto("/");
    await signIn(page, operator);
    await dealerPage.goto("/jobs");
    await signIn(dealerPage, dealer);
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const asDealer = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate(dealerContext, dealer, procedure, input);

  async function startMove(): Promise<string> {
    const card = await asDealer<{ id: string }>("cards.create", { title: "Charged Serpent" });
    const job = await asDealer<{ id: string }>("bulk.start", {
      selection: { ids: [card.id] },
      action: { type: "move", location: "B2-07" },
    });
    return job.id;
  }

  test("for a dealer there is no such page, and nothing leads there", async () => {
    await dealerPage.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await violations(dealerPage)).toEqual([]);
    await dealerPage.getByRole("link", { name: "Dashboard" }).first().click();
    await dealerPage.getByRole("heading", { name: "Dashboard" }).waitFor();
    expect(await dealerPage.getByRole("link", { name: "Jobs" }).count()).toBe(0);
  });

  test("an operator sees what is done, by kind, of every account", async () => {
    const id = await startMove();
    await page.getByRole("link", { name: "Jobs" }).click();
    await page.getByRole("heading", { name: "Jobs", level: 1 }).waitFor();
    expect(await page.title()).toBe("Jobs · Card Vault");
    const kinds = page.getByRole("region", { name: "By kind" });
    await kinds.getByText("Webhook deliveries").waitFor();
    await kinds.getByRole("link", { name: "Cards moved" }).waitFor();
    const row = page.getByRole("row").filter({ hasText: id });
    await row.getByText("Done").waitFor();
    await row.getByRole("link", { name: "Mara" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await row.getByRole("link", { name: "Cards moved" }).click();
    const drawer = page.getByRole("dialog", { name: "Job" });
    await drawer.getByRole("cell", { name: "Changed" }).waitFor();
    expect(new URL(page.url()).searchParams.get("job")).toBe(id);
    // Where the card was moved to is the account's own business.
    expect(await drawer.textContent()).not.toContain("B2-07");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  test("a failed job is tried again, and the account's trail says by whom", async () => {
    const id = await startMove();
    await page.getByRole("row").filter({ hasText: id }).getByText("Done").waitFor();
    await house.run(
      `update job set status = 'failed', finished_at = now(),
         error = '{"code": "no_progress", "message": "Too many runs ended without getting on."}'
       where id = (select id from job where kind = 'bulk.move' order by created_at desc limit 1)`,
    );
    await page.goto("/jobs?status=%5B%22failed%22%5D");
    await page.getByRole("link", { name: "Cards moved" }).last().click();
    const drawer = page.getByRole("dialog", { name: "Job" });
    await drawer.getByText("Too many runs ended without getting on.").waitFor();
    expect(await violations(page)).toEqual([]);
    await drawer.getByRole("button", { name: "Try again" }).click();
    await drawer.getByText("Done").waitFor();
    await dealerPage.goto("/settings/account?tab=trail");
    const entry = dealerPage.getByRole("row").filter({ hasText: "Job tried again" });
    await entry.getByText("An operator").waitFor();
  });

  test("a job is cancelled, and a filter that fits nothing says so", async () => {
    const id = await startMove();
    await page.goto(`/jobs?job=${id}`);
    await page.getByRole("dialog", { name: "Job" }).getByText("Done").first().waitFor();
    // It stands as one that is held back: nobody runs it between here and there.
    await house.run(
      `update job set status = 'paused', paused_by_hand = true, finished_at = null, error = null
       where id = (select id from job where kind = 'bulk.move' order by created_at desc limit 1)`,
    );
    await page.goto(`/jobs?job=${id}`);
    const drawer = page.getByRole("dialog", { name: "Job" });
    await drawer.getByRole("button", { name: "Cancel job" }).click();
    await drawer.getByText("Cancelled").waitFor();
    await page.goto("/jobs?kind=%5B%22import.undo%22%5D");
    await page.getByText("No job matches").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Show every job" }).click();
    await page.getByRole("row").filter({ hasText: id }).waitFor();
  });

  test("the accounts stand there with what is wrong, and lead to their jobs", async () => {
    await page.getByRole("link", { name: "Accounts" }).click();
    const row = page.getByRole("row").filter({ hasText: "Mara" });
    await row.getByText("Test account").waitFor();
    expect(await violations(page)).toEqual([]);
    await row.getByRole("link", { name: "Mara" }).click();
    await page.getByRole("button", { name: /Show every account, not only Mara/ }).waitFor();
    expect(new URL(page.url()).searchParams.get("account")).toBe(dealer.accountId);
    expect(complaints).toEqual([]);
  });
});
