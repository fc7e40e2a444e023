import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000 });

describeInBrowser("background work: what a dealer sees of it, and what operators do", () => {
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

  test("what has ended is found again from every page: by whom, what came of it, why some were left, undone", async () => {
    await dealerPage.getByRole("button", { name: "Recent jobs" }).click();
    const drawer = dealerPage.getByRole("dialog", { name: "Recent jobs" });
    await drawer.getByText("No job yet").waitFor();
    expect(await violations(dealerPage)).toEqual([]);
    const [priced, unpriced] = await Promise.all([
      asDealer<{ id: string }>("cards.create", { title: "Tidecaller" }),
      asDealer<{ id: string }>("cards.create", { title: "Ash Sprite" }),
    ]);
    await house.run(
      `update card set market_price = 1000, market_price_currency = 'USD', market_price_source = 'tcgplayer',
         market_price_as_of = now() where title = 'Tidecaller'`,
    );
    await asDealer("bulk.start", {
      selection: { ids: [priced.id, unpriced.id] },
      action: { type: "price_rule", rule: { percent: 90 } },
    });
    const job = drawer.getByRole("region", { name: "Priced by rule" });
    await job.getByText("1 changed, 1 skipped").waitFor();
    await drawer.getByText(/^Mara asked for it/).waitFor();
    // Another day: nothing is followed any longer, and the palette leads there too.
    await dealerPage.reload();
    await dealerPage.getByRole("button", { name: "Recent jobs" }).waitFor();
    await dealerPage.keyboard.press("Control+k");
    await dealerPage.getByRole("textbox", { name: "Go to" }).fill("recent jobs");
    await dealerPage
      .getByRole("dialog")
      .getByRole("button", { name: "Recent jobs", exact: true })
      .click();
    await job.getByRole("button", { name: "Why 1 was left" }).click();
    await job.getByRole("link", { name: "Ash Sprite" }).waitFor();
    expect(await violations(dealerPage)).toEqual([]);
    const waiting = dealerPage.waitForEvent("download");
    await job.getByRole("link", { name: "All of them as CSV" }).click();
    const file = await readFile(await (await waiting).path(), "utf8");
    expect(file.split("\n")[1]).toMatch(
      new RegExp(`^${unpriced.id},\\d*,Ash Sprite,skipped,no_market_price,`),
    );
    await job.getByRole("button", { name: "Undo" }).click();
    const undone = drawer.getByRole("region", { name: "Undone" });
    await undone.getByText("1 changed").waitFor();
    // The page is not loaded anew: what can be undone and what is followed stay.
    await dealerPage.evaluate("window.isSamePage = true");
    await job.getByRole("link", { name: "Ash Sprite" }).click();
    await dealerPage.getByRole("heading", { name: "Ash Sprite" }).waitFor();
    expect(await dealerPage.evaluate("window.isSamePage")).toBe(true);
    await drawer.waitFor({ state: "detached" });
  });

  test("a dealer holds a job, and lets it go on", async () => {
    await asDealer("bulk.start", {
      selection: { filter: {} },
      action: { type: "set_fields", add_tags: ["spring"] },
    });
    await dealerPage.getByRole("button", { name: "Recent jobs" }).click();
    const drawer = dealerPage.getByRole("dialog", { name: "Recent jobs" });
    await drawer.getByRole("region", { name: "Cards edited" }).waitFor();
    // It stands between two chunks, far from the next: nobody runs it between here and there.
    await house.run(
      `update job set status = 'running', finished_at = null, updated_at = now(), next_run_at = now() + interval '1 day'
       where kind = 'bulk.set_fields'`,
    );
    const job = drawer.getByRole("region", { name: "Editing cards" });
    await job.getByRole("button", { name: "Pause" }).click();
    await job.getByText("Paused").waitFor();
    expect(await violations(dealerPage)).toEqual([]);
    await job.getByRole("button", { name: "Go on" }).click();
    await drawer.getByRole("region", { name: "Cards edited" }).getByText("2 changed").waitFor();
    // As after a long day.
    await house.run(
      `insert into job (id, account_id, kind, payload, status, progress, created_at, updated_at, finished_at, next_run_at)
       select uuidv7(), account_id, kind, payload, status, progress, created_at - n * interval '1 minute', updated_at,
         finished_at, next_run_at
       from job, generate_series(1, 22) n where kind = 'bulk.set_fields'`,
    );
    await drawer.getByText("20 of 25 shown").waitFor();
    await drawer.getByRole("button", { name: "Load more" }).click();
    await drawer.getByText("25 of 25 shown").waitFor();
    expect(await drawer.getByRole("region").count()).toBe(25);
    await dealerPage.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });

  test("why cards are left is told while the job is still at it", async () => {
    const cards = await Promise.all(
      ["Reed Heron", "Ember Fox"].map((title) =>
        asDealer<{ id: string }>("cards.create", { title }),
      ),
    );
    await asDealer("bulk.start", {
      selection: { ids: cards.map((card) => card.id) },
      action: { type: "price_rule", rule: { percent: 80 } },
    });
    await dealerPage.getByRole("button", { name: "Recent jobs" }).click();
    const drawer = dealerPage.getByRole("dialog", { name: "Recent jobs" });
    await drawer.getByText("2 skipped").waitFor();
    const ofJob = `(select id from job where kind = 'bulk.price_rule' order by created_at desc limit 1)`;
    const standAt = async (skipped: number): Promise<void> => {
      await house.run(
        `update job set status = 'running', finished_at = null, updated_at = now(), next_run_at = now() + interval '1 day',
           progress = jsonb_set(progress, '{skipped}', '${skipped}') where id = ${ofJob}`,
      );
    };
    // As it stood when it had come to the first of them.
    await house.run(
      `update job_item set code = null where job_id = ${ofJob} and card_id = (select id from card where title = 'Ember Fox')`,
    );
    await standAt(1);
    const job = drawer.getByRole("region", { name: "Pricing by rule" });
    await job.getByRole("button", { name: "Why 1 was left" }).click();
    await job.getByRole("link", { name: "Reed Heron" }).waitFor();
    expect(await job.getByRole("listitem").count()).toBe(1);
    await house.run(`update job_item set code = 'no_market_price' where job_id = ${ofJob}`);
    await standAt(2);
    await job.getByRole("link", { name: "Ember Fox" }).waitFor();
    await dealerPage.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
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
