import type { Batch, Card } from "@cardvault/contract";
import { waitFor } from "@cardvault/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

describeInBrowser("batches, against the started service", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  let batchId: string;

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse(), launch()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    await page.goto("/inventory/batches");
    await signIn(page, owner);
    await page.getByText("No batches yet").waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate<Answer>(context, owner, procedure, input);
  const ask = async <Answer>(procedure: string, input: unknown): Promise<Answer> => {
    const answer = await context.request.get(
      `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`,
      { headers: { "x-vault-account": owner.accountId } },
    );
    return ((await answer.json()) as { result: { data: Answer } }).result.data;
  };
  const cards = async () =>
    (await ask<{ data: Card[] }>("cards.list", { batch: [batchId], sort: "created_at" })).data;
  const stage = (name: string) => page.getByRole("link", { name: new RegExp(`^${name} ?\\d`) });

  test("none yet: the page says what a batch is, and makes one with what its cards have in common", async () => {
    expect(await page.title()).toBe("Batches · Card Vault");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "New batch" }).first().click();
    const form = page.getByRole("dialog", { name: "New batch" });
    expect(await violations(page)).toEqual([]);
    await form.getByRole("button", { name: "Make batch" }).click();
    await form.getByText("Give it a name").waitFor();
    await form.getByLabel("Name", { exact: true }).fill("Harbour collection");
    await form.getByLabel(/^Cost of the whole batch/).fill("about ten");
    await form.getByRole("button", { name: "Make batch" }).click();
    await form.getByText("An amount, as 12.50").waitFor();
    await form.getByLabel(/^Cost of the whole batch/).fill("90.00");
    await form.getByLabel("Description").fill("Bought at the pier.");
    await form.getByLabel("Set", { exact: true }).fill("Storm Harbour");
    await form.getByRole("combobox", { name: "Condition" }).click();
    await form.getByRole("option", { name: "Near mint" }).click();
    await form.getByRole("button", { name: "Make batch" }).click();
    await page.getByRole("heading", { name: "Harbour collection", level: 1 }).waitFor();
    batchId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByText("Bought at the pier.").waitFor();
    await page.getByText("There is no card yet.").waitFor();
    expect(await page.title()).toBe("Harbour collection · Card Vault");
    expect(await violations(page)).toEqual([]);
  });

  test("cards that come in show by themselves, at their stage, with what they lack", async () => {
    for (const [at, title] of ["Charged Serpent", "Ash Sprite", "Lantern Fox"].entries()) {
      await mutate("cards.create", { title, batch_id: batchId, sku: `HL-${at}` });
    }
    const [first] = await cards();
    expect(first).toMatchObject({ set: "Storm Harbour", condition: "near_mint" });
    await stage("Identified").filter({ hasText: "3" }).waitFor();
    await page.getByRole("link", { name: "3 without a price" }).waitFor();
    await page.getByText("Charged Serpent").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "3 without a price" }).click();
    const address = new URL(page.url());
    expect(address.pathname).toBe("/inventory");
    expect(address.searchParams.get("has_price")).toBe("false");
    await page.getByText("Lantern Fox").first().waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Harbour collection", level: 1 }).waitFor();
  });

  test("all cards are moved and priced by jobs, with progress, before and after, and undo", async () => {
    await page.getByRole("button", { name: "Move…" }).click();
    const move = page.getByRole("dialog", { name: "Move 3 cards" });
    await move
      .getByRole("textbox", { name: "To" })
      .or(move.getByRole("combobox", { name: "To" }))
      .fill("Vault/A-03");
    expect(await violations(page)).toEqual([]);
    await move.getByRole("button", { name: "Move 3 cards" }).click();
    await page.getByRole("region", { name: "Cards moved" }).first().waitFor();
    expect(new Set((await cards()).map(({ location }) => location))).toEqual(
      new Set(["Vault/A-03"]),
    );
    await page.getByRole("button", { name: "Price by rule…" }).click();
    const price = page.getByRole("dialog", { name: "Price 3 cards of Harbour collection by rule" });
    await price.getByText("Left alone: 3 cards (no market price)").waitFor();
    expect(await violations(page)).toEqual([]);
    await price.getByRole("button", { name: "Cancel" }).click();
    const jobs = page.getByRole("region", { name: "Jobs of this batch" });
    await jobs.getByRole("button", { name: "Undo" }).click();
    await waitFor(async () => (await cards()).every(({ location }) => location === null), {
      what: "the cards to be without a place again",
    });
  });

  test("archiving says what the rules say: a card with an open listing stays", async () => {
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Archive…" }).click();
    const dialog = page.getByRole("dialog", { name: "Archive its cards" });
    await dialog.getByText("A card with a listing that is live or publishing stays").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  test("of two who edit the batch both keep what they changed; of the same both values are shown", async () => {
    await page.getByRole("button", { name: "Edit…" }).click();
    const form = page.getByRole("dialog", { name: "Edit Harbour collection" });
    await form.getByLabel("Where from").fill("Pier 4");
    await mutate("batches.update", { id: batchId, description: "Bought on Sunday." });
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    const stored = () => ask<Batch>("batches.get", { id: batchId });
    expect(await stored()).toMatchObject({ source: "Pier 4", description: "Bought on Sunday." });

    await page.getByRole("button", { name: "Edit…" }).click();
    await form.getByLabel("Where from").fill("Mine");
    await form.getByLabel("Description").fill("Mine too.");
    const { defaults } = await stored();
    await mutate("batches.update", {
      id: batchId,
      source: "Theirs",
      description: "Theirs too.",
      defaults: { ...defaults, language: "de" },
    });
    await form.getByRole("button", { name: "Save" }).click();
    const question = form.getByRole("alert");
    await question.getByText("Where from. Yours: Mine. Now: Theirs.").waitFor();
    expect(await stored()).toMatchObject({ source: "Theirs", description: "Theirs too." });
    expect(await form.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    // What only the other one has changed is taken over.
    expect(await form.getByLabel("Language").inputValue()).toBe("de");
    expect(await violations(page)).toEqual([]);
    await question.getByRole("button", { name: "Write mine: Where from" }).click();
    await question.getByRole("button", { name: "Keep theirs: Description" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    expect(await stored()).toMatchObject({
      source: "Mine",
      description: "Theirs too.",
      defaults: { ...defaults, language: "de" },
    });
  });

  test("the cost is spread as the preview says", async () => {
    await page.getByRole("button", { name: "Spread cost…" }).click();
    const dialog = page.getByRole("dialog", { name: "Spread the cost of Harbour collection" });
    await dialog.getByText("Of $90.00, $90.00 is spread over 3 cards.").waitFor();
    expect(await dialog.getByRole("cell", { name: "30.00" }).count()).toBe(3);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Spread over 3 cards" }).click();
    await page.getByRole("region", { name: "Cost spread" }).first().waitFor();
    expect((await cards()).map((card) => card.purchase_price?.amount)).toEqual([
      3_000, 3_000, 3_000,
    ]);
  });

  test("completing names what is left; Z opens it again", async () => {
    await page.getByRole("button", { name: "Complete…" }).click();
    const dialog = page.getByRole("dialog", { name: "Complete Harbour collection" });
    await dialog.getByText("3 cards without a price").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Complete all the same" }).click();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await page.getByText("Harbour collection is complete.").waitFor();
    expect((await ask<Batch>("batches.get", { id: batchId })).status).toBe("complete");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("z");
    await page.getByText("Harbour collection is open again.").waitFor();
    await page.getByRole("button", { name: "Complete…" }).click();
    await dialog.getByRole("button", { name: "Complete all the same" }).click();
    // What failed is said until it is closed, and never over what a dialog is for.
    await page.route("**/trpc/batches.reopen**", (route) => route.abort());
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await page.keyboard.press("z");
    const toast = page.getByRole("alert").filter({ hasText: "Retry" });
    await toast.waitFor();
    await page.unroute("**/trpc/batches.reopen**");
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("button", { name: "Edit…" }).click();
    const form = page.getByRole("dialog", { name: "Edit Harbour collection" });
    await form.getByRole("button", { name: "Save" }).click({ trial: true });
    await toast.getByRole("button", { name: "Retry" }).click({ trial: true });
    await page.setViewportSize({ width: 390, height: 800 });
    await form.getByRole("button", { name: "Save" }).click({ trial: true });
    await page.setViewportSize({ width: 1280, height: 720 });
    await form.getByRole("button", { name: "Cancel" }).click();
    await form.waitFor({ state: "detached" });
    await toast.getByRole("button", { name: "Close" }).click();
    await toast.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Complete…" }).waitFor();
  });

  test("the list says how far each batch is, filtered and ordered by its address", async () => {
    await mutate("batches.create", { name: "Attic find" });
    await page.getByRole("link", { name: "Batches" }).first().click();
    await page.getByRole("row").filter({ hasText: "Attic find" }).waitFor();
    const row = page.getByRole("row").filter({ hasText: "Harbour collection" });
    expect(await row.textContent()).toContain("90.00");
    expect(await row.textContent()).toContain("3 identified");
    expect(await row.getByRole("link", { name: /to identify/ }).count()).toBe(0);
    const toPrice = row.getByRole("link", { name: "3 to price in Harbour collection" });
    const { searchParams: only } = new URL((await toPrice.getAttribute("href")) ?? "", house.url);
    expect([only.get("batch"), only.get("workflow_status")]).toEqual([
      `["${batchId}"]`,
      '["identified"]',
    ]);
    await row.getByRole("link", { name: "3 cards in Harbour collection" }).click();
    await page.getByText("Lantern Fox").first().waitFor();
    await page.locator(".totals-bar").getByText("3 cards", { exact: true }).waitFor();
    await page.goBack();
    await row.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Order" }).click();
    await page.getByRole("option", { name: "By name" }).click();
    await waitFor(
      async () => (await page.getByRole("row").nth(1).textContent())?.includes("Attic find"),
      { what: "the batches to stand by name" },
    );
    expect(new URL(page.url()).searchParams.get("sort")).toBe("name");
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Complete" }).click();
    await page.getByText("No batch is in this state").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Show every batch" }).click();
    await row.waitFor();
    // But for the one request that found no service.
    expect(complaints).toEqual(["Failed to load resource: net::ERR_FAILED"]);
  });

  test("figures that cannot be read say so, and come with Retry", async () => {
    const progress = /trpc\/[^?]*batches\.progress/;
    await page.route(progress, (route) => route.abort());
    await page.goto(`/inventory/batches/${batchId}`);
    const values = page.getByText("The values could not be loaded.");
    await values.waitFor();
    await page.getByText("What is left to do could not be loaded.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute(progress);
    await page.getByRole("button", { name: "Retry" }).first().click();
    await values.waitFor({ state: "detached" });
    const totals = /trpc\/[^?]*cards\.totals/;
    await page.route(totals, (route) => route.abort());
    await page.goto("/inventory");
    const foot = page.locator(".totals-bar");
    await foot.getByText("The totals could not be loaded.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute(totals);
    await foot.getByRole("button", { name: "Retry" }).click();
    await foot.getByText("Copies").waitFor();
  });

  test("a batch that is not there says so, with the request to name", async () => {
    await page.goto("/inventory/batches/batch_01kjn2z6g0fgz9pqafd9r83gq3");
    await page.getByText("The batch could not be loaded").waitFor();
    await page.getByText(/^batch_not_found · req_/).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
