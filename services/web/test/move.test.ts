import type { Card, HandSale } from "@cardvault/contract";
import { waitFor } from "@cardvault/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const phone = { width: 390, height: 844 };

describeInBrowser("scanner mode, against the started service", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse(), launch()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    await context.addInitScript(listenToTones);
    await page.goto("/move");
    await signIn(page, owner);
    await page.getByText("Scan a place first").waitFor();
    // Hot keys stand in the codes: g and m would go to a page, z would undo.
    for (const sku of ["gm-1", "gz-2", "gb-3", "gi-4", "zz-5", "xels-7"]) {
      await mutate("cards.create", {
        title: `Serpent ${sku}`,
        sku,
        asking_price: { amount: 1_250, currency: "USD" },
      });
    }
    await mutate("cards.create", {
      title: "Serpent lot-6",
      sku: "lot-6",
      quantity: 5,
      asking_price: { amount: 1_250, currency: "USD" },
    });
    for (const sku of ["twin-1", "twin-2"]) {
      const grading = { grader: "PSA", grade: "9", cert_number: "48213377", qualifier: null };
      await mutate("cards.create", { title: `Serpent ${sku}`, sku, grading });
    }
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate<Answer>(context, owner, procedure, input);
  /** All keys on their way before the first is answered: as fast as a scanner, on a busy machine too. */
  async function scan(text: string): Promise<void> {
    const scanner = await context.newCDPSession(page);
    const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" };
    const keys = [...text.split("").map((key) => ({ key, text: key })), enter];
    await Promise.all(
      keys.flatMap((key) => [
        scanner.send("Input.dispatchKeyEvent", { type: "keyDown", ...key }),
        scanner.send("Input.dispatchKeyEvent", { type: "keyUp", key: key.key }),
      ]),
    );
    await scanner.detach();
  }
  /** As a scanner types, at once on a machine of any speed. */
  const burst = (text: string, ...more: string[]): Promise<void> =>
    page.evaluate(
      (keys) => {
        for (const key of keys) {
          const init = { key, bubbles: true, cancelable: true };
          (document.activeElement ?? document.body).dispatchEvent(
            new KeyboardEvent("keydown", init),
          );
        }
      },
      [...text.split(""), ...more],
    );
  async function cardOf(sku: string): Promise<Card> {
    const answer = await context.request.get(
      `/trpc/cards.list?input=${encodeURIComponent(JSON.stringify({ sku: [sku] }))}`,
      { headers: { "x-vault-account": owner.accountId } },
    );
    const body = (await answer.json()) as { result: { data: { data: Card[] } } };
    const [card] = body.result.data.data;
    if (card === undefined) throw new Error(`There is no card ${sku}`);
    return card;
  }
  async function salesOf(id: string): Promise<HandSale[]> {
    const sales = await context.request.get(
      `/trpc/cards.sales?input=${encodeURIComponent(JSON.stringify({ id }))}`,
      { headers: { "x-vault-account": owner.accountId } },
    );
    return ((await sales.json()) as { result: { data: { data: HandSale[] } } }).result.data.data;
  }
  const said = (words: string | RegExp) =>
    page.locator("output.move-latest").getByText(words, { exact: true });
  const logged = (text: string) =>
    page.getByRole("region", { name: "This run" }).getByRole("listitem").filter({ hasText: text });

  test("an empty run says how it begins; nothing is found wrong with it, on a phone too", async () => {
    expect(await page.title()).toBe("Move cards · Card Vault");
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(phone);
    expect(await violations(page)).toEqual([]);
    const { width } = phone;
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("a card before any place is not done, and stays until it is seen to", async () => {
    await scan("gm-1");
    await said("Not done: gm-1").waitFor();
    const refused = page.getByRole("region", { name: "Not done" });
    await refused.getByText("Scan a place first.").waitFor();
    await page.reload();
    await refused.getByText("gm-1").waitFor();
    expect(await violations(page)).toEqual([]);
    await refused.getByRole("button", { name: "Dismiss gm-1" }).click();
    await refused.waitFor({ state: "detached" });
  });

  test("a place, then cards: each burst is a scan, and no hot key fires from within it", async () => {
    await scan("LOC:Vault/A-03");
    await said("Vault/A-03").waitFor();
    for (const sku of ["gm-1", "gz-2", "gb-3"]) {
      await scan(sku);
      await said(`Serpent ${sku} → Vault/A-03`).waitFor();
    }
    expect(new URL(page.url()).pathname).toBe("/move");
    expect((await cardOf("gm-1")).location).toBe("Vault/A-03");
    await scan("gm-1");
    await said("Already here: Serpent gm-1").waitFor();
    await page.getByText("3 cards moved, 1 already here").waitFor();
  });

  test("an unknown code is red, stays in the run, and moves nothing", async () => {
    await scan("NO-SUCH-CODE");
    await said("Unknown: NO-SUCH-CODE").waitFor();
    expect(await page.locator("output.move-latest").getAttribute("data-tone")).toBe("bad");
    await logged("NO-SUCH-CODE").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText("To look at", { exact: true }).click();
    await logged("gm-1").first().waitFor({ state: "detached" });
    await logged("NO-SUCH-CODE").waitFor();
    await page.getByText("All", { exact: true }).click();
  });

  test("a code that two cards have is chosen by number", async () => {
    await scan("48213377");
    await said(/2 cards have the code/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("2");
    await said(/^Serpent twin-\d → Vault\/A-03$/).waitFor();
  });

  test("Z takes the last move back, and then the one before it", async () => {
    await scan("gi-4");
    await said("Serpent gi-4 → Vault/A-03").waitFor();
    await page.keyboard.press("z");
    await said("Serpent gi-4 is without a place again.").waitFor();
    expect((await cardOf("gi-4")).location).toBeNull();
    await page.getByRole("button", { name: "Undo last" }).click();
    await said(/^Serpent twin-\d is without a place again\.$/).waitFor();
    await logged("Undone").first().waitFor();
  });

  test("a scan is heard by what it came to; switched off, nothing is, and switched on nothing again", async () => {
    const heard = () =>
      page.evaluate(() => (globalThis as unknown as { tones: number[] }).tones.splice(0));
    await heard();
    await scan("xels-7");
    await said("Serpent xels-7 → Vault/A-03").waitFor();
    expect(await heard()).toEqual([1_320]);
    await scan("xels-7");
    await said("Already here: Serpent xels-7").waitFor();
    expect(await heard()).toEqual([880]);
    await scan("NO-SUCH-CODE");
    await said("Unknown: NO-SUCH-CODE").waitFor();
    expect(await heard()).toEqual([220, 165]);
    const sound = page.getByRole("switch", { name: "Sound" });
    await sound.click();
    await scan("NOT-EITHER");
    await said("Unknown: NOT-EITHER").waitFor();
    await sound.click();
    expect(await heard()).toEqual([]);
    await page.keyboard.press("z");
    await said("Serpent xels-7 is without a place again.").waitFor();
    expect(await heard()).toEqual([880]);
  });

  test("keys that are no scan are keys: help, and the way to another page", async () => {
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Undo the last move").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("b", { delay: 10 });
    await page.getByRole("heading", { name: "Batches", level: 1 }).waitFor();
    await page.goBack();
    await logged("gb-3").first().waitFor();
    expect(complaints).toEqual([]);
  });

  test("the api is killed in the middle of a run and loses nothing, over a reload too", async () => {
    await scan("LOC:Vault/B-01");
    await said("Vault/B-01").waitFor();
    await house.killApi();
    for (const sku of ["gm-1", "gz-2", "NOBODY", "zz-5"]) await scan(sku);
    await page.getByText("4 scans not sent yet").waitFor();
    expect(await violations(page)).toEqual([]);
    await house.startApi();
    await said("Serpent zz-5 → Vault/B-01").waitFor();
    for (const sku of ["gm-1", "gz-2", "zz-5"]) {
      expect((await cardOf(sku)).location).toBe("Vault/B-01");
    }
    await logged("NOBODY").waitFor();

    // Nobody answers, and the page is loaded anew: what waits stands in the browser.
    await page.route("**/trpc/scans.**", (route) => route.abort());
    await scan("gb-3");
    await page.getByText("1 scan not sent yet").waitFor();
    await page.reload();
    await logged("gb-3").first().waitFor();
    await page.unroute("**/trpc/scans.**");
    await said("Serpent gb-3 → Vault/B-01").waitFor();
    const moves = logged("Serpent gb-3").filter({ hasText: "Moved" });
    expect(await moves.count()).toBe(2);
    expect((await cardOf("gb-3")).location).toBe("Vault/B-01");
  });

  test("what was scanned before is sent once, however often it is asked for", async () => {
    // The service does it, and its answer is lost.
    let lost = 0;
    await page.route("**/trpc/scans.scan**", async (route) => {
      if (lost > 0) return route.fallback();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await scan("gi-4");
    await said("Serpent gi-4 → Vault/B-01").waitFor();
    await page.unroute("**/trpc/scans.scan**");
    expect(lost).toBe(1);
    expect(await logged("Serpent gi-4").filter({ hasText: "Moved" }).count()).toBe(1);
  });

  test("selling: scanned, priced, recorded once though the connection is lost, and taken back", async () => {
    await page.getByRole("link", { name: "Sell", exact: true }).click();
    expect(new URL(page.url()).search).toBe("?mode=sell");
    await page.getByText("Scan what somebody buys.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Sold at").fill("Harbour card show");
    const price = page.getByLabel(/^Price of Serpent gm-1/);
    await page.getByRole("heading", { name: "Sell cards" }).click();
    await scan("gm-1");
    await price.waitFor();
    expect(await price.inputValue()).toBe("12.50 USD");
    // A scan into a field is a scan, and what stood in the field stays.
    await price.click();
    await scan("zz-5");
    await page.getByLabel(/^Price of Serpent zz-5/).waitFor();
    expect(await price.inputValue()).toBe("12.50 USD");
    await price.fill("10.00");
    await page.getByRole("button", { name: "Remove Serpent zz-5 from the list" }).click();
    expect(await violations(page)).toEqual([]);

    let lost = 0;
    await page.route("**/trpc/cards.recordSale**", async (route) => {
      if (lost > 0) return route.fallback();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await page.getByRole("button", { name: "Record 1 sale, $10.00" }).click();
    const line = page.getByRole("region", { name: "Scanned to be sold" }).getByRole("listitem");
    await line.getByText("Sold", { exact: true }).waitFor();
    const { id, workflow_status: stage } = await cardOf("gm-1");
    expect(stage).toBe("sold");
    expect(await salesOf(id)).toMatchObject([
      { price: { amount: 1_000 }, place: "Harbour card show" },
    ]);
    await page.getByRole("button", { name: "Undo last sale" }).click();
    await line.getByText("Taken back").waitFor();
    await waitFor(async () => (await cardOf("gm-1")).workflow_status === "priced", {
      what: "the card to be in stock again",
    });
    await scan("NO-SUCH-CODE");
    await line.getByText("No card has this code.").waitFor();
  });

  test("several copies cost so many times one, or what was agreed for all; that is recorded", async () => {
    await scan("lot-6");
    await page.getByLabel(/^Price of Serpent lot-6/).waitFor();
    const copies = page.getByLabel("Copies of Serpent lot-6");
    const each = page.getByLabel(/^Each Serpent lot-6/);
    const together = page.getByLabel(/^All \d of Serpent lot-6 together/);
    await copies.fill("3");
    await expect.poll(() => together.inputValue()).toBe("37.50 USD");
    expect(await each.inputValue()).toBe("12.50 USD");
    await page.getByRole("button", { name: "Record 1 sale, $37.50" }).waitFor();
    // A bundle: what was agreed stands, until it is about another number of copies.
    await together.fill("30.00");
    await page.getByRole("button", { name: "Record 1 sale, $30.00" }).waitFor();
    expect(await each.inputValue()).toBe("");
    await page.setViewportSize(phone);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
    await page.setViewportSize({ width: 1280, height: 800 });
    await copies.fill("2");
    await page.getByRole("button", { name: "Record 1 sale, $25.00" }).waitFor();
    await each.fill("11.00");
    await page.getByRole("button", { name: "Record 1 sale, $22.00" }).click();
    await page.getByText("2 copies for $22.00").waitFor();
    const { id } = await cardOf("lot-6");
    await waitFor(async () => (await cardOf("lot-6")).quantity === 3, { what: "the sale" });
    expect(await salesOf(id)).toMatchObject([{ quantity: 2, price: { amount: 2_200 } }]);
  });

  test("a scan on another page opens its card, and no key of it does anything there", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/inventory?sort=title");
    const grid = page.getByRole("grid", { name: "Cards" });
    await grid.getByText("Serpent xels-7").waitFor();
    // No letter: what comes right behind one belongs to the same scan.
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => grid.getAttribute("aria-activedescendant")).not.toBeNull();
    // It would select, edit the price, the place and the stage; and Enter would open another card.
    await burst("xels-7", "Enter");
    await page.getByRole("heading", { name: "Serpent xels-7", level: 1 }).waitFor();
    await page.goBack();
    await grid.getByText("Serpent xels-7").waitFor();
    expect(await page.getByText("1 card selected").count()).toBe(0);
    expect(await page.locator("[data-editor]").count()).toBe(0);
    // `g`, `b` would go to the batches, `g`, `m` to this page.
    await burst("gb-no-such", "Enter");
    await page.getByText("No card has the code gb-no-such.").waitFor();
    // A step is taken at once, and is the first letter of the scan too.
    await burst("jex-none", "Enter");
    await page.getByText("No card has the code jex-none.").waitFor();
    expect(await page.getByText("1 card selected").count()).toBe(0);
    expect(await page.locator("[data-editor]").count()).toBe(0);
    await burst("LOC:Vault/A-03", "Enter");
    await page.getByText("is the place Vault/A-03").waitFor();
    await burst("gm-1");
    await page.getByText("gm-1 came as fast as a scan").waitFor();
    expect(new URL(page.url()).pathname).toBe("/inventory");
    await burst("48213377", "Enter");
    await page.getByRole("button", { name: "Show them" }).click();
    await grid.getByText("Serpent twin-1").waitFor();
    await grid.getByText("Serpent xels-7").waitFor({ state: "detached" });
  });

  test("where something is under way a scan says what it was, and leads there", async () => {
    await page.goto("/review");
    await page.getByText("Nothing needs review").waitFor();
    await burst("gi-4", "Enter");
    await page.getByText("gi-4 is Serpent gi-4, at Vault/B-01.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/review");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    await help.waitFor();
    await burst("gi-4", "Enter");
    await page.getByText("gi-4 was scanned. Close what is open, and scan it again.").waitFor();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await burst("gi-4", "Enter");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("heading", { name: "Serpent gi-4", level: 1 }).waitFor();
    // Two keys are keys, in their order.
    await burst("gm");
    await page.getByRole("heading", { name: "Move cards", level: 1 }).waitFor();
    // Lines that the tests themselves cut are the browser's own complaints.
    expect(complaints.filter((one) => !one.includes("net::ERR_"))).toEqual([]);
  });
});

/** Runs in the page: notes the frequency of each tone that is begun. */
function listenToTones(): void {
  const tones: number[] = [];
  Object.assign(globalThis, { tones });
  OscillatorNode.prototype.start = function begin(when) {
    tones.push(this.frequency.value);
    AudioScheduledSourceNode.prototype.start.call(this, when);
  };
}
