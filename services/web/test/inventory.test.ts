import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000 });

const titles = ["Ash Sprite", "Charged Serpent", "Ember Fox", "Lantern Moth", "Tidecaller"];
const usd = (amount: number) => ({ amount, currency: "USD" });

describeInBrowser("the inventory, against the started service", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let complaints: string[];
  let there: { page: Page; context: BrowserContext; complaints: string[] };
  const ids = new Map<string, string>();

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse(), launch()]);
    owner = await house.makeOwner("Mara");
    ({ page, complaints } = await openPage(browser, house.url));
    there = await openPage(browser, house.url);
    for (const one of [page, there.page]) {
      await one.goto("/inventory");
      await signIn(one, owner);
      await one.getByText("No cards yet").waitFor();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate(there.context, owner, procedure, input);
  const row = (title: string, on = page) => on.getByRole("row").filter({ hasText: title });
  const searchOf = () => new URL(page.url()).searchParams;
  const grid = () => page.getByRole("grid", { name: "Cards" });

  test("an empty account says what to do, and shows its first card by itself", async () => {
    expect(await page.title()).toBe("Inventory · Card Vault");
    expect(await violations(page)).toEqual([]);
    for (const [index, title] of titles.entries()) {
      const card = await mutate<{ id: string }>("cards.create", {
        title,
        set: "Storm Harbour",
        number: `${index + 1}/180`,
        condition: "near_mint",
        location: index === 0 ? "Vault/A-01" : null,
        purchase_price: usd(100),
      });
      ids.set(title, card.id);
    }
    await page.getByRole("button", { name: /^(Refresh the list|Show \d new)$/ }).click();
    await row("Tidecaller").waitFor();
    await page.getByText("5 cards").waitFor();
    expect(await page.getByRole("row").count()).toBe(6);
    expect(await violations(page)).toEqual([]);
  });

  test("a filter stands in the address, survives a reload, and Back takes it out", async () => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("menuitem", { name: "Location", exact: true }).click();
    const field = page.getByRole("combobox", { name: "Location", exact: true });
    await field.fill("Vault/*");
    await field.press("Enter");
    await page.getByRole("button", { name: "Location: Vault/*" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(searchOf().get("location")).toBe('["Vault/*"]');
    await page.getByText("1 card", { exact: true }).waitFor();
    await page.reload();
    await row("Ash Sprite").waitFor();
    expect(await row("Tidecaller").count()).toBe(0);
    await page.goBack();
    await row("Tidecaller").waitFor();
    expect(page.url()).not.toContain("location");
    await page.goForward();
    await row("Tidecaller").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Without the filter Location" }).click();
    await row("Tidecaller").waitFor();
  });

  test("/ searches, and what nobody has is said so with a way back", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("serpnt");
    await row("Charged Serpent").waitFor();
    await row("Tidecaller").waitFor({ state: "detached" });
    expect(searchOf().get("search")).toBe("serpnt");
    await page.keyboard.press("Escape");
    await page.goto("/inventory?sku_prefix=NONE");
    await page.getByText("No card matches").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Show every card" }).click();
    await row("Tidecaller").waitFor();
  });

  test("a price is edited in its place, shown at once, and taken back by Z", async () => {
    await row("Ember Fox").getByRole("gridcell").nth(9).click();
    const field = page.getByRole("textbox", { name: "Asking price of Ember Fox" });
    await field.fill("nothing");
    await field.press("Enter");
    await page.getByText("An amount, as 12.50").waitFor();
    expect(await violations(page)).toEqual([]);
    await field.fill("12.5");
    await field.press("Enter");
    await row("Ember Fox").getByText("12.50").waitFor();
    await page.getByText("Asking price of Ember Fox: $12.50.").waitFor();
    await row("Ember Fox").getByText("Priced").waitFor();
    await page.keyboard.press("z");
    await row("Ember Fox").getByText("12.50").waitFor({ state: "detached" });
    await page.getByText(/^Undone\. \d events? already sent stays? sent\.$/).waitFor();
    await row("Ember Fox").getByText("Identified").waitFor();
  });

  test("Z takes back the edit that is still on its way, and not the one before it", async () => {
    const type = async (price: string): Promise<void> => {
      await row("Ember Fox").getByRole("gridcell").nth(9).click();
      const field = page.getByRole("textbox", { name: "Asking price of Ember Fox" });
      await field.fill(price);
      await field.press("Enter");
      await row("Ember Fox").getByText(price).waitFor();
    };
    await type("14.00");
    await page.getByText("Asking price of Ember Fox: $14.00.").waitFor();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/trpc/cards.update**", async (route) => {
      await released;
      await route.continue();
    });
    await type("15.00");
    await page.keyboard.press("z");
    release();
    await row("Ember Fox").getByText("14.00").waitFor();
    await page.unroute("**/trpc/cards.update**");
    expect(await row("Ember Fox").getByText("15.00").count()).toBe(0);
    await page.keyboard.press("z");
    await row("Ember Fox").getByText("Identified").waitFor();
  });

  test("what somebody else has changed meanwhile is shown beside one's own value", async () => {
    // Nothing is heard of the other change before the edit is sent.
    await page.route("**/trpc/live.follow**", (route) => route.abort());
    await page.reload();
    await row("Charged Serpent").waitFor();
    const id = ids.get("Charged Serpent");
    await row("Charged Serpent").getByRole("gridcell").nth(9).click();
    const field = page.getByRole("textbox", { name: "Asking price of Charged Serpent" });
    await mutate("cards.update", { id, asking_price: usd(900) });
    await field.fill("11");
    await field.press("Enter");
    const alert = page.getByRole("alert").filter({ hasText: "was changed meanwhile" });
    await alert.getByText("Yours: $11.00. Now: $9.00.").waitFor();
    expect(await violations(page)).toEqual([]);
    await alert.getByRole("button", { name: "Use $11.00" }).click();
    await alert.waitFor({ state: "detached" });
    await row("Charged Serpent").getByText("11.00").waitFor();
    // Another member of the card is nobody's quarrel.
    await mutate("cards.update", { id, notes: "Corner touched" });
    await row("Charged Serpent").getByRole("gridcell").nth(9).click();
    await field.fill("12");
    await field.press("Enter");
    await page.getByText("Asking price of Charged Serpent: $12.00.").waitFor();
    expect(await alert.count()).toBe(0);
    await page.unroute("**/trpc/live.follow**");
    await page.reload();
    await row("Charged Serpent").getByText("12.00").waitFor();
  });

  test("an edit that gets no answer is kept, and sent again", async () => {
    await page.route("**/trpc/cards.update**", (route) => route.abort());
    await row("Tidecaller").getByRole("gridcell").nth(6).click();
    const field = page.getByRole("combobox", { name: "Location of Tidecaller" });
    await field.fill("B2-07");
    await field.press("Enter");
    const alert = page.getByRole("alert").filter({ hasText: "Location of Tidecaller" });
    await alert.getByText(/is not saved yet: B2-07/).waitFor();
    await row("Tidecaller").getByText("B2-07").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/trpc/cards.update**");
    await alert.getByRole("button", { name: "Save again" }).click();
    await alert.waitFor({ state: "detached" });
    // It is there: before that, whoever reloads is asked, and a test is not.
    await page.getByText("Location of Tidecaller: B2-07.").waitFor();
    await page.reload();
    await row("Tidecaller").getByText("B2-07").waitFor();
  });

  test("what one session changes shows in the other, in its place", async () => {
    await there.page.reload();
    await row("Tidecaller", there.page).waitFor();
    const before = await there.page.getByRole("row").allTextContents();
    await row("Lantern Moth").getByRole("gridcell").nth(5).click();
    await page.getByRole("combobox", { name: "Stage of Lantern Moth" }).selectOption("archived");
    await row("Lantern Moth", there.page).getByText("Archived").waitFor();
    const after = await there.page.getByRole("row").allTextContents();
    const place = (rows: string[]) => rows.findIndex((text) => text.includes("Lantern Moth"));
    expect(place(after)).toBe(place(before));
    await page.keyboard.press("z");
    await row("Lantern Moth", there.page).getByText("Identified").waitFor();
  });

  test("all that match are priced by a rule with a preview, as one job with one undo", async () => {
    await row("Tidecaller").getByRole("gridcell").nth(2).click();
    await page.keyboard.press("Control+a");
    await page.getByText("All 5 cards matching selected").waitFor();
    await page.getByRole("button", { name: "Price", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Price 5 cards" });
    await dialog.getByText(/5 cards \(no market price\)/).waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByText("One price for all").click();
    await dialog.getByLabel("Asking price (USD)").fill("3.99");
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Set the prices" }).click();
    await page.getByText("Prices set: 5 changed.").waitFor();
    for (const title of titles) await row(title).getByText("3.99").waitFor();
    await page
      .getByRole("region", { name: "Background jobs" })
      .getByText("5 changed")
      .first()
      .click();
    const drawer = page.getByRole("dialog", { name: "Recent jobs" });
    await drawer.getByText("Prices set").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await page.keyboard.press("z");
    await row("Tidecaller").getByText("3.99").waitFor({ state: "detached" });
    await row("Charged Serpent").getByText("12.00").waitFor();
    await page.getByText(/^Undone: 5 changed/).waitFor();
  });

  test("by keys alone: a stretch is selected, moved and let go", async () => {
    await page.goto("/inventory?sort=title");
    await row("Ash Sprite").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("x");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText("3 cards selected").waitFor();
    expect(await grid().getAttribute("aria-activedescendant")).toBe(ids.get("Lantern Moth"));
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("l");
    await page.locator("[data-editor] input").waitFor();
    await page.keyboard.type("C-09");
    await page.keyboard.press("Enter");
    await row("Lantern Moth").getByText("C-09").waitFor();
    // Taken out of the selection again, and the rest is moved.
    await page.keyboard.press("x");
    await page.getByText("2 cards selected").waitFor();
    await page.getByRole("button", { name: "Move", exact: true }).focus();
    await page.keyboard.press("Enter");
    const to = page.getByRole("dialog").getByRole("combobox", { name: "To" });
    await to.fill("Vault/D-1");
    await to.press("Enter");
    await row("Ember Fox").getByText("Vault/D-1").waitFor();
    await row("Charged Serpent").getByText("Vault/D-1").waitFor();
    expect(await row("Lantern Moth").getByText("C-09").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/inventory/${ids.get("Lantern Moth")}**`);
    await page.goBack();
    await row("Ash Sprite").waitFor();
    expect(await grid().getAttribute("aria-activedescendant")).toBe(ids.get("Lantern Moth"));
  });

  test("columns are chosen, saved as a view with the filter, and shared", async () => {
    await page.goto("/inventory?has_location=true");
    await row("Tidecaller").waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    const panel = page.getByRole("dialog", { name: "Columns" });
    await panel.getByRole("checkbox", { name: "Cost" }).check();
    await panel.getByRole("checkbox", { name: "Set", exact: true }).uncheck();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader", { name: "Cost, USD" }).waitFor();
    await page.getByRole("button", { name: "All cards" }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("menuitem", { name: "Save as a new view" }).click();
    const dialog = page.getByRole("dialog", { name: "Save view" });
    await dialog.getByLabel("Name").fill("In the vault");
    await dialog.getByLabel("Everybody in the account sees it").check();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "In the vault" }).waitFor();
    await page.getByRole("columnheader", { name: "Location" }).getByRole("button").click();
    await page.getByRole("button", { name: "In the vault, changed" }).waitFor();
    expect(searchOf().get("sort")).toBe("location");

    await there.page.reload();
    await there.page.getByRole("button", { name: "All cards" }).click();
    await there.page.getByRole("menuitem", { name: "In the vault" }).click();
    await there.page.getByRole("columnheader", { name: "Cost, USD" }).waitFor();
    await there.page.getByRole("button", { name: "Has a location", exact: true }).waitFor();
    await row("Tidecaller", there.page).waitFor();

    // Changed and deleted by who made it; of others it is neither.
    await there.page.getByRole("button", { name: "In the vault" }).click();
    await there.page.getByRole("menuitem", { name: "Save as a new view" }).waitFor();
    await there.page.keyboard.press("Escape");
    await page.getByRole("button", { name: "In the vault, changed" }).click();
    await page.getByRole("menuitem", { name: "Save the changes" }).click();
    await page.getByRole("dialog", { name: "Change view" }).getByLabel("Name").fill("The vault");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "The vault", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete this view" }).click();
    const question = page.getByRole("dialog", { name: "Delete the view The vault" });
    await question.getByText("It goes away for everybody in the account.").waitFor();
    expect(await violations(page)).toEqual([]);
    await question.getByRole("button", { name: "Delete view" }).click();
    await page.getByRole("button", { name: "All cards" }).click();
    await page.getByRole("menuitem", { name: "Save as a new view" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "The vault" }).count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  test("as pictures it is the same list, with the same keys", async () => {
    await page.goto("/inventory?sort=title");
    await page.getByRole("button", { name: "Pictures", exact: true }).click();
    await page.getByRole("gridcell", { name: /Charged Serpent/ }).waitFor();
    expect(searchOf().get("shown")).toBe("grid");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("x");
    await page.getByText("1 card selected").waitFor();
    await page.keyboard.press("e");
    const field = page.getByRole("textbox", { name: /^Asking price of/ });
    await field.fill("7");
    expect(await violations(page)).toEqual([]);
    await field.press("Enter");
    await page.getByRole("button", { name: "$7.00" }).waitFor();

    const tile = page.getByRole("gridcell", { name: /Lantern Moth/ });
    await tile.locator("[data-field=location]").click();
    const place = page.getByRole("combobox", { name: "Location of Lantern Moth" });
    await place.fill("D-04");
    expect(await violations(page)).toEqual([]);
    await place.press("Enter");
    await tile.getByRole("button", { name: "D-04" }).waitFor();
    // An arrow on a closed select goes by a stage, and Escape gives it up.
    const stage = page.getByRole("combobox", { name: "Stage of Lantern Moth" });
    await tile.locator("[data-field=workflow_status]").click();
    await stage.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("ArrowUp");
    expect(await stage.inputValue()).toBe("imported");
    await page.keyboard.press("Escape");
    await tile.getByText("Identified").waitFor();
    await page.keyboard.press("s");
    await stage.waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByText("Stage of Lantern Moth: Imported.").waitFor();
    await page.keyboard.press("z");
    await tile.getByText("Identified").waitFor();
  });

  test("every dialog of the selection, in both schemes", async () => {
    await page.goto("/inventory");
    await row("Tidecaller").waitFor();
    await page.keyboard.press("Control+a");
    for (const [name, title] of [
      ["Identify", "Identify 5 cards"],
      ["Stage", "Stage of 5 cards"],
      ["Batch", "Batch of 5 cards"],
      ["Publish", "Publish 5 cards"],
    ] as const) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.getByRole("dialog", { name: title }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page
        .getByRole("dialog")
        .getByText(/^(Cancel|Close)$/)
        .click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    for (const [name, title] of [
      ["Export", "Export 5 cards"],
      ["Look up prices", "Look up prices"],
      ["Edit fields and tags", "Edit 5 cards"],
      ["Print labels", "Labels for 5 cards"],
      ["Archive", "Archive 5 cards"],
    ] as const) {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name }).click();
      await page.getByRole("dialog", { name: title }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page
        .getByRole("dialog")
        .getByText(/^(Cancel|Close)$/)
        .click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Export" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toMatch(/^cards-\d{4}-\d\d-\d\d\.csv$/);
  });

  test("Ctrl-K finds pages, cards and places, and so does / on another page; ? lists the keys", async () => {
    const field = page.getByRole("textbox", { name: "Go to" });
    await page.goto("/settings/profile");
    await page.getByRole("heading", { name: "Your profile", level: 1 }).waitFor();
    await page.keyboard.press("/");
    await field.fill("Inventory");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Inventory/ })
      .click();
    await row("Tidecaller").waitFor();
    await page.keyboard.press("Control+k");
    await field.fill("tidecal");
    await page.getByRole("button", { name: /^Tidecaller/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await field.fill("Webhooks");
    await page.getByRole("button", { name: /^Webhooks/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // As fast as a scanner, before the field is there: it is the field's all the same.
    await page.reload();
    await row("Tidecaller").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sales");
    await expect.poll(() => field.inputValue()).toBe("sales");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Select all that match").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });

  test("a page whose code does not come, or that fails, says so inside the shell", async () => {
    const dialog = page.getByRole("dialog", { name: "Identify 5 cards" });
    await page.goto("/inventory");
    await row("Tidecaller").waitFor();
    // A part of a page: the page stays, with what was selected and typed there.
    await page.route("**/assets/bulk-dialog-*", (route) => route.abort());
    await page.keyboard.press("Control+a");
    await page.getByRole("button", { name: "Identify", exact: true }).click();
    await page.getByText("This could not be loaded. Check the connection and try again.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText("All 5 cards matching selected").waitFor();
    await page.unroute("**/assets/bulk-dialog-*");
    await page.getByRole("button", { name: "Identify", exact: true }).click();
    await dialog.getByText(/^(Cancel|Close)$/).click();

    // A page, while there is no connection.
    await page.route("**/assets/*", (route) => route.abort());
    await page.getByRole("link", { name: "Sales" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded", level: 1 }).waitFor();
    expect(await page.title()).toBe("This page could not be shown · Card Vault");
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/assets/*");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Sales", level: 1 }).waitFor();
    // With its style sheets too, which were asked for in vain before.
    await page.evaluate(() => [...document.styleSheets].map(({ cssRules }) => cssRules.length));

    // A page that a release has replaced.
    await page.route("**/assets/events-*", (route) => route.fulfill({ status: 404 }));
    await page.route("**/sign-in", (route) =>
      route.fulfill({ contentType: "text/html", body: '<script src="/assets/newer.js">' }),
    );
    await page.getByRole("link", { name: "Events", exact: true }).click();
    await page.getByRole("heading", { name: "The pages were updated", level: 1 }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();

    // A page that fails on what it is answered.
    await page.route(/trpc\/[^?]*views\.list/, async (route) => {
      const answers = (await (await route.fetch()).json()) as object[];
      const place = new URL(route.request().url()).pathname.split(",").findIndex(isViews);
      await route.fulfill({ json: answers.with(place, { result: { data: { data: 1 } } }) });
    });
    await page.getByRole("link", { name: "Inventory", exact: true }).click();
    await page.getByRole("heading", { name: "This page failed", level: 1 }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Retry" }).click();
    await row("Tidecaller").waitFor();
  });

  test("a list that cannot be had says so with its request, and comes with Retry", async () => {
    await page.route("**/trpc/cards.ids**", (route) =>
      route.fulfill({ status: 503, contentType: "text/plain", body: "away" }),
    );
    await page.goto("/inventory?has_price=false");
    await page.getByText("The cards could not be loaded").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/trpc/cards.ids**");
    await page.getByRole("button", { name: "Retry" }).click();
    await row("Ash Sprite").waitFor();
    expect([...complaints, ...there.complaints].filter((line) => !isProvoked(line))).toEqual([]);
  });
});

const isViews = (name: string): boolean => name.endsWith("views.list");

/** What a browser says of requests that the tests cut. */
function isProvoked(line: string): boolean {
  return /net::ERR_FAILED|status of 503|CodeMissing|find is not a function/.test(line);
}
