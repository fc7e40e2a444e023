import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, storedText, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

// Each look of axe at a page takes about a second, and most tests have several.
vi.setConfig({ testTimeout: 120_000 });

describeInBrowser("settings of account, person, inventory and integrations", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  /** Addresses of other origins that the pages asked for. */
  const foreign: string[] = [];
  let link: string;

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse(), launch()]);
    owner = await house.makeOwner("Mara", "live");
    ({ page, context, complaints } = await openPage(browser, house.url));
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== house.url) foreign.push(request.url());
    });
    await page.goto("/settings/account");
    await signIn(page, owner);
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input?: unknown): Promise<Answer> =>
    house.mutate(context, owner, procedure, input);
  const sectionOf = (name: string) => page.getByRole("region", { name, exact: true });

  test("the account gets another name, in the navigation too", async () => {
    expect(await page.title()).toBe("Account · Card Vault");
    await sectionOf("Members").getByText("Mara (you)").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Name" }).fill("Quayside Cards");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Account: Quayside Cards" }).waitFor();
    await page.getByText("The account is called Quayside Cards now.").waitFor();
  });

  test("an invitation's link is shown once, and lets somebody in in another browser", async () => {
    await page.getByRole("button", { name: "Invite…" }).click();
    const form = page.getByRole("dialog", { name: "Invite somebody" });
    await form.getByLabel("E-mail address").fill("nobody");
    await form.getByRole("button", { name: "Make the link" }).click();
    await form.getByText("Enter an e-mail address").waitFor();
    expect(await violations(page)).toEqual([]);
    await form.getByLabel("E-mail address").fill("jo@example.com");
    await form.getByRole("button", { name: "Make the link" }).click();
    const field = page.getByRole("textbox", { name: "Link" });
    await field.waitFor();
    link = await field.inputValue();
    expect(link).toMatch(/\/auth\/invite#token=/);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    const invited = page.getByRole("row").filter({ hasText: "jo@example.com" });
    await invited.getByText("Link ends").waitFor();
    const token = link.split("token=")[1] ?? "";
    expect(await storedText(page, context)).not.toContain(token);

    const other = await openPage(browser, house.url);
    await other.page.goto(link);
    await other.page.getByLabel("Your name").fill("Jo Marsh");
    await other.page.getByRole("textbox", { name: "New password" }).fill("correct horse battery");
    await other.page.getByRole("button", { name: "Join" }).click();
    await other.page.getByRole("heading", { name: "Dashboard" }).waitFor();
    // A member sees the account and its limits, and changes none of it.
    await other.page.goto("/settings/account");
    await other.page.getByText("Only owners can see this").waitFor();
    expect(await other.page.getByRole("button", { name: "Invite…" }).count()).toBe(0);
    expect(await violations(other.page)).toEqual([]);
    await other.page.goto("/settings/integrations");
    await other.page.getByRole("heading", { name: "When a person is asked" }).waitFor();
    expect(await other.page.getByRole("button", { name: "Save limits" }).count()).toBe(0);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test("a role is changed, the last owner stays, and a member is removed", async () => {
    await page.reload();
    const jo = page.getByRole("row").filter({ hasText: "Jo Marsh" });
    await jo.waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route(
      /\/trpc\/[^?]*members\.list/u,
      async (route) => {
        await gate.promise;
        await route.continue();
      },
      { times: 1 },
    );
    await jo.getByRole("combobox", { name: "Role of Jo Marsh" }).selectOption("owner");
    await page.getByText("Jo Marsh: Owner.").waitFor();
    // Until the list has it too.
    expect(await jo.getByRole("combobox").inputValue()).toBe("owner");
    gate.resolve();
    await page.getByRole("button", { name: /^Undo/ }).click();
    await expect.poll(() => jo.getByRole("combobox").inputValue()).toBe("member");
    await page.getByRole("combobox", { name: "Role of Mara" }).selectOption("member");
    await page.getByText("An account needs an owner; this is the last.").waitFor();
    await expect
      .poll(() => page.getByRole("combobox", { name: "Role of Mara" }).inputValue())
      .toBe("owner");
    await jo.getByRole("button", { name: "Remove Jo Marsh" }).click();
    const ask = page.getByRole("dialog", { name: "Remove member" });
    await ask.waitFor();
    expect(await violations(page)).toEqual([]);
    await ask.getByRole("button", { name: "Remove", exact: true }).click();
    await jo.waitFor({ state: "detached" });
  });

  test("an invitation is withdrawn, and its link opens nothing", async () => {
    const made = await mutate<{ link: string }>("accounts.members.invite", {
      email: "late@example.com",
    });
    await page.reload();
    await page.getByRole("button", { name: "Withdraw the invitation of late@example.com" }).click();
    await page.getByText("late@example.com").waitFor({ state: "detached" });
    const other = await openPage(browser, house.url);
    await other.page.goto(made.link);
    await other.page.getByText("This link was used already").waitFor();
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test("the trail tells all of it, and its filters stand in the address", async () => {
    await page.getByRole("link", { name: "Trail" }).click();
    await page.getByRole("cell", { name: /^Invitation withdrawn/ }).waitFor();
    await page.getByRole("cell", { name: /^Settings changed “Quayside Cards”/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("combobox", { name: "About" }).click();
    await page.getByRole("option", { name: "Account and settings" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("cell", { name: /^Invitation withdrawn/ }).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toContain("about");
    await page.goto("/settings/account?tab=trail&about=%5B%22job%22%5D");
    await page.getByText("Nothing in the trail matches").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("a test account is made beside it, and shows the way back", async () => {
    await page.goto("/settings/account");
    await sectionOf("Test account").getByRole("button", { name: "Make a test account" }).click();
    await page.getByRole("note").getByText("Test account.").waitFor();
    const beside = sectionOf("The live account beside it");
    await beside.getByText("Quayside Cards", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await beside.getByRole("button", { name: "Switch to it" }).click();
    await page.getByRole("note").waitFor({ state: "detached" });
  });

  test("one's own name shows at once", async () => {
    await page.getByRole("button", { name: /^Signed in:/ }).click();
    await page.getByRole("menuitem", { name: "Your profile" }).click();
    await page.getByRole("heading", { name: "Your profile" }).waitFor();
    await sectionOf("Where you are signed in").getByText("This one").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Your name" }).fill("Mara Vale");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByRole("button", { name: /^Signed in: Mara Vale/ }).waitFor();
  });

  test("another password ends the other sessions, and this one goes on", async () => {
    const other = await openPage(browser, house.url);
    await other.page.goto("/settings/profile");
    await signIn(other.page, owner);
    await other.page.getByRole("heading", { name: "Your profile" }).waitFor();

    const form = sectionOf("Password");
    await form.getByRole("textbox", { name: "Password now" }).fill("not the one");
    await form.getByRole("textbox", { name: "New password" }).fill("a new and longer one");
    await form.getByRole("textbox", { name: "Once more" }).fill("a new and longer one");
    await form.getByRole("button", { name: "Change password" }).click();
    await form.getByText("The password that you have now is another one.").waitFor();
    expect(await violations(page)).toEqual([]);
    await form.getByRole("textbox", { name: "Password now" }).fill(owner.password);
    await form.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your password is changed. You are signed in here only.").waitFor();
    owner = { ...owner, password: "a new and longer one" };
    expect(await form.getByRole("textbox", { name: "New password" }).inputValue()).toBe("");
    await page.reload();
    await sectionOf("Where you are signed in").getByText("This one").waitFor();

    await other.page.reload();
    await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(other.page, owner);
    await other.page.getByRole("heading", { name: "Your profile" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: /^End the session of/ }).click();
    await page.getByRole("button", { name: /^End the session of/ }).waitFor({ state: "detached" });
    await other.page.reload();
    await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
    await other.context.close();
    expect(await storedText(page, context)).not.toContain(owner.password);
  });

  test("a SKU format is tried while it is typed, saved, and given to cards without one", async () => {
    const batch = await mutate<{ id: string }>("batches.create", { name: "Harbour", code: "HB" });
    const card = await mutate<{ id: string }>("cards.create", {
      title: "Charged Serpent",
      batch_id: batch.id,
      year: 2024,
    });
    await mutate("cards.update", { id: card.id, sku: null });
    await page.goto("/settings/inventory");
    await page.getByRole("cell", { name: "Charged Serpent" }).waitFor();
    expect(await violations(page)).toEqual([]);
    const format = page.getByRole("textbox", { name: "Format" });
    await format.fill("{batch}");
    await sectionOf("SKU format").getByRole("alert").waitFor();
    expect(await page.getByRole("button", { name: "Save format" }).isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await format.fill("{batch}.{year}-{n:4}");
    await page.getByRole("cell", { name: "HB.2024-0002" }).waitFor();
    await page.getByRole("button", { name: "Save format" }).click();
    await page.getByText("New cards get SKUs like").waitFor();
    await page.getByRole("button", { name: "Give it one" }).click();
    await page.getByText("Every card has a SKU.").waitFor({ timeout: 30_000 });
    const { sku } = await query<{ sku: string }>("cards.get", { id: card.id });
    expect(sku).toBe("HB.2024-0002");
  });

  test("a place is described, and its label printed", async () => {
    await page.getByText("No place is described yet").waitFor();
    await page.getByRole("button", { name: "Add place…" }).first().click();
    const form = page.getByRole("dialog", { name: "Add place" });
    await form.getByLabel("Place").fill("Vault/Shelf 2");
    await form.getByLabel("Code").fill("V 2");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Use letters, digits and signs, without spaces").waitFor();
    expect(await violations(page)).toEqual([]);
    await form.getByLabel("Code").fill("V2");
    await form.getByLabel("Capacity").fill("120");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row").filter({ hasText: "Vault/Shelf 2" }).getByText("V2").waitFor();
    expect(await violations(page)).toEqual([]);
    const there = page.getByRole("link", { name: "Vault/Shelf 2" });
    const { searchParams: only } = new URL((await there.getAttribute("href")) ?? "", house.url);
    expect(only.get("location")).toBe('["Vault/Shelf 2","Vault/Shelf 2/*"]');
    // Somebody else describes the same place meanwhile; and one that is there already is not replaced unseen.
    const described = { path: "Vault/Shelf 2", code: "V2", capacity: 120 };
    await page.getByRole("button", { name: "Edit Vault/Shelf 2" }).click();
    const edit = page.getByRole("dialog", { name: "Edit place" });
    await edit.getByLabel("Note").fill("Left door");
    await mutate("locations.places.save", { ...described, note: "Right door" });
    await edit.getByRole("button", { name: "Save" }).click();
    await edit.getByText("Note. Yours: Left door. Now: Right door.").waitFor();
    expect(await violations(page)).toEqual([]);
    await edit.getByRole("button", { name: "Keep theirs: Note" }).click();
    await edit.getByRole("button", { name: "Save" }).click();
    await edit.waitFor({ state: "detached" });
    await page.getByText("Right door").waitFor();
    await page.getByRole("button", { name: "Add place…" }).first().click();
    await form.getByLabel("Place").fill("Vault/Shelf 2");
    await form.getByLabel("Code").fill("NEW");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Code. Yours: NEW. Now: V2.").waitFor();
    expect(await form.getByLabel("Note").inputValue()).toBe("Right door");
    await form.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("checkbox", { name: "Select Vault/Shelf 2" }).check();
    const sheets = /trpc\/[^?]*labels\.templates/;
    await page.route(sheets, (route) => route.abort());
    await page.getByRole("button", { name: "Print 1 labels…" }).click();
    const dialog = page.getByRole("dialog", { name: "Labels of places" });
    await dialog.getByText("The sheets could not be loaded.").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute(sheets);
    await dialog.getByRole("button", { name: "Retry" }).first().click();
    await dialog.getByRole("option", { name: /L7160/ }).waitFor({ state: "attached" });
    // The preview was asked for together with them.
    await dialog.getByRole("button", { name: "Retry" }).click();
    await dialog.getByAltText("The first page of the labels").waitFor();
    await dialog.getByText("1 label on 1 page").waitFor();
    expect(await violations(page)).toEqual([]);
    const saving = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download PDF" }).click();
    expect((await saving).suggestedFilename()).toMatch(/\.pdf$/);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Forget what is known of Vault/Shelf 2" }).click();
    await page.getByText("No place is described yet").waitFor();
  });

  test("limits and a budget are kept", async () => {
    await page.goto("/settings/integrations");
    await page.getByText("No provider was asked yet").waitFor();
    await sectionOf("eBay").getByText("Not set up in this installation").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Identification below" }).fill("80");
    await page.getByRole("button", { name: "Save limits" }).click();
    await page.getByText("Between 85 and 100 %").waitFor();
    await page.getByRole("textbox", { name: "Identification below" }).fill("92.5");
    await page.getByRole("textbox", { name: /^Card worth more than/ }).fill("150");
    await page.getByRole("button", { name: "Save limits" }).click();
    await page.getByText("The next identifications go by these limits.").waitFor();
    expect(await query("accounts.settings.get")).toMatchObject({
      review_threshold: 0.925,
      high_value_limit: { amount: 15_000, currency: "USD" },
    });
    await page.getByRole("textbox", { name: "Budget a month (USD)" }).fill("12.5");
    await page.getByRole("button", { name: "Save budget" }).click();
    await page.getByText("$0.00 of $12.50").waitFor();
    expect(await query("identifications.usage")).toMatchObject({ budget_micros: 12_500_000 });
    expect(await violations(page)).toEqual([]);
  });

  test("while the service does not answer, each page says so and offers to try again", async () => {
    const failing =
      /\/trpc\/[^?]*(?:accounts\.(?:settings|members|trail)|signIn\.sessions|providers|identifications|locations)/;
    await context.route(failing, (route) => route.abort());
    for (const [path, what] of [
      ["/settings/account", "The members could not be loaded"],
      ["/settings/account?tab=trail", "The trail could not be loaded"],
      ["/settings/profile", "Your sessions could not be loaded"],
      ["/settings/inventory", "The settings could not be loaded"],
      ["/settings/integrations", "The providers could not be loaded"],
    ] as const) {
      await page.goto(path);
      await page.getByText(what).waitFor();
      expect(await violations(page)).toEqual([]);
    }
    await context.unroute(failing);
    await page.getByRole("button", { name: "Retry" }).first().click();
    await page.getByText("No provider was asked yet").waitFor();
  });

  test("nothing was asked of another origin, and the console stayed silent", () => {
    expect(foreign).toEqual([]);
    const own = complaints.filter((text) => !text.includes("net::ERR_FAILED"));
    expect(own).toEqual([]);
  });

  async function query<Answer>(procedure: string, input?: unknown): Promise<Answer> {
    const given = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
    const response = await context.request.get(`/trpc/${procedure}${given}`, {
      headers: { "x-vault-account": owner.accountId },
    });
    const body = (await response.json()) as { result: { data: Answer } };
    return body.result.data;
  }
});
