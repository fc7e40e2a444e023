import { startReceiver } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, storedText, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";
import { envelopeOf, isOf, isSignedWith } from "./received.ts";

// Each look of axe at a page takes about a second, and most tests have several.
vi.setConfig({ testTimeout: 120_000 });

/** As the service refuses the sixty-first call of a minute. */
const tooFast = {
  message: "Too many requests.",
  code: -32029,
  data: {
    code: "rate_limit_exceeded",
    status: 429,
    request_id: "req_01m8000000000000000000toast",
    retry_after_seconds: 1,
  },
};

describeInBrowser("the first pages, against the started service", () => {
  let house: House;
  let browser: Browser;
  let receiver: Receiver;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  let token: string;
  let secret: string;
  let cardId: string;

  beforeAll(async () => {
    [house, browser, receiver] = await Promise.all([openHouse(), launch(), startReceiver()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate(context, owner, procedure, input);

  async function api(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(house.url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  }

  const setPrice = (amount: number) =>
    api(`/cards/${cardId}`, {
      method: "PATCH",
      body: JSON.stringify({ asking_price: { amount, currency: "USD" } }),
    });

  test("a page inside asks to sign in, and a wrong password is said so", async () => {
    await page.goto("/settings/api");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.title()).toBe("Sign in · Card Vault");
    await signIn(page, { ...owner, password: "not the password" });
    await page.getByRole("alert").getByText("e-mail address or the password is wrong").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("signing in goes to the page that was asked for", async () => {
    await signIn(page, owner);
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings/api");
    expect(await page.title()).toBe("API keys · Card Vault");
    await page.getByText("No keys yet").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("a test account is marked on the page", async () => {
    expect(await page.getByRole("note").textContent()).toContain("Test account.");
  });

  test("a key is shown once, and opens the API", async () => {
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create key" });
    await form.getByLabel("Name").fill("Storefront");
    expect(await violations(page)).toEqual([]);
    await form.getByRole("button", { name: "Create key" }).click();
    const field = page.getByRole("textbox", { name: "API key" });
    await field.waitFor();
    token = await field.inputValue();
    expect(token).toMatch(/^cv_test_[0-9A-Za-z]{38}$/);
    expect(await violations(page)).toEqual([]);
    // An accidental Escape does not lose what cannot be shown again.
    await page.keyboard.press("Escape");
    expect(await field.inputValue()).toBe(token);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("cell", { name: `cv_test_…${token.slice(-4)}` }).waitFor();
    expect(await storedText(page, context)).not.toContain(token.slice(8));

    const response = await api("/cards");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: [], has_more: false });
    await page.reload();
    await page.getByRole("cell", { name: "Storefront", exact: true }).waitFor();
    expect(await page.getByRole("cell", { name: "Never" }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  test("a rotated key ends at the chosen moment, a revoked one at once", async () => {
    const old = token;
    await page.getByRole("button", { name: "Actions for Storefront" }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("menuitem", { name: "Rotate" }).click();
    await page.getByRole("radio", { name: "In 1 hour" }).check();
    await page.getByRole("button", { name: "Rotate key" }).click();
    const field = page.getByRole("textbox", { name: "API key" });
    await field.waitFor();
    token = await field.inputValue();
    expect(token).not.toBe(old);
    await page.getByRole("button", { name: "Done" }).click();
    const replaced = page.getByRole("row").filter({ hasText: `…${old.slice(-4)}` });
    await replaced.getByText("ends in 1 hour").waitFor();
    for (const key of [old, token]) {
      const response = await fetch(`${house.url}/cards`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.status).toBe(200);
    }
    await replaced.getByRole("button", { name: /^Actions/ }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await replaced.waitFor({ state: "detached" });
    const refused = await fetch(`${house.url}/cards`, {
      headers: { authorization: `Bearer ${old}` },
    });
    expect(refused.status).toBe(401);
    await page.getByRole("switch", { name: /Show revoked/ }).check({ force: true });
    await replaced.getByText("Revoked").waitFor();
    expect(new URL(page.url()).search).toBe("?ended=true");
    expect(await violations(page)).toEqual([]);
  });

  test("an endpoint is added, and its secret shown once", async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    await page.getByText("No endpoints yet").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const form = page.getByRole("dialog", { name: "Add endpoint" });
    await form.getByLabel("Address").fill("http://10.0.0.7/hook");
    await form.getByRole("checkbox", { name: "A card moves to another stage" }).uncheck();
    await form.getByRole("button", { name: "Add endpoint" }).click();
    await form.getByRole("alert").waitFor();
    expect(await violations(page)).toEqual([]);
    await form.getByLabel("Address").fill(receiver.url);
    await form.getByRole("button", { name: "Add endpoint" }).click();
    const field = page.getByRole("textbox", { name: "Secret" });
    await field.waitFor();
    secret = await field.inputValue();
    expect(secret).toMatch(/^whsec_/);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("cell", { name: `${receiver.url}/`, exact: true }).waitFor();
    await page.getByRole("cell", { name: "7 of 8" }).waitFor();
    expect(await storedText(page, context)).not.toContain(secret.slice(6));
    expect(await violations(page)).toEqual([]);
  });

  test("an event of a disabled endpoint is dropped, and seen", async () => {
    receiver.always({ kind: "status", status: 500 });
    const card = await mutate<{ id: string }>("cards.create", { title: "Charged Serpent" });
    cardId = card.id;
    expect((await setPrice(1250)).status).toBe(200);
    await receiver.waitFor((requests) => requests.some(isOf("card.priced")));

    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Disable endpoint" }).click();
    await page.getByText("by hand").waitFor();
    expect(await violations(page)).toEqual([]);

    await page.goto("/");
    await page.getByRole("link", { name: /^Dropped events 2 Your receiver/ }).waitFor();
    await page.getByRole("link", { name: "Identified 0" }).waitFor();
    await page.getByRole("link", { name: "Priced 1" }).waitFor();
    await page.getByText("$12.50").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: /^Dropped events 2 Your receiver/ }).click();
    const row = page.getByRole("row").filter({ hasText: "card.priced" });
    await row.getByText("Endpoint was disabled").waitFor();
    await row.getByText("HTTP 500").waitFor();
    await row.getByText("1 attempt").waitFor();
    expect(await row.getByRole("button", { name: "Redeliver" }).getAttribute("aria-disabled")).toBe(
      "true",
    );
    expect(await violations(page)).toEqual([]);
  });

  test("redelivered once the endpoint is enabled, it arrives with the same id, signed", async () => {
    const [first] = receiver.requests.filter(isOf("card.priced"));
    receiver.reset();
    receiver.always({ kind: "status", status: 200 });
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Enable endpoint" }).click();
    await page.getByText("Enabled").waitFor();
    await page.getByRole("link", { name: /^Dropped events/ }).click();
    const row = page.getByRole("row").filter({ hasText: "card.priced" });
    // What fails says so with its request, and is tried again from there.
    await page.route("**/trpc/events.redeliver*", (route) =>
      route.fulfill({ status: 429, json: [{ error: tooFast }] }),
    );
    await row.getByRole("button", { name: "Redeliver" }).click();
    const toast = page.getByRole("alert").filter({ hasText: "Not sent again" });
    await toast.getByText("rate_limit_exceeded").waitFor();
    await toast.getByText("req_01m8000000000000000000toast").waitFor();
    await toast.getByRole("button", { name: "Copy the request id" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute("**/trpc/events.redeliver*");
    await toast.getByRole("button", { name: "Retry" }).click();
    const [arrived] = await receiver.waitFor((requests) => requests.some(isOf("card.priced")));
    expect(arrived?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(arrived && isSignedWith(secret, arrived)).toBe(true);
    await page.getByText("Delivered: HTTP 200").waitFor();
    await row.waitFor({ state: "detached" });
    // The other one: dismissed with a note.
    await page.getByRole("checkbox", { name: "Select all that are shown" }).check();
    await page.getByRole("button", { name: "Dismiss selected" }).click();
    await page.getByLabel("Note").fill("The receiver was being moved.");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Dismiss", exact: true }).click();
    await page.getByText("No dropped events").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("many are redelivered, selected and all of an endpoint", async () => {
    receiver.reset();
    receiver.always({ kind: "status", status: 500 });
    const made = await Promise.all(
      ["Ash Sprite", "Tidecaller", "Lantern Keeper"].map((title) =>
        mutate<{ id: string }>("cards.create", { title }),
      ),
    );
    await receiver.waitFor(made.length);
    const { data } = await query<{ data: { id: string }[] }>("webhooks.endpoints.list");
    const endpointId = data[0]?.id;
    await mutate("webhooks.endpoints.update", { id: endpointId, enabled: false });
    await mutate("webhooks.endpoints.update", { id: endpointId, enabled: true });
    receiver.reset();
    receiver.always({ kind: "status", status: 200 });
    await page.goto("/events/dropped");
    await page.getByText("3 dropped events").waitFor();
    await page
      .getByRole("checkbox", { name: /^Select card.identified/ })
      .first()
      .check();
    await page.getByRole("button", { name: "Redeliver selected" }).click();
    await page.getByText("1 event on the way again.").waitFor();
    await page.getByText("2 dropped events").waitFor();
    await page
      .getByRole("link", { name: `${receiver.url}/` })
      .first()
      .click();
    await page.getByRole("button", { name: "Redeliver all of this endpoint" }).click();
    // A job of the service's: the page may be left, and its end is told wherever one is.
    await page.getByRole("link", { name: "Inventory" }).click();
    await page.getByText("Dropped events sent again: 2 sent again.").waitFor();
    await page.getByRole("link", { name: "Dropped events" }).click();
    await page.getByText("No dropped events").waitFor();
    const arrived = await receiver.waitFor(3);
    expect(new Set(arrived.map((request) => envelopeOf(request).id)).size).toBe(3);
  });

  test("all of an endpoint are dismissed in one go", async () => {
    // As the sender leaves what it has given up.
    await house.run(
      `update webhook_delivery set status = 'dropped', drop_reason = 'deadline', finished_at = now(), dismissed_at = null
       where generation = (select max(generation) from webhook_delivery) and status = 'delivered'`,
    );
    await page.reload();
    await page
      .getByRole("link", { name: `${receiver.url}/` })
      .first()
      .click();
    await page.getByRole("button", { name: "Dismiss all…" }).click();
    const dialog = page.getByRole("dialog", { name: "Dismiss dropped events" });
    await dialog.getByText(/Every dropped event of/).waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel("Note").fill("The till has them.");
    await dialog.getByRole("button", { name: "Dismiss", exact: true }).click();
    await page.getByText(/^\d events dismissed\.$/).waitFor();
    await page.getByText("Nothing dropped for this endpoint").waitFor();
  });

  test("a notice leads to where something can be done about it", async () => {
    await house.run(
      `insert into notice (id, account_id, kind, message, once_key, created_at)
       select uuidv7(), id, 'marketplace_revoked', 'eBay takes the connection no longer.', 'once', now() from account`,
    );
    await page.reload();
    await page.getByRole("button", { name: /^Notices, \d+ unread/ }).click();
    const notices = page.getByRole("dialog", { name: "Notices" });
    await notices.getByRole("link", { name: "Connect it again" }).click();
    await page.getByRole("heading", { name: "Integrations", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/settings/integrations");
  });

  test("the cards behind a figure, and a page that is not there", async () => {
    await page.goto("/inventory?workflow_status=priced");
    await page.getByRole("link", { name: /^Charged Serpent/ }).waitFor();
    expect(await page.locator(".card-table .card-link").count()).toBe(1);
    await page.getByRole("columnheader", { name: "Asking, USD" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto("/inventory?workflow_status=sold");
    await page.getByText("No card matches").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto("/settings/nothing");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(await page.title()).toBe("Page not found · Card Vault");
    expect(await violations(page)).toEqual([]);
  });

  test("an ended session asks for the password over the page, and loses no input", async () => {
    await page.goto("/settings/api");
    await page.getByRole("button", { name: "Create key" }).click();
    const form = page.getByRole("dialog", { name: "Create key" });
    await form.getByLabel("Name").fill("Repricer");
    await context.clearCookies();
    await form.getByRole("button", { name: "Create key" }).click();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.getByRole("textbox", { name: "Password" }).fill(owner.password);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "detached" });
    expect(await form.getByLabel("Name").inputValue()).toBe("Repricer");
    await form.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("textbox", { name: "API key" }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
  });

  test("an invitation joins somebody new, who may not see keys", async () => {
    const { link } = await mutate<{ link: string }>("accounts.members.invite", {
      email: "jo@example.com",
    });
    const other = await openPage(browser, house.url);
    await other.page.goto(link);
    await other.page.getByText("You are invited to Mara as a member").waitFor();
    expect(other.page.url()).toBe(`${house.url}/auth/invite`);
    expect(await violations(other.page)).toEqual([]);
    await other.page.getByLabel("Your name").fill("Jo");
    await other.page.getByRole("textbox", { name: "New password" }).fill("correct horse battery");
    await other.page.getByRole("button", { name: "Join" }).click();
    await other.page.getByRole("heading", { name: "Dashboard" }).waitFor();
    expect(await other.page.getByRole("link", { name: "API keys" }).count()).toBe(0);
    await other.page.goto("/settings/api");
    await other.page.getByText("Only owners can see this").waitFor();
    expect(await violations(other.page)).toEqual([]);
    await other.page.goto(link);
    await other.page.getByText("This link was used already").waitFor();
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test("a link of the operator sets a new password, once", async () => {
    const { email } = await house.makeOwner("Kim");
    const link = await house.makeResetLink(email);
    const other = await openPage(browser, house.url);
    await other.page.goto(link);
    await other.page.getByRole("textbox", { name: "New password" }).fill("too short");
    await other.page.getByRole("textbox", { name: "Once more" }).fill("different");
    await other.page.getByRole("button", { name: "Set password" }).click();
    await other.page.getByText("Use at least 10 characters").waitFor();
    await other.page.getByText("The two are not the same").waitFor();
    expect(await violations(other.page)).toEqual([]);
    const password = "a new and longer one";
    await other.page.getByRole("textbox", { name: "New password" }).fill(password);
    await other.page.getByRole("textbox", { name: "Once more" }).fill(password);
    await other.page.getByRole("button", { name: "Set password" }).click();
    await other.page.getByText("Your password is changed").waitFor();
    await other.page.getByRole("link", { name: "Sign in" }).click();
    await signIn(other.page, { email, password });
    await other.page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await other.page.goto(link);
    await other.page.getByRole("textbox", { name: "New password" }).fill(password);
    await other.page.getByRole("textbox", { name: "Once more" }).fill(password);
    await other.page.getByRole("button", { name: "Set password" }).click();
    await other.page.getByText("This link was used already").waitFor();
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test("a live account makes a test account beside it, and a tab switches", async () => {
    const live = await house.makeOwner("Ben", "live");
    const other = await openPage(browser, house.url);
    await other.page.goto("/");
    await signIn(other.page, live);
    await other.page.getByText("From a box of cards to sold").waitFor();
    expect(await other.page.getByRole("note").count()).toBe(0);
    expect(await violations(other.page)).toEqual([]);
    await other.page.getByRole("button", { name: /^Account: Ben/ }).click();
    expect(await violations(other.page)).toEqual([]);
    await other.page.getByRole("menuitem", { name: "Make a test account" }).click();
    await other.page.getByRole("note").getByText("Test account.").waitFor();
    // A second tab of the same browser may be in the other account.
    const second = await other.context.newPage();
    await second.goto("/");
    await second.getByRole("button", { name: /^Account:/ }).click();
    await second.getByRole("menuitem", { name: "Ben", exact: true }).click();
    await second.getByRole("note").waitFor({ state: "detached" });
    await other.page.reload();
    await other.page.getByRole("note").getByText("Test account.").waitFor();
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  test("a service that could not be asked at first is asked again, and the page opens by itself", async () => {
    const late = await context.newPage();
    await late.route("**/trpc/accounts.*", (route) => route.fulfill({ status: 503 }));
    await late.goto("/");
    await late.getByText("Your account could not be loaded").waitFor();
    await late.unroute("**/trpc/accounts.*");
    await late.getByRole("button", { name: /^Account:/ }).waitFor();
    expect(await late.getByText("Your account could not be loaded").count()).toBe(0);
    await late.close();
  });

  test("signing out ends the session, and no secret was written anywhere", async () => {
    await page.getByRole("button", { name: /^Signed in:/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto("/events/dropped");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const everywhere = (await storedText(page, context)) + house.output();
    for (const text of [token.slice(8), secret.slice(6), owner.password]) {
      expect(everywhere).not.toContain(text);
    }
    expect(complaints).toEqual([]);
  });

  async function query<Answer>(procedure: string): Promise<Answer> {
    const response = await context.request.get(`/trpc/${procedure}`, {
      headers: { "x-vault-account": owner.accountId },
    });
    const body = (await response.json()) as { result: { data: Answer } };
    return body.result.data;
  }
});
