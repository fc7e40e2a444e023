import type { Card, Listing } from "@cardvault/contract";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const usd = (amount: number) => ({ amount, currency: "USD" });

describeInBrowser("sales, against the started service and the simulated marketplace", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse({ withSandbox: true }), launch()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    // As over plain HTTP, where no browser has it.
    await context.addInitScript("delete Crypto.prototype.randomUUID");
    await page.goto("/sales");
    await signIn(page, owner);
    await page.getByText("Nothing is for sale").waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate<Answer>(context, owner, procedure, input);
  /** A card that can be published. */
  const makeCard = (title: string, location: string, more: object = {}): Promise<Card> =>
    house.makePhotographed(context, owner, "applied", {
      title,
      condition: "near_mint",
      game: "Tidewing",
      set: "Storm Harbour",
      number: "12/180",
      location,
      asking_price: usd(2_000),
      purchase_price: usd(500),
      ...more,
    });
  const publish = (card: Card): Promise<Listing> =>
    mutate<Listing>("listings.publish", { cardId: card.id });
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Sales" }).getByRole("link", { name });
  const rowOf = (title: string) => page.getByRole("row").filter({ hasText: title });
  const shot = async (name: string): Promise<void> => {
    const folder = process.env["SCREENSHOTS"];
    if (folder === undefined) return;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: `${folder}/sales-${name}-${colorScheme}.png` });
    }
  };
  async function act(title: string, action: string): Promise<void> {
    await rowOf(title).getByRole("button", { name: "Actions for" }).click();
    await page.getByRole("menuitem", { name: action, exact: true }).click();
  }

  test("each tab says what it would hold, by number keys; nothing is found wrong with any", async () => {
    const empty = [
      "Nothing is for sale",
      "Nothing to pull",
      "Nothing to settle",
      "No listing has sold yet",
      "No listing has ended without a sale",
      "Nothing has failed",
      "No sale in this time",
    ];
    for (const [index, words] of empty.entries()) {
      await page.keyboard.press(String(index + 1));
      await page.getByText(words).first().waitFor();
      expect(await violations(page)).toEqual([]);
    }
    await shot("empty-ledger");
    await page.keyboard.press("1");
    expect(await page.title()).toBe("Sales · Card Vault");
  });

  test("what is published goes live, is bought, and is to be pulled; a tick by key, undone by Z", async () => {
    const [serpent, drake] = [
      await makeCard("Charged Serpent", "B2-10"),
      await makeCard("Tidewing Drake", "B2-9"),
    ];
    for (const card of [serpent, drake]) await publish(card);
    for (const title of ["Charged Serpent", "Tidewing Drake"]) {
      await rowOf(title).getByText("Live", { exact: true }).waitFor();
    }
    expect(await violations(page)).toEqual([]);
    await shot("live");
    await act("Charged Serpent", "Sell a copy");
    await act("Tidewing Drake", "Sell a copy");
    await page.getByText("Nothing is for sale").waitFor();
    await tab("To pull").click();
    // In the order of a walk: shelf 9 comes before shelf 10.
    await rowOf("Charged Serpent").waitFor();
    const titles = page.locator("tbody .sales-title");
    expect(await titles.allTextContents()).toEqual(["Tidewing Drake", "Charged Serpent"]);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page
      .getByRole("checkbox", { name: "Charged Serpent is pulled", checked: true })
      .waitFor();
    await page.getByText("Charged Serpent is pulled.").waitFor();
    await shot("pull");
    await tab("To pull").getByText("1", { exact: true }).waitFor();
    await page.keyboard.press("z");
    await page
      .getByRole("checkbox", { name: "Charged Serpent is pulled", checked: false })
      .waitFor();
    await tab("To pull").getByText("2", { exact: true }).waitFor();

    // Of two quick ticks the first is not kept: it alone is taken back, and a ticked box is no field to the keys.
    await page.route("**/trpc/sales.markPulled**", (route) => route.abort(), { times: 1 });
    await page.getByRole("checkbox", { name: "Charged Serpent is pulled" }).click();
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await page.getByText("The tick was not kept").waitFor();
    await page.getByText("Tidewing Drake is pulled.").waitFor();
    await page
      .getByRole("checkbox", { name: "Charged Serpent is pulled", checked: false })
      .waitFor();
    await page.getByRole("checkbox", { name: "Tidewing Drake is pulled", checked: true }).waitFor();
    await tab("To pull").getByText("1", { exact: true }).waitFor();
    await page.keyboard.press("z");
    await tab("To pull").getByText("2", { exact: true }).waitFor();
    await tab("Sold").click();
    await rowOf("Charged Serpent").getByText("Sold", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await shot("sold");
  });

  test("more than a page to pull goes on in the order of the walk", async () => {
    const more = 199;
    await house.run(`insert into marketplace_order_line (id, account_id, marketplace, order_id, line_id, listing_id,
        card_id, external_listing_id, sku, title, quantity, total, currency, sold_at, modified_at, recorded_at)
      select gen_random_uuid(), account_id, marketplace, 'more-' || n, line_id, listing_id,
        card_id, external_listing_id, sku, title, quantity, total, currency, sold_at, modified_at, recorded_at
      from generate_series(1, ${more}) n,
        (select o.* from marketplace_order_line o join card c on c.id = o.card_id
          where c.title = 'Tidewing Drake' limit 1) l`);
    await tab("To pull").click();
    await tab("To pull").getByText("201", { exact: true }).waitFor();
    await page.getByText("The first 200 lines to pull").waitFor();
    expect(await rowOf("Charged Serpent").count()).toBe(0);
    await page.getByRole("button", { name: "Load more" }).click();
    await rowOf("Charged Serpent").waitFor();
    await page.getByText("201 lines to pull", { exact: true }).waitFor();
    await house.run("delete from marketplace_order_line where order_id like 'more-%'");
  });

  test("what eBay refuses stands under Failed with its reason, and is published again from there", async () => {
    await mutate("sandbox.failNext", {});
    await publish(await makeCard("Hollow Stag", "C1-01"));
    await tab("Failed").click();
    const row = rowOf("Hollow Stag");
    await row.getByText("Failed", { exact: true }).waitFor();
    await row.locator(".sales-trouble").waitFor();
    expect(await violations(page)).toEqual([]);
    await shot("failed");
    // What is mended in the settings leads there.
    await house.run(`update listing set error = jsonb_set(error, '{message}',
        '"The return policy cannot be used. Choose another in the marketplace settings."')
      where status = 'failed'`);
    await page.reload();
    const settings = row.getByRole("link", { name: "the marketplace settings" });
    expect(await settings.getAttribute("href")).toBe("/settings/integrations#marketplace");
    await row.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Publish again" }).click();
    await page.getByText("Nothing has failed").waitFor();
    await tab("Live").click();
    await rowOf("Hollow Stag").getByText("Live", { exact: true }).waitFor();
  });

  test("revised one by one, ended together, and listed again outside", async () => {
    await publish(await makeCard("Ember Kestrel", "C1-02"));
    await rowOf("Ember Kestrel").getByText("Live", { exact: true }).waitFor();
    await act("Ember Kestrel", "Revise…");
    const dialog = page.getByRole("dialog", { name: "Revise listing" });
    await dialog.getByLabel(/Price of the listing/).fill("17.50");
    expect(await violations(page)).toEqual([]);
    await shot("revise");
    await dialog.getByRole("button", { name: "Revise" }).click();
    await dialog.waitFor({ state: "detached" });
    await rowOf("Ember Kestrel").getByText("17.50").waitFor();
    // Ending asks in the menu of one too.
    await act("Ember Kestrel", "End…");
    await page.getByRole("dialog", { name: "End 1 listing?" }).getByText("takes it down").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await rowOf("Ember Kestrel").getByText("Live", { exact: true }).waitFor();

    // Many have what their cards have now: one job.
    const selectAll = page.getByRole("checkbox", { name: "Select all that are shown" });
    await selectAll.check();
    await page.getByRole("button", { name: "Revise…" }).click();
    const many = page.getByRole("dialog", { name: "Revise 2 listings" });
    await many.getByRole("checkbox", { name: "The card's asking price" }).check();
    expect(await violations(page)).toEqual([]);
    await many.getByRole("button", { name: "Revise" }).click();
    await many.waitFor({ state: "detached" });
    await rowOf("Ember Kestrel").getByText("17.50").waitFor({ state: "detached" });
    await rowOf("Ember Kestrel").getByText("20.00").waitFor();

    await selectAll.check();
    await page.getByRole("button", { name: "End…" }).click();
    const ending = page.getByRole("dialog", { name: "End 2 listings?" });
    expect(await violations(page)).toEqual([]);
    await ending.getByRole("button", { name: "End", exact: true }).click();
    await page.getByText("Nothing is for sale").waitFor();
    await tab("Ended").click();
    await rowOf("Ember Kestrel").getByText("Withdrawn").waitFor();
    expect(await violations(page)).toEqual([]);
    await shot("ended");
    await act("Ember Kestrel", "List again at eBay");
    await tab("Live").click();
    await rowOf("Ember Kestrel").getByText("Live", { exact: true }).waitFor();
  });

  test("a cancelled order waits under To settle until its copy is back", async () => {
    await tab("Sold").click();
    await act("Charged Serpent", "Cancel its last order");
    await tab("To settle").click();
    const copies = page.getByRole("region", { name: "Copies to look after" });
    await copies.getByText("put the copy back").waitFor();
    expect(await violations(page)).toEqual([]);
    await shot("settle");
    await copies.getByRole("button", { name: "It is back" }).click();
    await page.getByText("Nothing to settle").waitFor();
  });

  test("where eBay shows another price, ours is sent or theirs is taken", async () => {
    await tab("Live").click();
    await publish(await makeCard("Grey Heron", "C1-03"));
    await publish(await makeCard("Salt Wolf", "C1-04"));
    for (const title of ["Grey Heron", "Salt Wolf"]) {
      await rowOf(title).getByText("Live", { exact: true }).waitFor();
    }
    // As if the dealer had changed both there: here they have another price than was published.
    await house.run(
      "update listing set price = 2500 where card_id in (select id from card where title in ('Grey Heron', 'Salt Wolf'))",
    );
    await tab("To settle").click();
    await page.getByRole("button", { name: "Read it now" }).click();
    const differences = page.getByRole("region", { name: "eBay shows something else" });
    const heron = differences.getByRole("row").filter({ hasText: "Grey Heron" });
    await heron.getByText("Here: $25.00").waitFor();
    expect(await violations(page)).toEqual([]);
    await shot("differences");
    await heron.getByRole("button", { name: "Take eBay’s" }).click();
    await page.getByText("The listing has what eBay shows.").waitFor();
    await heron.waitFor({ state: "detached" });
    await differences.getByRole("button", { name: "Send ours" }).click();
    await page.getByText("Ours is being sent to eBay.").waitFor();
    await page.getByText("Nothing to settle").waitFor();
    await tab("Live").click();
    await rowOf("Grey Heron").getByText("20.00").waitFor();
    await rowOf("Salt Wolf").getByText("25.00").waitFor();
  });

  test("a sale at a show is recorded by keyboard alone; the ledger has its profit, and gives it out as a file", async () => {
    await makeCard("Quiet Lantern", "D4-01", { purchase_price: usd(1_200) });
    await tab("Ledger").click();
    await page.getByRole("heading", { name: "Every sale" }).waitFor();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "Record a sale made elsewhere" });
    await dialog.getByRole("combobox", { name: "Card" }).waitFor();
    await page.keyboard.type("Quiet Lantern");
    await dialog.getByRole("option", { name: /Quiet Lantern/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await shot("record");
    await page.keyboard.press("Enter");
    // Behind a dialog no key does anything, whatever of it has the focus.
    await dialog.getByRole("button", { name: "Cancel" }).focus();
    await page.keyboard.press("2");
    await dialog.getByLabel(/^Sold for/).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("15.00");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Harbour card show");
    await page.keyboard.press("Tab");
    await page.keyboard.type("0.75");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const row = rowOf("Quiet Lantern");
    await row.getByText("Harbour card show").waitFor();
    // 15.00 less 0.75 and 12.00.
    await row.getByText("2.25", { exact: true }).waitFor();
    await page.getByText("Profit against cost").waitFor();
    expect(await violations(page)).toEqual([]);
    await shot("ledger");
    const address = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
    const file = await context.request.get(address ?? "");
    expect(file.headers()["content-type"]).toContain("text/csv");
    expect(await file.text()).toContain("Harbour card show");
    await page.getByText("Place", { exact: true }).click();
    await page.getByRole("cell", { name: "eBay", exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("ledger");
    await row.getByRole("button", { name: "Void the sale" }).click();
    const voiding = page.getByRole("dialog", { name: "Void this sale" });
    await voiding.getByText("1 copy comes back.").waitFor();
    expect(await violations(page)).toEqual([]);
    await voiding.getByRole("button", { name: "Void the sale" }).click();
    await row.getByText("void").waitFor();
  });

  test("an error names its code and request, and is tried again", async () => {
    await page.route(/sales\.listings/, (route) => route.abort());
    await page.goto("/sales?tab=sold");
    const retry = page.getByRole("button", { name: "Retry" });
    await retry.waitFor();
    expect(await violations(page)).toEqual([]);
    await shot("error");
    await page.unroute(/sales\.listings/);
    await retry.click();
    await rowOf("Tidewing Drake").waitFor();
  });

  test("says nothing in the console", () => {
    expect(complaints.filter((one) => !one.includes("ERR_FAILED"))).toEqual([]);
  });
});
