import type { Card } from "@cardvault/contract";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

describeInBrowser("review by keyboard, over real identifications", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse({ withSandbox: true }), launch()]);
    await beginAnew("Mara");
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  /** Another account: what was decided in one teaches its recogniser, which then knows the same photo. */
  async function beginAnew(name: string): Promise<void> {
    await page?.close();
    owner = await house.makeOwner(name);
    ({ page, context, complaints } = await openPage(browser, house.url));
    await page.goto("/review");
    await signIn(page, owner);
    await page.getByText("Nothing needs review").waitFor();
  }

  /** A card whose identification has ended in the queue. */
  async function queued(outcome: string, given: Record<string, unknown> = {}): Promise<Card> {
    const card = await house.makePhotographed(context, owner, outcome, given);
    await house
      .mutate(context, owner, "identifications.identify", { card_id: card.id })
      .catch(() => null);
    return card;
  }
  const cardOf = async ({ id }: Card): Promise<Card> => {
    const answer = await context.request.get(
      `/trpc/cards.get?input=${encodeURIComponent(JSON.stringify({ id }))}`,
      { headers: { "x-vault-account": owner.accountId } },
    );
    return ((await answer.json()) as { result: { data: Card } }).result.data;
  };
  const field = (label: string) =>
    page.getByRole("form", { name: "Correct by hand" }).getByLabel(label, { exact: true });
  const heading = (name: string) => page.getByRole("heading", { name, level: 2 });

  test("an empty queue says what comes here, and leads on", async () => {
    expect(await page.title()).toBe("Review (0) · Card Vault");
    expect(await violations(page)).toEqual([]);
  });

  test("a card shows its photo, its reason in words, and candidates with who says so", async () => {
    await queued("low_confidence", { sku: "LOW-1" });
    await queued("ambiguous", { sku: "AMB-1" });
    await queued("both_failed", { sku: "NON-1" });
    await page.goto("/review?order=age");
    await heading("Not sure enough").waitFor();
    await page.getByText("The best guess is").waitFor();
    const first = page.getByRole("radio").first();
    expect(await first.getAttribute("aria-checked")).toBe("true");
    expect(await first.textContent()).toMatch(/\d+ %/);
    expect(await first.textContent()).toMatch(/Named (only )?by/);
    await page.getByText("3 waiting").waitFor();
    expect(await page.title()).toBe("Review (3) · Card Vault");
    expect(await violations(page)).toEqual([]);
  });

  test("F looks closer and back, a number chooses, Enter accepts, and the next is there", async () => {
    const photo = page.getByRole("button", { name: /front: look closer/ });
    await page.keyboard.press("f");
    await page.locator("[data-zoomed]").first().waitFor();
    expect(await photo.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("f");
    await page.locator("[data-zoomed]").first().waitFor({ state: "detached" });
    await page.keyboard.press("1");
    const title = await page.locator(".candidate-title").first().textContent();
    await page.keyboard.press("Enter");
    await page.getByText(`${title} is identified.`).waitFor();
    await heading("More than one card fits").waitFor();
    await page.getByText("2 waiting").waitFor();
  });

  test("another candidate than the first is chosen by its key", async () => {
    const second = page.getByRole("radio").nth(1);
    const title = await second.locator(".candidate-title").textContent();
    await page.keyboard.press("2");
    await expect.poll(() => second.getAttribute("aria-checked")).toBe("true");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText(`${title} is identified.`).waitFor();
    await heading("Nobody knew it").waitFor();
  });

  test("a card that nobody knew is written by hand, with the catalogue's help", async () => {
    expect(await page.getByRole("button", { name: "Accept" }).count()).toBe(0);
    await page.keyboard.press("Enter");
    const form = page.getByRole("form", { name: "Correct by hand" });
    await form.waitFor();
    await expect.poll(() => field("Title").evaluate(isFocused)).toBe(true);
    // A key of the page means nothing in a field.
    await page.keyboard.type("zs1");
    expect(await field("Title").inputValue()).toBe("zs1");
    await field("Title").fill("");
    await page.keyboard.press("Enter");
    await form.getByText("Every card needs a title").waitFor();
    await form.getByLabel("Find it in the catalogue").fill("ember coast 21");
    await page.getByRole("list", { name: "Cards of the catalogue" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => field("Set").inputValue()).toBe("Ember Coast");
    await field("Location").fill("B2-07");
    await field("Year").fill("99");
    await field("Location").press("Enter");
    await form.getByText("A whole number from 1800 to 2100").waitFor();
    expect(await violations(page)).toEqual([]);
    await field("Year").fill("2023");
    await field("Year").press("Enter");
    await heading("All is reviewed").waitFor();
    await page.getByText("2 accepted, 1 corrected by hand").waitFor();
    expect(await page.title()).toBe("Review (0) · Card Vault");
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("the same as previous is one key, and what a card says itself stays", async () => {
    await beginAnew("Ines");
    const card = await queued("both_failed", { sku: "NON-2" });
    await page.goto("/review");
    await heading("Nobody knew it").waitFor();
    // Without a correction before it there is nothing to take over.
    await page.keyboard.press("p");
    const form = page.getByRole("form", { name: "Correct by hand" });
    await field("Title").fill("First of a row");
    await field("Set").fill("Storm Harbour");
    await field("Language").fill("Japanese");
    const other = await queued("both_failed", { sku: "NON-3", language: "German" });
    await field("Title").press("Enter");
    await page.getByText("First of a row is identified.").waitFor();
    await heading("Nobody knew it").waitFor();
    await page.keyboard.press("p");
    await expect.poll(() => field("Set").inputValue()).toBe("Storm Harbour");
    expect(await field("Language").inputValue()).toBe("German");
    expect(await field("Title").inputValue()).toBe("");
    // Escape goes back, and what was typed is there again.
    await field("Title").fill("Second of a row");
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    await page.keyboard.press("c");
    expect(await field("Title").inputValue()).toBe("Second of a row");
    await field("Title").press("Enter");
    await heading("All is reviewed").waitFor();
    expect(await cardOf(other)).toMatchObject({
      title: "Second of a row",
      set: "Storm Harbour",
      language: "German",
      needs_review: false,
      identified_by: "manual",
    });
    expect((await cardOf(card)).language).toBe("Japanese");
  });

  test("Z takes decisions back, one after the other; what was skipped waits at the end", async () => {
    await beginAnew("Robin");
    const card = await queued("low_confidence", { sku: "LOW-2" });
    await queued("ambiguous", { sku: "AMB-2" });
    await page.goto("/review?order=age");
    await heading("Not sure enough").waitFor();
    await page.keyboard.press("s");
    await heading("More than one card fits").waitFor();
    await page.keyboard.press("s");
    await heading("Only skipped cards are left").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("z");
    await heading("More than one card fits").waitFor();
    await page.keyboard.press("z");
    await heading("Not sure enough").waitFor();
    await page.keyboard.press("Enter");
    await heading("More than one card fits").waitFor();
    await expect.poll(async () => (await cardOf(card)).status).toBe("identified");
    await page.keyboard.press("z");
    await page.getByText("is back. Events already sent stay sent.").waitFor();
    await heading("Not sure enough").waitFor();
    expect(await cardOf(card)).toMatchObject({ status: "imported", needs_review: true });

    // It comes back before the service answers, and what is decided then waits for the answer.
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await cardOf(card)).status).toBe("identified");
    const { version } = await cardOf(card);
    const answered = Promise.withResolvers<undefined>();
    await page.route(
      "**/trpc/review.undoLast**",
      async (route) => {
        await answered.promise;
        await route.continue();
      },
      { times: 1 },
    );
    await page.keyboard.press("z");
    await page.getByText("comes back.").waitFor();
    await heading("Not sure enough").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("z");
    expect(await cardOf(card)).toMatchObject({ version, status: "identified" });
    answered.resolve(undefined);
    // Taken back, decided anew, and taken back again.
    await expect.poll(async () => (await cardOf(card)).version).toBe(version + 3);
    await page.getByText("is back. Events already sent stay sent.").waitFor();
    await heading("Not sure enough").waitFor();
    expect(await cardOf(card)).toMatchObject({ status: "imported", needs_review: true });
  });

  test("a scan that comes here decides about nothing", async () => {
    const before = await page.getByText("2 waiting").count();
    expect(before).toBe(1);
    // At once, as a scanner does on a machine of any speed: hot keys, small letters, digits alone.
    for (const code of ["CV-12SZ", "gb-3", "12", "zz-5"]) {
      await page.evaluate(
        (keys) => {
          for (const key of keys) {
            const init = { key, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new KeyboardEvent("keydown", init));
          }
        },
        [...code.split(""), "Enter"],
      );
      await page.getByText(`No card has the code ${code}.`).waitFor();
    }
    await heading("Not sure enough").waitFor();
    expect(new URL(page.url()).pathname).toBe("/review");
    expect(await page.getByRole("form").count()).toBe(0);
    expect(await page.getByRole("radio").first().getAttribute("aria-checked")).toBe("true");
    expect(await page.getByText("2 waiting").count()).toBe(1);
  });

  test("a card that was changed meanwhile comes again, with one sentence", async () => {
    const href = await page.getByRole("link", { name: "LOW-2" }).getAttribute("href");
    await house.mutate(context, owner, "cards.update", {
      id: href?.split("/").at(-1),
      location: "C3-01",
    });
    await page.keyboard.press("Enter");
    await page
      .getByText(
        "was changed while it was shown. Where it still waits, it comes again as it is now.",
      )
      .waitFor();
    await heading("More than one card fits").waitFor();
    await page.keyboard.press("s");
    await heading("Not sure enough").waitFor();
    // Once the skip has arrived.
    await page.getByText("2 waiting").waitFor();
    expect(await page.getByText("2 waiting").count()).toBe(1);
  });

  test("while the service is away decisions wait, and are sent when it is back", async () => {
    await house.killApi();
    const title = await page.locator(".candidate-title").first().textContent();
    await page.keyboard.press("Enter");
    await page.getByText(/decisions? waits? here and (is|are) sent again by itself/).waitFor();
    expect(await violations(page)).toEqual([]);
    await house.startApi();
    await page.getByText(`${title} is identified.`).waitFor();
    await heading("Only skipped cards are left").waitFor();
    await page.getByRole("button", { name: "Go through the 1 skipped card" }).click();
    await heading("More than one card fits").waitFor();
  });

  test("a dear card is confirmed as it stands", async () => {
    await house.mutate(context, owner, "accounts.settings.update", {
      high_value_limit: { amount: 1, currency: "USD" },
    });
    const card = await queued("applied", { sku: "DEAR-1" });
    await page.goto("/review?reason=high_value");
    await heading("Worth a second look").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Confirm as it is" }).waitFor();
    await page.keyboard.press("Enter");
    await heading("Nothing is left with these filters").waitFor();
    await expect.poll(async () => (await cardOf(card)).needs_review).toBe(false);
  });

  test("what cannot be taken back goes again, with one sentence", async () => {
    // As soon as the recogniser has learnt what was decided about such a photo, it knows this one.
    await beginAnew("Lena");
    const card = await queued("low_confidence", { sku: "LOW-3" });
    await page.goto("/review?reason=low_confidence");
    await page.getByText("LOW-3").waitFor();
    // While the next card is on its way, too.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/trpc/review.next**", async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await cardOf(card)).status).toBe("identified");
    await house.mutate(context, owner, "cards.update", { id: card.id, title: "Low Sun" });
    await page.keyboard.press("z");
    await page.getByText("It was changed since, so the decision stands.").waitFor();
    release();
    await page.getByText("LOW-3").waitFor({ state: "detached" });
    expect((await cardOf(card)).status).toBe("identified");
  });

  test("at 390 px photos, candidates and actions are all there", async () => {
    await queued("ambiguous", { sku: "AMB-3" });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto("/review");
    await heading("More than one card fits").waitFor();
    expect(await violations(page)).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
    await page.getByRole("button", { name: "Accept" }).click();
    await heading("All is reviewed").waitFor();
  });

  test("what a batch starts its cards with stands in the form; the end leads to pricing what was reviewed", async () => {
    await beginAnew("Wren");
    const batch = await house.mutate<{ id: string }>(context, owner, "batches.create", {
      name: "Harbour collection",
    });
    // Those that come first by their age, by how likely they are, and by what they may be worth.
    const first = await queued("both_failed", { sku: "OLD-1", batch_id: batch.id });
    await queued("low_confidence", { sku: "SURE-1", batch_id: batch.id });
    await house.mutate(context, owner, "batches.update", {
      id: batch.id,
      defaults: { set: "Storm Harbour", language: "German", location: "H-01" },
    });
    const order = page.getByRole("combobox", { name: "Order" });
    await page.goto(`/review?batch=${batch.id}`);
    await heading("Not sure enough").waitFor();
    await order.selectOption({ label: "Oldest first" });
    await heading("Nobody knew it").waitFor();
    await order.selectOption({ label: "Dearest first" });
    await page.waitForURL("**/review?*order=value*");
    await page.getByText("2 waiting").waitFor();
    await order.selectOption({ label: "Oldest first" });
    await heading("Nobody knew it").waitFor();
    await page.keyboard.press("c");
    await expect.poll(() => field("Set").inputValue()).toBe("Storm Harbour");
    expect(await field("Language").inputValue()).toBe("German");
    expect(await field("Location").inputValue()).toBe("H-01");
    await field("Title").fill("Tide Singer");
    await field("Title").press("Enter");
    await heading("Not sure enough").waitFor();
    const started = { title: "Tide Singer", set: "Storm Harbour", location: "H-01" };
    await expect.poll(() => cardOf(first)).toMatchObject(started);
    await page.keyboard.press("s");
    await heading("Only skipped cards are left").waitFor();
    const ofBatch = page.getByRole("link", { name: "Price what the batch has identified" });
    const { searchParams: only } = new URL((await ofBatch.getAttribute("href")) ?? "", house.url);
    expect([only.get("batch"), only.get("workflow_status")]).toEqual([
      `["${batch.id}"]`,
      '["identified"]',
    ]);
    await page.getByRole("button", { name: "Price 1 card by rule…" }).click();
    const rule = page.getByRole("dialog", { name: "Price 1 card by rule" });
    await rule.getByText("Left alone: 1 card (no market price)").waitFor();
    expect(await violations(page)).toEqual([]);
    await rule.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Type their prices" }).click();
    await page.getByText("Tide Singer").first().waitFor();
    expect(await page.getByText("SURE-1").count()).toBe(0);
  });

  test("while the counts cannot be had, it says so, and comes with Retry", async () => {
    await page.route(/trpc\/[^?]*review\.stats/, (route) => route.abort());
    await page.goto("/review");
    const said = page.getByText("How many wait could not be counted (unreachable).");
    await said.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute(/trpc\/[^?]*review\.stats/);
    await page.getByRole("button", { name: "Retry" }).click();
    await said.waitFor({ state: "detached" });
  });

  test("what another member has taken over meanwhile is said, and the next one comes", async () => {
    await beginAnew("Sol");
    const card = await queued("low_confidence", { sku: "LOCK-1" });
    await queued("both_failed", { sku: "LOCK-2" });
    await page.goto("/review?order=age");
    await page.getByText("LOCK-1").waitFor();
    const { link } = await house.mutate<{ link: string }>(
      context,
      owner,
      "accounts.members.invite",
      { email: "kim@example.com" },
    );
    const other = await openPage(browser, house.url);
    await other.page.goto(link);
    await other.page.getByLabel("Your name").fill("Kim");
    await other.page.getByRole("textbox", { name: "New password" }).fill("correct horse battery");
    await other.page.getByRole("button", { name: "Join" }).click();
    await other.page.getByRole("heading", { name: "Dashboard" }).waitFor();
    // The page was left alone for so long that its cards are free again.
    await house.run("update review_lock set locked_until = now() - interval '1 second'");
    await other.page.goto("/review?order=age");
    await other.page.getByText("LOCK-1").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("is with somebody else now. Here is the next one.").waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await cardOf(card)).status).toBe("imported");
    await other.page.keyboard.press("Enter");
    await expect.poll(async () => (await cardOf(card)).status).toBe("identified");
    await other.context.close();
  });
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}
