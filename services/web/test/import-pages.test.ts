import { readFile } from "node:fs/promises";
import { waitFor } from "@cardvault/testkit";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";
import { drawPhotos } from "./pictures.ts";
import type { GivenFile } from "./pictures.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const uploads = "**/photos?import=*";
/** Three cards, of which each asks every engine in turn, beside whatever else the machine does. */
const identifyDeadlineMs = 60_000;

describeInBrowser("imports of photos and lists, against the started service", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  let photos: GivenFile[];

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse({ withSandbox: true }), launch()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    await page.goto("/import");
    await signIn(page, owner);
    await page.getByRole("heading", { name: "Into which batch?" }).waitFor();
    photos = await drawPhotos(page, [
      "a-front.jpg",
      "a-back.jpg",
      "b-front.jpg",
      "b-back.jpg",
      "c-1.jpg",
      "d-1.jpg",
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const drop = (files: readonly GivenFile[]) =>
    page.getByLabel("Photos", { exact: true }).setInputFiles([...files]);
  const ask = async <Answer>(procedure: string, input: unknown): Promise<Answer> => {
    const answer = await context.request.get(
      `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`,
      { headers: { "x-vault-account": owner.accountId } },
    );
    return ((await answer.json()) as { result: { data: Answer } }).result.data;
  };
  const picture = (name: string) => page.getByRole("button", { name: new RegExp(name) });

  test("six photos are dropped, and what is no photo is said at its name", async () => {
    expect(await page.title()).toBe("Import photos · Card Vault");
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Name of the new batch").fill("Harbour collection");
    await page.getByRole("button", { name: "What cards start with" }).click();
    await page.getByLabel("Location", { exact: true }).fill("Vault/A-03");
    expect(await violations(page)).toEqual([]);
    const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Nothing") };
    const broken = { name: "torn.jpg", mimeType: "image/jpeg", buffer: Buffer.from("Nothing") };
    await drop([...photos, text, broken]);
    await page.getByRole("heading", { name: "Photos for Harbour collection" }).waitFor();
    await page.getByText("6 photos here").waitFor();
    const refused = page.getByRole("region", { name: "Upload" }).getByRole("alert");
    await refused.getByText("No photo: JPEG, PNG, WebP and HEIC can be imported").waitFor();
    await refused.getByText("torn.jpg").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("the pairs are put right by hand", async () => {
    // What was announced and could not be read is left out.
    await page.getByRole("button", { name: "Leave it out" }).click();
    await page.getByText("2 pairs, 2 with a front alone").waitFor();
    // In the order of their names: a-back, a-front, b-back, b-front, c-1, d-1.
    for (const [mode, words, back] of [
      ["Front, back, front, back", "3 pairs, 0 with a front alone", "Back, a-front.jpg"],
      ["All fronts, then all backs", "3 pairs, 0 with a front alone", "Back, b-front.jpg"],
      ["Fronts alone", "0 pairs, 6 with a front alone", null],
      ["By name", "2 pairs, 2 with a front alone", "Back, b-back.jpg"],
    ] as const) {
      await page.getByText(mode, { exact: true }).click();
      await page.getByText(words).waitFor();
      if (back !== null) await picture(back).waitFor();
    }
    await picture("c-1.jpg").click();
    await picture("d-1.jpg").click();
    await page.getByText("2 photos chosen").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("m");
    await page.getByText("3 pairs, 0 with a front alone").waitFor();
    await picture("Front, c-1.jpg").waitFor();
    await picture("Back, d-1.jpg").click();
    await page.keyboard.press("s");
    await picture("Front, d-1.jpg").waitFor();
    await picture("Front, d-1.jpg").click();
    await page.keyboard.press("x");
    await page.getByText("2 pairs, 2 with a front alone").waitFor();
    await picture("d-1.jpg").click();
    await page.keyboard.press("Delete");
    await page.getByText("2 pairs, 1 with a front alone").waitFor();
    await page.getByText(/photos? left out$/).click();
    await page.getByRole("button", { name: "Put d-1.jpg back" }).click();
    await page.getByText("2 pairs, 2 with a front alone").waitFor();
    await picture("c-1.jpg").click();
    await picture("d-1.jpg").click();
    await page.getByRole("button", { name: /^Make one card/ }).click();
    await page.getByRole("button", { name: "Make 3 cards" }).waitFor();
  });

  test("the cards are made by a job, identified, and stand in the batch with its defaults", async () => {
    await page.getByRole("button", { name: "Make 3 cards" }).click();
    await page.getByRole("heading", { name: "3 cards are in Harbour collection" }).waitFor();
    expect(await violations(page)).toEqual([]);
    const { data } = await ask<{ data: { location: string; photos: unknown[] }[] }>(
      "cards.list",
      {},
    );
    expect(data.map((card) => [card.location, card.photos.length])).toEqual(
      Array.from({ length: 3 }, () => ["Vault/A-03", 2]),
    );
    await page.getByRole("button", { name: "Identify them" }).click();
    await page.getByRole("link", { name: "Review what is in doubt" }).waitFor();
    const identified = page.getByRole("region", { name: "Cards identified" }).first();
    await identified.waitFor({ timeout: identifyDeadlineMs });
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Open the batch" }).click();
    await page.getByRole("heading", { name: "Harbour collection", level: 1 }).waitFor();
    await page.getByRole("link", { name: "3 cards", exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("photos that a card has already are not sent, and are named as duplicates", async () => {
    await page.goto("/import");
    await page.getByRole("heading", { name: "Earlier imports" }).waitFor();
    await drop(photos.slice(0, 2));
    await page.getByText("2 photos here, 2 known already and not sent").waitFor();
    await page.getByText("A card has this photo").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Discard this import…" }).click();
    await page.getByRole("button", { name: "Discard 2 photos" }).click();
    await page.getByRole("heading", { name: "Into which batch?" }).waitFor();
  });

  test("a reload in the middle of the upload goes on by itself", async () => {
    const more = await drawPhotos(page, ["e-1.jpg", "f-1.jpg", "g-1.jpg", "h-1.jpg"]);
    const held: Route[] = [];
    let sent = 0;
    await page.route(uploads, async (route) => {
      sent += 1;
      if (sent === 1) return route.continue();
      held.push(route);
    });
    await drop(more);
    await page.getByText("1 of 4 photos").waitFor();
    await waitFor(() => held.length >= 2, { what: "two photos to be on their way" });
    await page.reload();
    await page.getByText(/of \d photos/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute(uploads);
    await page.reload();
    await page.getByText("3 photos here").waitFor();
    await page.getByText("0 pairs, 4 with a front alone").waitFor();
  });

  test("a lost connection is said, and nothing has to be dropped again", async () => {
    const more = await drawPhotos(page, ["i-1.jpg", "j-1.jpg"]);
    await page.route(uploads, (route) => route.abort());
    await drop(more);
    await page.getByText("The service cannot be reached").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute(uploads);
    // By itself, with the next try.
    await page.getByText("5 photos here").waitFor();
    await page.getByRole("button", { name: "Make 6 cards" }).waitFor();
  });

  test("an earlier import names its batch, is gone on with, and is discarded by one who meant it", async () => {
    await page.goto("/import");
    const earlier = page.getByRole("region", { name: "Earlier imports" });
    const open = earlier.getByRole("row").filter({ hasText: "Not finished" });
    await earlier.getByRole("link", { name: "Harbour collection" }).first().waitFor();
    // No time as a machine writes it, for those who hear the page either.
    expect(await earlier.textContent()).not.toMatch(/\dT\d\d:/);
    expect(await violations(page)).toEqual([]);
    await open.getByRole("link", { name: /^Go on with the import into Cards of / }).click();
    await page.getByRole("button", { name: "Make 6 cards" }).waitFor();
    await page.goto("/import");
    const dialog = page.getByRole("dialog", { name: "Discard this import" });
    await open.getByRole("button", { name: /^Discard the import into Cards of / }).click();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await open.count()).toBe(1);
    await open.getByRole("button", { name: /^Discard the import into Cards of / }).click();
    await dialog.getByRole("button", { name: /^Discard \d photos$/ }).click();
    await open.waitFor({ state: "detached" });
  });

  test("cards go into a batch that is found by its name, and what cannot be asked is said", async () => {
    await page.route(/trpc\/[^?]*batches\.find/, (route) => route.abort());
    await page.goto("/import");
    await page.getByText("Existing batch", { exact: true }).click();
    const retry = page.getByRole("button", { name: "Retry" });
    await retry.waitFor();
    expect(await page.getByPlaceholder("There is no open batch").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.unroute(/trpc\/[^?]*batches\.find/);
    await retry.click();
    await retry.waitFor({ state: "detached" });
    await page.getByRole("combobox", { name: "Batch" }).fill("harb");
    await page.getByRole("option", { name: /· Harbour collection$/ }).click();
    await page.getByText("Drop photos or folders here").waitFor();
    expect(await page.getByRole("combobox", { name: "Batch" }).inputValue()).toMatch(
      /· Harbour collection$/,
    );
  });

  test("making the cards is stopped, and gone on with", async () => {
    await page.goto("/import");
    await page.getByLabel("Name of the new batch").fill("Stopped");
    await drop(await drawPhotos(page, ["k-1.jpg", "l-1.jpg"]));
    await page.getByText("2 photos here").waitFor();
    // A database that takes no card keeps the job from its end.
    await house.run(`create function no_card() returns trigger language plpgsql
      as 'begin raise exception ''no card now''; end'`);
    await house.run(
      "create trigger no_card before insert on card for each row execute function no_card()",
    );
    await page.getByRole("button", { name: "Make 2 cards" }).click();
    const main = page.getByRole("main");
    await main.getByRole("button", { name: "Cancel" }).first().click();
    const goOn = main.getByRole("button", { name: "Go on making the cards" });
    await goOn.waitFor({ timeout: identifyDeadlineMs });
    expect(await violations(page)).toEqual([]);
    await house.run("drop trigger no_card on card");
    await goOn.click();
    await page.getByRole("heading", { name: "2 cards are in Stopped" }).waitFor({
      timeout: identifyDeadlineMs,
    });
  });

  test("a list is mapped and checked; its rows stand under valid, invalid and duplicates", async () => {
    await page.goto("/import/csv");
    await page.getByText("Drop a CSV here").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Or paste from a spreadsheet, with its head").fill(list);
    await page.getByRole("button", { name: "Use what is pasted" }).click();
    await page.getByRole("heading", { name: "What its columns say: 6 of 7 are used" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("combobox", { name: "What Cubby says" }).click();
    await page.getByRole("option", { name: "Location" }).click();
    await page.getByLabel("Keep these columns for the next list").fill("Till export");
    await page.getByRole("button", { name: "Keep", exact: true }).click();
    await page.getByText("The next list with these columns is read in the same way.").waitFor();
    await page.getByRole("button", { name: "Check every row" }).click();
    await page.getByRole("heading", { name: "What would happen" }).waitFor();
    await page.getByText("3 rows are imported.").waitFor();
    await page.getByText("1 duplicate is passed over.").waitFor();
    await page.getByText("Quantity: ").first().waitFor();
    expect(await page.getByRole("row").filter({ hasText: "is not a whole number" }).count()).toBe(
      1,
    );
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "Duplicates 1" }).click();
    expect(new URL(page.url()).searchParams.get("rows")).toBe("duplicate");
    await page.getByText("Says the same as row 3").waitFor();
    await page.getByRole("link", { name: "Valid 3" }).click();
    await page.getByRole("row").filter({ hasText: "Glass Wyvern" }).waitFor();
  });

  test("the bad rows are downloaded as they stood, each with what is wrong", async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the bad rows" }).click();
    const file = await (await download).path();
    const text = await readFile(file, "utf8");
    expect(text).toContain("Lantern Fox,Storm Harbour,14/180,zwei,4.00,HL-9003,A-02,4,");
    expect(text).toContain("Quantity: ");
    expect(text.trim().split("\n")).toHaveLength(3);
  });

  test("the valid rows become cards by a job, and an undo takes them back", async () => {
    await page.getByText("No batch", { exact: true }).click();
    await page.getByText("All or nothing", { exact: true }).click();
    await page.getByText("All or nothing: 2 rows are invalid.").waitFor();
    await page.getByText("The valid rows", { exact: true }).click();
    await page.getByRole("button", { name: "Import 3 rows" }).click();
    await page.getByText("Imported: 3 cards made").waitFor();
    expect(await violations(page)).toEqual([]);
    const made = { sku: ["HL-9001", "HL-9002", "HL-9005"] };
    const cards = () =>
      ask<{ data: { workflow_status: string; location: string }[] }>("cards.list", made);
    expect((await cards()).data.map(({ location }) => location).toSorted()).toEqual([
      "A-01",
      "A-01",
      "A-03",
    ]);
    await page.getByRole("button", { name: "Undo the import…" }).click();
    await page.getByRole("button", { name: "Undo the import", exact: true }).click();
    await page.getByText("Taken back: 3 rows").waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await cards()).data).toEqual([]);
    expect(complaints.filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
  });

  test("columns that were kept are those of the next list", async () => {
    await page.goto("/import/csv");
    await page.getByLabel("Or paste from a spreadsheet, with its head").fill(list);
    await page.getByRole("button", { name: "Use what is pasted" }).click();
    await page.getByRole("heading", { name: "What its columns say: 7 of 7 are used" }).waitFor();
    await page.getByRole("button", { name: "Change columns" }).click();
    const cubby = page.getByRole("combobox", { name: "What Cubby says" });
    expect(await cubby.inputValue()).toBe("Location");
  });

  test("what is no list, and an import that is not there, are said so", async () => {
    await page.goto("/import/csv");
    await page.getByLabel("List", { exact: true }).setInputFiles({
      name: "cards.xlsx",
      mimeType: "application/octet-stream",
      buffer: Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0, 0, 0]),
    });
    await page.getByText("Save it as CSV and upload that").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto("/import/csv?import=imp_01kjn2z6g0fgz9pqafd9r83gq3");
    await page.getByText("The list could not be loaded").waitFor();
    await page.goto("/import?import=pim_01kjn2z6g0fgz9pqafd9r83gq3");
    await page.getByText("The import could not be loaded").waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

const list = `Title,Set,Number,Quantity,Asking Price,SKU,Cubby
Charged Serpent,Storm Harbour,12/180,1,12.50,HL-9001,A-01
Ash Sprite,Storm Harbour,13/180,2,3.25,HL-9002,A-01
Lantern Fox,Storm Harbour,14/180,zwei,4.00,HL-9003,A-02
Tidecaller,Storm Harbour,15/180,1,-2,HL-9004,A-02
Ash Sprite,Storm Harbour,13/180,2,3.25,HL-9002,A-01
Glass Wyvern,Storm Harbour,16/180,1,8.75,HL-9005,A-03
`;
