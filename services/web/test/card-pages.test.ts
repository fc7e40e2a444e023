import type { Card, Job } from "@cardvault/contract";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const cardCount = 50;

describeInBrowser("a card's page and the spreadsheet, against the started service", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  let cards: Card[];
  let photographed: Card;

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse({ withSandbox: true }), launch()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/inventory/card_00000000000000000000000000");
    await signIn(page, owner);
    await page.getByText("There is no such card").waitFor();
    photographed = await house.makePhotographed(context, owner, "applied", { sku: "PH-1" });
    cards = [];
    for (let index = 1; index <= cardCount; index += 1) {
      cards.push(
        await mutate<Card>("cards.create", {
          title: `Serpent ${String(index).padStart(2, "0")}`,
          set: "Storm Harbour",
          number: `${index}/180`,
          location: "A1",
        }),
      );
    }
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate(context, owner, procedure, input);
  const query = async <Answer>(procedure: string, input: unknown): Promise<Answer> => {
    const answer = await context.request.get(
      `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`,
      { headers: { "x-vault-account": owner.accountId } },
    );
    return ((await answer.json()) as { result: { data: Answer } }).result.data;
  };
  const cardOf = ({ id }: Card) => query<Card>("cards.get", { id });
  const value = (label: string) =>
    page.getByRole("button", { name: new RegExp(`^${label} `) }).first();
  const input = (label: string) => page.locator(`input[aria-label="${label}"]`);
  const first = () => cards[0] as Card;

  test("a card that is not there says so, and leads to those that are", async () => {
    expect(await page.getByRole("link", { name: "See the inventory" }).count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });

  test("a card shows all that is known of it, with where it is from", async () => {
    await page.goto(`/inventory/${first().id}`);
    await page.getByRole("heading", { name: "Serpent 01", level: 1 }).waitFor();
    expect(await page.title()).toBe("Serpent 01 #1 · Card Vault");
    await page.getByText("The card was made").waitFor();
    await page.getByText("The card has never been published.").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("a field is edited in place by keyboard, undone with Z, and the timeline has both", async () => {
    await value("Asking price").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => input("Asking price").evaluate(isFocused)).toBe(true);
    await page.keyboard.type("1,250.5");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText("Asking price is $1,250.50.").waitFor();
    expect((await cardOf(first())).asking_price).toEqual({ amount: 125_050, currency: "USD" });
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("Asking price").first().waitFor();
    await timeline.getByRole("link", { name: "card.priced" }).waitFor();
    await page.keyboard.press("z");
    await page
      .getByText(/already sent stay/)
      .first()
      .waitFor();
    await expect.poll(async () => (await cardOf(first())).asking_price).toBeNull();
    await page.getByText("–", { exact: true }).first().waitFor();
  });

  test("what cannot be read is said at the field, and Escape gives up", async () => {
    await value("Year").click();
    await input("Year").fill("99");
    await page.keyboard.press("Enter");
    await page.getByText("A whole number from 1800 to 2100").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await input("Year").waitFor({ state: "detached" });
    expect((await cardOf(first())).year).toBeNull();
  });

  test("a change of another field by somebody else is no obstacle; of the same one, both are shown", async () => {
    await value("Location").click();
    await input("Location").fill("B2-07");
    await mutate("cards.update", { id: first().id, notes: "Seen on the show" });
    await page.keyboard.press("Enter");
    await page.getByText("Location is B2-07.").waitFor();
    expect(await cardOf(first())).toMatchObject({ location: "B2-07", notes: "Seen on the show" });

    await value("Location").click();
    await input("Location").fill("C3-01");
    await mutate("cards.update", { id: first().id, location: "D4-09" });
    await page.keyboard.press("Enter");
    const note = page.getByRole("alert").filter({ hasText: "Changed by somebody else to" });
    await note.getByText("D4-09").waitFor();
    expect(await input("Location").inputValue()).toBe("C3-01");
    expect(await violations(page)).toEqual([]);
    expect((await cardOf(first())).location).toBe("D4-09");
    await note.getByRole("button", { name: "Write mine" }).click();
    await page.getByText("Location is C3-01.").waitFor();
    expect((await cardOf(first())).location).toBe("C3-01");

    await value("Location").click();
    await input("Location").fill("E5-02");
    await mutate("cards.update", { id: first().id, location: "F6-03" });
    await page.keyboard.press("Enter");
    await note.getByText("F6-03").waitFor();
    await note.getByRole("button", { name: "Keep theirs" }).click();
    await page.getByRole("button", { name: "Location F6-03" }).waitFor();
    expect((await cardOf(first())).location).toBe("F6-03");
  });

  test("what is typed while the service is killed stays, and is saved when it is back", async () => {
    await value("Variant").click();
    await input("Variant").fill("Reverse holo");
    await house.killApi();
    await page.keyboard.press("Enter");
    await page.getByText("The service cannot be reached. Nothing was lost; try again.").waitFor();
    expect(await input("Variant").inputValue()).toBe("Reverse holo");
    await house.startApi();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Variant is Reverse holo.").waitFor();
    expect((await cardOf(first())).variant).toBe("Reverse holo");
  });

  test("[ and ] walk the list that the card was opened from", async () => {
    await page.goto(`/inventory/${cards[5]?.id}?search=serpent&sort=title`);
    await page.getByText("6 of 50").waitFor();
    await page.keyboard.press("]");
    await page.getByRole("heading", { name: "Serpent 07", level: 1 }).waitFor();
    await page.getByText("7 of 50").waitFor();
    await page.keyboard.press("[");
    await page.keyboard.press("[");
    await page.getByRole("heading", { name: "Serpent 05", level: 1 }).waitFor();
    expect(new URL(page.url()).search).toContain("serpent");

    // Of a batch it is the batch's own.
    const batch = await mutate<{ id: string }>("batches.create", { name: "Attic find" });
    for (const title of ["Attic Moth", "Attic Wren"]) {
      await mutate("cards.create", { title, batch_id: batch.id });
    }
    await page.goto(`/inventory/batches/${batch.id}`);
    await page.getByRole("link", { name: "Attic Wren" }).click();
    await page.getByRole("heading", { name: "Attic Wren", level: 1 }).waitFor();
    await page.getByText(/^[12] of 2$/).waitFor();
  });

  test("a change is shown before it is answered; one that fails behind a walk is not lost", async () => {
    const card = cards[10] as Card;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/trpc/cards.update**", async (route) => {
      await released;
      await route.abort();
    });
    await page.goto(`/inventory/${card.id}?search=serpent&sort=title`);
    await page.getByText("11 of 50").waitFor();
    await value("Variant").click();
    await input("Variant").fill("Foil");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Variant Foil" }).waitFor();
    expect((await cardOf(card)).variant).toBeNull();
    await page.keyboard.press("]");
    await page.getByRole("heading", { name: "Serpent 12", level: 1 }).waitFor();
    release();
    const unsaved = page.getByRole("alert").filter({ hasText: "Variant of Serpent 11: Foil" });
    await unsaved.getByText(/^Not saved/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/trpc/cards.update**");
    await unsaved.getByRole("button", { name: "Save again" }).click();
    await page.getByText("Variant is Foil.").waitFor();
    expect((await cardOf(card)).variant).toBe("Foil");
  });

  test("a stage is chosen and not walked to; the reset is undone; a stale one shows both", async () => {
    const card = cards[10] as Card;
    const stageOf = async () => (await cardOf(card)).workflow_status;
    const head = page.locator(".card-head-facts");
    const stage = page.getByRole("combobox", { name: "Stage" });
    await page.goto(`/inventory/${card.id}`);
    await stage.waitFor();
    expect(await stage.locator("option").allTextContents()).toEqual([
      "Imported",
      "Identified",
      "Priced",
      "Photographed",
      "Archived",
    ]);
    await stage.focus();
    await page.keyboard.press("ArrowUp");
    expect(await stage.inputValue()).toBe("imported");
    await page.keyboard.press("Escape");
    expect(await stage.inputValue()).toBe("identified");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route("**/trpc/cards.update**", async (route) => {
      asked += 1;
      await released;
      await route.continue();
    });
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await head.getByText("Imported").waitFor();
    release();
    await page.getByText("It is imported.").waitFor();
    expect(asked).toBe(1);
    expect(await cardOf(card)).toMatchObject({ workflow_status: "imported", status: "imported" });
    await page.getByRole("button", { name: /^Undo/ }).last().click();
    await head.getByText("Identified").waitFor();
    expect(await cardOf(card)).toMatchObject({ status: "identified", title: "Serpent 11" });

    await page.unroute("**/trpc/cards.update**");
    await page.route("**/trpc/cards.update**", async (route) => {
      await mutate("cards.update", { id: card.id, workflow_status: "archived" });
      await route.continue();
    });
    await stage.selectOption("imported");
    const note = page.getByRole("alert").filter({ hasText: "Changed by somebody else to" });
    await note.getByText("Archived").waitFor();
    await note.getByText("Imported").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/trpc/cards.update**");
    await note.getByRole("button", { name: "Keep theirs" }).click();
    expect(await stageOf()).toBe("archived");
    await head.getByText("Archived").waitFor();
    await stage.selectOption("identified");
    await page.getByText("It is identified.").waitFor();
    expect(await stageOf()).toBe("identified");
  });

  test("a card's id is copied; where there is no clipboard it is shown to be copied by hand", async () => {
    const copy = async (): Promise<void> => {
      await page.getByRole("button", { name: "Actions" }).click();
      await page.getByRole("menuitem", { name: "Copy the card's id" }).click();
    };
    await copy();
    await page.getByText("The card's id is copied.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(cards[10]?.id);
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await copy();
    const told = page.getByRole("alert").filter({ hasText: "The browser gives no clipboard here" });
    await told.getByText(cards[10]?.id ?? "").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("a photographed card is identified, priced, and its identification taken back", async () => {
    await page.goto(`/inventory/${photographed.id}`);
    await page.getByRole("button", { name: "Identify now" }).click();
    // Providers are waited for up to 50 seconds.
    await page.getByText("Applied to the card").waitFor({ timeout: 60_000 });
    const { title } = await cardOf(photographed);
    await page.getByRole("heading", { name: title ?? "", level: 1 }).waitFor();
    await page
      .getByText(/^Read by/)
      .first()
      .waitFor();
    await page.getByText("Why: field by field, and who was asked").click();
    expect(await violations(page)).toEqual([]);

    await page.getByRole("button", { name: "Look up now" }).click();
    await page.getByText(/^Suggested:/).waitFor();
    await page.getByRole("heading", { name: "What was it worth over time?" }).waitFor();
    await page.locator(".chart-drawing svg").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Keep as market price" }).click();
    await expect.poll(async () => (await cardOf(photographed)).market_price).not.toBeNull();
    await page.locator(".quotes").getByRole("button", { name: "Ask this" }).click();
    await expect.poll(async () => (await cardOf(photographed)).asking_price).not.toBeNull();

    await page.getByRole("button", { name: "Undo this identification" }).click();
    await page
      .getByText(/events? already sent stay sent/)
      .first()
      .waitFor();
    await expect.poll(async () => (await cardOf(photographed)).status).toBe("imported");
  });

  test("photos are added, given a side, used for the listing, and removed", async () => {
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 630, height: 500 } });
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await (
      await chooser
    ).setFiles([
      { name: "back.png", mimeType: "image/png", buffer: picture },
      { name: "note.txt", mimeType: "image/png", buffer: Buffer.from("not a picture") },
    ]);
    await page.getByRole("button", { name: "Back photo" }).waitFor();
    await page.getByText(/^note.txt:/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Use for the listing" }).click();
    await page.getByRole("button", { name: "Listing photo" }).waitFor();
    await page.getByRole("button", { name: "Back photo" }).click();
    await page.getByRole("button", { name: "Earlier" }).click();
    await expect
      .poll(async () => (await cardOf(photographed)).photos.map(({ side }) => side))
      .toEqual(["back", "front", "listing"]);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Back photo" }).waitFor({ state: "detached" });
    expect((await cardOf(photographed)).photos).toHaveLength(2);
    expect(await violations(page)).toEqual([]);
    // To where it stood.
    await page.keyboard.press("z");
    await page.getByRole("button", { name: "Back photo" }).click();
    expect((await cardOf(photographed)).photos.map(({ side }) => side)).toEqual([
      "back",
      "front",
      "listing",
    ]);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Back photo" }).waitFor({ state: "detached" });
  });

  test("a sale by hand is recorded and voided", async () => {
    const asked = (asking_price: Card["asking_price"]) =>
      mutate("cards.update", { id: cards[1]?.id, asking_price });
    await asked({ amount: 1_250, currency: "USD" });
    await page.goto(`/inventory/${cards[1]?.id}`);
    await page.getByRole("button", { name: "Record a sale" }).click();
    const dialog = page.getByRole("dialog", { name: "Record a sale made elsewhere" });
    const price = dialog.getByLabel("For all together (USD)");
    await dialog.getByLabel("Copies").fill("2");
    await expect.poll(() => price.inputValue()).toBe("25.00");
    await dialog.getByLabel("Copies").fill("1");
    await expect.poll(() => price.inputValue()).toBe("12.50");
    await price.fill("12");
    await dialog.getByLabel("Where").fill("Harbour card show");
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Record the sale" }).click();
    await page.getByText("$12.00 for 1 copy, Harbour card show").waitFor();
    await expect.poll(async () => (await cardOf(cards[1] as Card)).workflow_status).toBe("sold");
    await page.getByRole("button", { name: "Void", exact: true }).click();
    await page.getByRole("button", { name: "Void the sale" }).click();
    await page.getByText("· void").waitFor();
    await expect.poll(async () => (await cardOf(cards[1] as Card)).quantity).toBe(1);
    await asked(null);
    expect(complaints.filter((one) => !one.includes("net::ERR_"))).toEqual([]);
  });

  test("fifty rows are pasted; the two that cannot be read say so, the others are one job", async () => {
    await page.goto("/inventory/bulk-edit?search=serpent&sort=title");
    const grid = page.getByRole("grid", { name: "Cards to edit" });
    await grid.waitFor();
    await page.getByRole("heading", { name: "Edit 50 cards", level: 1 }).waitFor();
    expect(await violations(page)).toEqual([]);
    await grid.focus();
    // From the title to the asking price.
    for (let step = 0; step < 9; step += 1) await page.keyboard.press("ArrowRight");
    const rows = cards.map((_card, index) => {
      const price = index === 7 ? "a lot" : `${index + 1}.25`;
      const floor = index === 30 ? "-1" : "1";
      return `${price}\t${floor}`;
    });
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${rows.join("\r\n")}\r\n`);
    await page.keyboard.press("Control+v");
    await page.getByRole("button", { name: "Save 48 cards" }).waitFor();
    await page.getByRole("button", { name: "2 cells cannot be read: next" }).click();
    await page.getByText("An amount, as 12.50").waitFor();
    expect(await page.locator("[aria-invalid]").first().textContent()).toBe("a lot");
    expect(await violations(page)).toEqual([]);

    // Undone and redone as one.
    await grid.focus();
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: "Nothing to save" }).waitFor();
    await page.keyboard.press("Control+y");
    await page.getByRole("button", { name: "Save 48 cards" }).waitFor();

    // A card that somebody else changes meanwhile is not overwritten.
    await mutate("cards.update", {
      id: cards[2]?.id,
      price_floor: { amount: 700, currency: "USD" },
    });
    await page.keyboard.press("Control+s");
    await page
      .getByText(/47 changed/)
      .first()
      .waitFor();
    await page
      .getByRole("button", { name: "1 card refused: next" })
      .or(page.getByRole("button", { name: "2 cells cannot be read: next" }))
      .first()
      .waitFor();
    expect((await cardOf(cards[0] as Card)).asking_price).toEqual({ amount: 125, currency: "USD" });
    expect((await cardOf(cards[2] as Card)).price_floor).toEqual({ amount: 700, currency: "USD" });
    expect((await cardOf(cards[7] as Card)).asking_price).toBeNull();
    expect(await violations(page)).toEqual([]);
  });

  test("the refused row is saved with the next try, the bad cells once they are mended", async () => {
    const grid = page.getByRole("grid", { name: "Cards to edit" });
    await page.getByRole("button", { name: "Save 1 card" }).click();
    await expect
      .poll(async () => (await cardOf(cards[2] as Card)).price_floor)
      .toEqual({
        amount: 100,
        currency: "USD",
      });
    await page.getByRole("button", { name: "2 cells cannot be read: next" }).waitFor();
    await page.getByRole("button", { name: "2 cells cannot be read: next" }).click();
    await grid.focus();
    const active = () => page.locator("[data-active]");
    const text = await active().textContent();
    expect(["a lot", "-1"]).toContain(text);
    // Typing replaces, Enter goes on below.
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "1 cell cannot be read: next" }).click();
    await grid.focus();
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Save 2 cards" }).click();
    await page.getByRole("button", { name: "Nothing to save" }).waitFor();
    expect(await page.locator("[data-edited]").count()).toBe(0);
  });

  test("fill down, copy, and one undo of the whole save", async () => {
    const grid = page.getByRole("grid", { name: "Cards to edit" });
    await grid.focus();
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < 12; step += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.type("Vault/1");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Control+Shift+ArrowDown");
    await page.keyboard.press("Control+d");
    await page.keyboard.press("Control+c");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split("\n")).toEqual(Array.from({ length: cardCount }, () => "Vault/1"));
    await page.keyboard.press("Control+s");
    await page
      .getByText(/50 changed/)
      .first()
      .waitFor();
    expect((await cardOf(cards[49] as Card)).location).toBe("Vault/1");
    const [job] = (await query<{ data: Job[] }>("jobs.list", { limit: 1 })).data;
    expect(job).toMatchObject({ kind: "bulk.patch_each", progress: { changed: 50 } });
    // The sheet has an Undo of its own, which takes back what is not saved.
    await page
      .getByRole("main")
      .locator(".job-actions")
      .getByRole("button", { name: "Undo" })
      .click();
    await expect.poll(async () => (await cardOf(cards[49] as Card)).location).toBe("A1");
  });

  test("what is typed and not saved is asked about before it is left", async () => {
    await page.goto("/inventory/bulk-edit?search=serpent&sort=title");
    const grid = page.getByRole("grid", { name: "Cards to edit" });
    await grid.waitFor();
    await grid.focus();
    await page.keyboard.press("End");
    await page.evaluate(() => navigator.clipboard.writeText("Harbour\tnot in the sheet\t"));
    await page.keyboard.press("Control+v");
    await page.getByText("1 column of what was pasted did not fit.").waitFor();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Home");
    await page.keyboard.type("Renamed");
    await page.keyboard.press("Tab");
    await page.getByRole("link", { name: "Inventory", exact: true }).first().click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await dialog.waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("button", { name: "Save 1 card" }).waitFor();
    await page.getByRole("link", { name: "Inventory", exact: true }).first().click();
    await dialog.getByRole("button", { name: "Leave" }).click();
    await page.waitForURL("**/inventory");
    expect((await cardOf(first())).title).toBe("Serpent 01");
  });

  test("a sheet without cards says so; what is typed while the service is killed is saved once it is back", async () => {
    await page.goto("/inventory/bulk-edit?search=nothing-has-this-name");
    await page.getByText("No cards are selected").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto("/inventory/bulk-edit?search=serpent&sort=title");
    const grid = page.getByRole("grid", { name: "Cards to edit" });
    await grid.waitFor();
    await grid.focus();
    for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.type("Rare");
    await page.keyboard.press("Enter");
    await house.killApi();
    await page.keyboard.press("Control+s");
    await page.getByText("The service cannot be reached. Nothing was lost; try again.").waitFor();
    await page.getByRole("button", { name: "Save 1 card" }).waitFor();
    expect(await page.locator("[data-edited]").textContent()).toBe("Rare");
    expect(await violations(page)).toEqual([]);
    await house.startApi();
    await page.getByRole("button", { name: "Save 1 card" }).click();
    await page.getByRole("button", { name: "Nothing to save" }).waitFor();
    expect((await cardOf(first())).rarity).toBe("Rare");
  });

  test("what is typed into the list stays while its row is out of sight, and is saved with the next cell", async () => {
    await page.goto("/inventory?search=serpent&sort=title");
    const cell = (title: string) =>
      page.getByRole("row").filter({ hasText: title }).locator("[data-field=asking_price]");
    const field = (title: string) =>
      page.getByRole("textbox", { name: `Asking price of ${title}` });
    const scrollTo = async (place: number, title: string): Promise<void> => {
      await page.locator(".list-scroll").evaluate((list, top) => {
        list.scrollTop = top;
      }, place);
      await cell(title).waitFor();
    };
    const far = 100_000;
    await cell("Serpent 01").click();
    await field("Serpent 01").fill("77.70");
    await scrollTo(far, "Serpent 50");
    expect(await field("Serpent 01").count()).toBe(0);
    await scrollTo(0, "Serpent 01");
    expect(await field("Serpent 01").inputValue()).toBe("77.70");
    expect(await field("Serpent 01").evaluate(isFocused)).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByText("Asking price of Serpent 01: $77.70.").waitFor();

    // Another cell that is edited meanwhile saves it; what is no price is kept above the list.
    await cell("Serpent 02").click();
    await field("Serpent 02").fill("88.80");
    await scrollTo(far, "Serpent 50");
    await cell("Serpent 50").click();
    await page.getByText("Asking price of Serpent 02: $88.80.").waitFor();
    await field("Serpent 50").fill("a lot");
    await scrollTo(0, "Serpent 03");
    await cell("Serpent 03").click();
    const kept = page.getByRole("alert").filter({ hasText: "Asking price of Serpent 50" });
    await kept.getByText("was not changed to a lot: An amount, as 12.50").waitFor();
    expect(await violations(page)).toEqual([]);
    await kept.getByRole("button", { name: "Discard" }).click();

    // What others change live while one types is not overwritten.
    await cell("Serpent 03").click();
    await field("Serpent 03").fill("99.90");
    await mutate("cards.update", {
      id: cards[2]?.id,
      asking_price: { amount: 4_444, currency: "USD" },
      location: "Vault/9",
    });
    await page.getByRole("row").filter({ hasText: "Serpent 03" }).getByText("Vault/9").waitFor();
    await field("Serpent 03").press("Enter");
    const stale = page.getByRole("alert").filter({ hasText: "Asking price of Serpent 03" });
    await stale.getByText("Yours: $99.90. Now: $44.44.").waitFor();
    await stale.getByRole("button", { name: "Keep $44.44" }).click();
    expect((await cardOf(cards[2] as Card)).asking_price).toEqual({
      amount: 4_444,
      currency: "USD",
    });
  });
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}
