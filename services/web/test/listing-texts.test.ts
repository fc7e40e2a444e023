import type { Card, TemplatesAnswer } from "@cardvault/contract";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";
import { press, reach } from "./keyboard.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

describeInBrowser("how listings are written, against the simulated marketplace", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  let batch: { id: string };
  let card: Card;

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse({ withSandbox: true }), launch()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    await page.goto("/settings/integrations");
    await signIn(page, owner);
    await page.getByRole("heading", { name: "How listings are written" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate<Answer>(context, owner, procedure, input);
  const shot = async (name: string): Promise<void> => {
    const folder = process.env["SCREENSHOTS"];
    if (folder === undefined) return;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: `${folder}/texts-${name}-${colorScheme}.png` });
    }
  };
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const made = () => page.getByRole("figure", { name: "Preview" });

  test("without a card the templates are shown, and that there is nothing to try them on", async () => {
    await page.getByText("Once there is a card").waitFor();
    expect(await field("Title template").inputValue()).toContain("{manufacturer}");
    await page.getByText("As the standard template says.").first().waitFor();
    expect(await button("Save texts").isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  test("the account's are typed with placeholders by the keyboard, and tried on a card", async () => {
    batch = await mutate("batches.create", { name: "Estate" });
    card = await house.makePhotographed(context, owner, "applied", {
      title: "Charged Serpent",
      condition: "near_mint",
      game: "Tidewing",
      set: "Storm Harbour",
      number: "12/180",
      batch_id: batch.id,
      asking_price: { amount: 2_000, currency: "USD" },
    });
    await page.reload();
    const preview = made();
    await preview.getByText("Charged Serpent").first().waitFor();
    await reach(page, field("Title template"));
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("{set} {subject}");
    await reach(page, button("{subject}"));
    for (const name of ["{title}", "{grade}"]) {
      await page.keyboard.press("ArrowRight");
      expect(await page.locator(":focus").textContent()).toBe(name);
    }
    await page.keyboard.press("Enter");
    await expect.poll(() => field("Title template").inputValue()).toBe("{set} {subject} {grade}");
    await preview.getByText("Storm Harbour Charged Serpent NM", { exact: true }).waitFor();
    await preview.getByText("32 of 80 characters").waitFor();
    await shot("account");
    expect(await violations(page)).toEqual([]);
    await press(page, button("Save texts"));
    await page.getByText("The next listings are written so.").waitFor();
    expect(await templatesOf({})).toMatchObject({
      own: { title: "{set} {subject} {grade}", description: null },
    });
  });

  test("what a title loses to its limit, and a placeholder that there is not, are named", async () => {
    const title = field("Title template");
    await title.fill(`${"Very ".repeat(14)}{set} {subject} {language}`);
    await page.getByText(/^Left out, too long: Very/).waitFor();
    await shot("too-long");
    expect(await violations(page)).toEqual([]);
    await title.fill("{titel}");
    await page.getByText("Knows no {titel}").waitFor();
    expect(await violations(page)).toEqual([]);
    await button("Use the standard title").click();
    expect(await title.inputValue()).toContain("{manufacturer}");
  });

  test("a batch has its own, which can be removed", async () => {
    await page.goto(`/inventory/batches/${batch.id}`);
    await button("Listing texts…").click();
    const dialog = page.getByRole("dialog", { name: "Listing texts of Estate" });
    await dialog.getByText("As the account's template says.").first().waitFor();
    await field("Title template").fill("Estate {subject} {grade}");
    await field("Description template").fill("From one collection.\n{set} {number}");
    await dialog.getByText("Estate Charged Serpent NM", { exact: true }).waitFor();
    await shot("batch");
    expect(await violations(page)).toEqual([]);
    await button("Save texts").click();
    await dialog.waitFor({ state: "detached" });
    await button("Listing texts…").click();
    await button("Remove its own").click();
    await dialog.waitFor({ state: "detached" });
    expect(await templatesOf({ batch_id: batch.id })).toMatchObject({
      own: { title: null, description: null },
      effective: { title: "{set} {subject} {grade}" },
    });
    await mutate("listings.templates.save", {
      batch_id: batch.id,
      title: "Estate {subject} {grade}",
      description: "From one collection.",
    });
  });

  test("a card is published with what its batch says, or with words of its listing alone", async () => {
    await page.goto(`/inventory/${card.id}`);
    await button("Publish").click();
    const dialog = page.getByRole("dialog", { name: "Publish on eBay" });
    await dialog.getByText("As the templates make them.").waitFor();
    expect(await field("Title").inputValue()).toBe("Estate Charged Serpent NM");
    expect(await field("Description").inputValue()).toBe("From one collection.");
    await shot("publish");
    expect(await violations(page)).toEqual([]);
    await field("Title").fill("");
    await dialog.getByText("A listing needs a title").waitFor();
    expect(await dialog.getByRole("button", { name: "Publish" }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await button("Use the templates").click();

    await button("Templates of this card…").click();
    await field("Title template").fill("Estate {subject} #{number}");
    await dialog.getByText("Estate Charged Serpent #12/180", { exact: true }).waitFor();
    await shot("card");
    expect(await violations(page)).toEqual([]);
    await button("Save texts").click();
    await dialog.getByText("As the templates make them.").waitFor();
    await expect.poll(() => field("Title").inputValue()).toBe("Estate Charged Serpent #12/180");
    await field("Description").fill("With its old sleeve.");
    await dialog.getByText("Other words than the templates make").waitFor();
    await field("Title").focus();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Live", { exact: true }).waitFor();
    const { data } = await query<{
      data: { status: string; title: string; description: string }[];
    }>("listings.list", { card: [card.id] });
    expect(data).toMatchObject([
      {
        status: "live",
        title: "Estate Charged Serpent #12/180",
        description: "With its old sleeve.",
      },
    ]);
  });

  test("while the templates cannot be had, the page says so and offers to try again", async () => {
    const failing = /\/trpc\/[^?]*listings\.templates/;
    await context.route(failing, (route) => route.abort());
    await page.goto("/settings/integrations");
    await page.getByText("The templates could not be loaded").waitFor();
    expect(await violations(page)).toEqual([]);
    await context.unroute(failing);
    await page.getByRole("button", { name: "Retry" }).first().click();
    await field("Title template").waitFor();
    const own = complaints.filter((text) => !text.includes("net::ERR_FAILED"));
    expect(own).toEqual([]);
  });

  const templatesOf = (of: object): Promise<TemplatesAnswer> =>
    query<TemplatesAnswer>("listings.templates.get", of);
  async function query<Answer>(procedure: string, input: unknown): Promise<Answer> {
    const given = encodeURIComponent(JSON.stringify(input));
    const response = await context.request.get(`/trpc/${procedure}?input=${given}`, {
      headers: { "x-vault-account": owner.accountId },
    });
    const body = (await response.json()) as { result: { data: Answer } };
    return body.result.data;
  }
});
