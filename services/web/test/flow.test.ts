import { startReceiver, waitFor } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";
import { choose, jump, press, reach } from "./keyboard.ts";
import { envelopeOf, isOf, isSignedWith } from "./received.ts";
import { leaks } from "./secrets.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

/** A job over a few cards, whose providers answer one after another. */
const jobDeadlineMs = 90_000;
const outcomes = ["applied", "ambiguous", "low_confidence", "both_failed"] as const;
const cardCount = outcomes.length;
/** Of a person, a minute. */
const requestLimit = 1_200;

describeInBrowser("from a box of cards to sold, by keyboard alone", () => {
  let house: House;
  let browser: Browser;
  let receiver: Receiver;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  let secret: string;
  let soldId: string;

  beforeAll(async () => {
    [house, browser, receiver] = await Promise.all([
      openHouse({ withSandbox: true, hasSharedLimits: true }),
      launch(),
      startReceiver(),
    ]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    await page.goto("/import");
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await house?.close();
  });

  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const row = (title: string) => page.getByRole("row").filter({ hasText: title });
  const heading = (name: string) => page.getByRole("heading", { name });
  const done = (words: string) => page.getByText(words).first().waitFor({ timeout: jobDeadlineMs });
  async function selectAll(): Promise<void> {
    await page.keyboard.press("Control+a");
    await page.getByText(`All ${cardCount} cards matching selected`).waitFor();
  }

  test("signs in, and drops photos into a new batch with what its cards start with", async () => {
    await reach(page, page.getByLabel("E-mail"));
    await page.keyboard.type(owner.email);
    await reach(page, page.getByRole("textbox", { name: "Password" }));
    await page.keyboard.type(owner.password);
    await page.keyboard.press("Enter");
    await heading("Into which batch?").waitFor();
    // Who follows along outside.
    const made = await house.mutate<{ secret: string }>(
      context,
      owner,
      "webhooks.endpoints.create",
      { url: receiver.url, events: ["listing.published", "listing.sold"] },
    );
    secret = made.secret;

    await reach(page, page.getByLabel("Name of the new batch"));
    await page.keyboard.type("Harbour collection");
    await press(page, button("What cards start with"));
    await reach(page, page.getByRole("combobox", { name: "Condition" }));
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: "Near mint" }).waitFor();
    await page.keyboard.press("Enter");
    await reach(page, page.getByLabel("Location", { exact: true }));
    await page.keyboard.type("B2-07");
    const chooser = page.waitForEvent("filechooser");
    await press(page, button("Choose photos"));
    await (
      await chooser
    ).setFiles(await Promise.all(outcomes.map((outcome) => house.samplePhoto(outcome))));
    await page.getByText(`${cardCount} photos here`).waitFor();
    await press(page, button(`Make ${cardCount} cards`));
    await heading(`${cardCount} cards are in Harbour collection`).waitFor();
    expect(await page.title()).toContain("Harbour collection");
  });

  test("has them identified, and decides about what is in doubt", async () => {
    await press(page, button("Identify them"));
    await done("Cards identified: 1 changed, 2 skipped, 1 failed.");
    await press(page, page.getByRole("link", { name: "Review what is in doubt" }));
    await heading("More than one card fits").waitFor();
    await page.getByText("3 waiting").waitFor();
    await page.getByRole("link", { name: "Review 3" }).waitFor();
    const second = page.getByRole("radio").nth(1);
    const chosen = await second.locator(".candidate-title").textContent();
    await page.keyboard.press("2");
    await expect.poll(() => second.getAttribute("aria-checked")).toBe("true");
    await page.keyboard.press("Enter");
    await page.getByText(`${chosen} is identified.`).waitFor();
    await heading("Not sure enough").waitFor();
    const likeliest = await page.locator(".candidate-title").first().textContent();
    await page.keyboard.press("Enter");
    await page.getByText(`${likeliest} is identified.`).waitFor();
    await heading("Nobody knew it").waitFor();
    await page.keyboard.press("c");
    const form = page.getByRole("form", { name: "Correct by hand" });
    await reach(page, form.getByLabel("Find it in the catalogue"));
    await page.keyboard.type("ember coast 33");
    await page
      .getByRole("list", { name: "Cards of the catalogue" })
      .getByText("33/142")
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => form.getByLabel("Number", { exact: true }).inputValue()).toBe("33/142");
    await press(page, form.getByRole("button", { name: "Save and next" }));
    await heading("Nothing is left with these filters").waitFor();
    await page.getByText("2 accepted, 1 corrected by hand").waitFor();
  });

  test("prices all by a rule that shows what it does", async () => {
    await press(page, page.getByRole("link", { name: "Price what the batch has identified" }));
    await row("B2-07")
      .nth(cardCount - 1)
      .waitFor();
    await selectAll();
    await press(page, button("Price"));
    const dialog = page.getByRole("dialog", { name: `Price ${cardCount} cards` });
    await dialog.getByText(`Left alone: ${cardCount} cards (no market price).`).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // The keyboard is where it was.
    await expect.poll(() => button("Price").evaluate(isFocused)).toBe(true);
    await choose(page, button("More"), "Look up prices");
    await press(page, button(`Look up ${cardCount} cards`));
    await done(`Prices looked up: ${cardCount} changed.`);
    await selectAll();
    await press(page, button("Price"));
    await reach(page, dialog.getByLabel("Of the market price"));
    await page.keyboard.press("Control+a");
    await page.keyboard.type("120");
    await dialog.getByText(`${cardCount} prices change, 0 stay.`).waitFor();
    await press(page, dialog.getByRole("button", { name: "Set the prices" }));
    await done(`Priced by rule: ${cardCount} changed.`);
  });

  test("publishes them, which are live then", async () => {
    await jump(page, "/inventory");
    // From the list of the batch to the whole one, whose rows look alike.
    await button("Without the filter Batch").waitFor({ state: "detached" });
    await page.waitForURL((url) => url.search === "");
    await row("Priced")
      .nth(cardCount - 1)
      .waitFor();
    await selectAll();
    await press(page, button("Publish"));
    await page.getByText(`${cardCount} cards can be published.`).waitFor();
    await press(page, button(`Publish ${cardCount} cards`));
    await row("Listed")
      .nth(cardCount - 1)
      .waitFor({ timeout: jobDeadlineMs });
    const requests = await receiver.waitFor(
      (all) => all.filter(isOf("listing.published")).length === cardCount,
    );
    for (const request of requests) expect(isSignedWith(secret, request)).toBe(true);
  });

  test("sells one, which is pulled, and stands in the ledger", async () => {
    await jump(page, "/sales");
    const listing = row("Tidewrought Djinn");
    await listing.getByText("Live", { exact: true }).waitFor();
    const href = await listing.getByRole("link").first().getAttribute("href");
    soldId = href?.split("/").at(-1) ?? "";
    await choose(page, listing.getByRole("button", { name: /^Actions for/ }), "Sell a copy");
    await listing.waitFor({ state: "detached" });
    await page.keyboard.press("2");
    await row("Tidewrought Djinn").getByText("B2-07").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page
      .getByRole("checkbox", { name: "Tidewrought Djinn is pulled", checked: true })
      .waitFor();
    await page.keyboard.press("7");
    await row("Tidewrought Djinn").getByText("eBay").waitFor();
    await jump(page, "/inventory");
    await row("Tidewrought Djinn").getByText("Sold", { exact: true }).waitFor();
    await receiver.waitFor((all) => all.some(isOf("listing.sold")));
    const sold = receiver.requests.filter(isOf("listing.sold"));
    expect(sold.map((request) => envelopeOf(request))).toMatchObject([
      { account_id: owner.accountId, data: { card_id: soldId } },
    ]);
    for (const request of sold) expect(isSignedWith(secret, request)).toBe(true);
  });

  /** Types another place for the first card of the list, and sends it. */
  async function moveFirst(place: string, before: () => Promise<void>): Promise<void> {
    await page.keyboard.press("Home");
    await page.keyboard.press("l");
    await page.getByRole("combobox", { name: /^Location of/ }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(place);
    await before();
    await page.keyboard.press("Enter");
  }

  test("a session that ends in an edit asks for the password over the page, and the edit goes on", async () => {
    await moveFirst("C3-11", () => house.run(`delete from auth."session"`));
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.waitFor();
    await row("C3-11").waitFor();
    await expect
      .poll(() => again.getByRole("textbox", { name: "Password" }).evaluate(isFocused))
      .toBe(true);
    await page.keyboard.type(owner.password);
    await page.keyboard.press("Enter");
    await again.waitFor({ state: "detached" });
    await page.getByText(/^Location of .+: C3-11\.$/).waitFor();
    await row("C3-11").waitFor();
  });

  test("one who is too fast is told for how long, keeps what was typed, and sends it again", async () => {
    await moveFirst("C3-12", () =>
      house.run(
        `update rate_window set hits = array(
           select now() - interval '45 seconds' from generate_series(1, ${requestLimit})
         ), expires_at = now() + interval '1 minute' where key like 'user:%'`,
      ),
    );
    const alert = page.getByRole("alert").filter({ hasText: "is not saved yet: C3-12." });
    await alert.getByText(/Too many requests\. Try again in \d+ seconds?\./).waitFor();
    const again = alert.getByRole("button", { name: "Save again" });
    await waitFor(
      async () => {
        if (await page.getByText(/^Location of .+: C3-12\.$/).isVisible()) return true;
        // While it is on its way there is no button, and Enter would open the card.
        if (await again.isVisible()) await press(page, again);
        return false;
      },
      { deadlineMs: 60_000, everyMs: 1_000, what: "the limit to have passed" },
    );
    await row("C3-12").waitFor();
    expect(await row("C3-11").count()).toBe(0);
  });

  test("no secret is left anywhere", async () => {
    const secrets = { password: owner.password, "webhook secret": secret.slice(6) };
    for (const path of ["/", "/settings/webhooks", "/sales", "/inventory"] as const) {
      await jump(page, path);
      await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
      expect(await leaks({ page, context, house }, secrets, complaints)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}
