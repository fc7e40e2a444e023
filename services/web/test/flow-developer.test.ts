import { startReceiver } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";
import { jump } from "./keyboard.ts";
import { envelopeOf, isOf, isSignedWith } from "./received.ts";
import { leaks } from "./secrets.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

describeInBrowser("from nothing to a verified webhook", () => {
  let house: House;
  let browser: Browser;
  let receiver: Receiver;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  /** Everything that is shown once on the way, by what it is. */
  const secrets: Record<string, string> = {};

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

  const button = (name: string) => page.getByRole("button", { name, exact: true });
  /** What a dialog shows this once; then the dialog is closed. */
  async function revealed(label: string): Promise<string> {
    const field = page.getByRole("textbox", { name: label });
    await field.waitFor();
    const value = await field.inputValue();
    await button("Done").click();
    await field.waitFor({ state: "detached" });
    return value;
  }
  const withKey = (token: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(house.url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  const found = () => leaks({ page, context, house }, secrets, complaints);

  test("comes by a link that sets a password, whose token is gone from the address", async () => {
    const link = await house.makeResetLink(owner.email);
    secrets["reset token"] = new URL(link).hash.split("=").at(-1) ?? "";
    expect(secrets["reset token"].length).toBeGreaterThan(15);
    secrets["password"] = "correct horse battery staple";
    await page.goto(link);
    await page.getByRole("textbox", { name: "New password" }).fill(secrets["password"]);
    await page.getByRole("textbox", { name: "Once more" }).fill(secrets["password"]);
    await button("Set password").click();
    await page.getByText("Your password is changed").waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, { email: owner.email, password: secrets["password"] });
    await page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
    expect(await found()).toEqual([]);
  });

  test("a key is shown once and works; rotated now, the old one is dead at once", async () => {
    await jump(page, "/settings/api");
    await button("Create key").click();
    const form = page.getByRole("dialog", { name: "Create key" });
    await form.getByLabel("Name").fill("Storefront");
    await form.getByRole("button", { name: "Create key" }).click();
    const old = await revealed("API key");
    secrets["old key"] = old.slice(8);
    expect((await withKey(old, "/cards")).status).toBe(200);
    await button("Actions for Storefront").click();
    await page.getByRole("menuitem", { name: "Rotate" }).click();
    await page.getByRole("radio", { name: "Now" }).check();
    await button("Rotate key").click();
    const fresh = await revealed("API key");
    secrets["key"] = fresh.slice(8);
    expect((await withKey(fresh, "/cards")).status).toBe(200);
    const refused = await withKey(old, "/cards");
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: { code: "expired_token" } });
    expect(await found()).toEqual([]);
  });

  test("an endpoint's secret is shown once, and verifies the test event", async () => {
    await jump(page, "/settings/webhooks");
    await button("Add endpoint").first().click();
    const form = page.getByRole("dialog", { name: "Add endpoint" });
    await form.getByLabel("Address").fill(receiver.url);
    await form.getByRole("button", { name: "Add endpoint" }).click();
    secrets["webhook secret"] = (await revealed("Secret")).slice(6);
    await page.getByRole("link", { name: `${receiver.url}/`, exact: true }).click();
    await button("Send test event").first().click();
    const dialog = page.getByRole("dialog", { name: "Send test event" });
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByRole("region", { name: "Result" }).getByText("HTTP 200").waitFor();
    const [arrived] = receiver.requests;
    expect(arrived?.headers["x-vault-test"]).toBe("true");
    expect(arrived && isSignedWith(`whsec_${secrets["webhook secret"]}`, arrived)).toBe(true);
    expect(await found()).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("an event that fails is dropped with its endpoint, and redelivered once that is enabled", async () => {
    receiver.reset();
    receiver.always({ kind: "status", status: 500, body: "no room" });
    const { id } = await house.mutate<{ id: string }>(context, owner, "cards.create", {
      title: "Charged Serpent",
    });
    const priced = await withKey(`cv_test_${secrets["key"]}`, `/cards/${id}`, {
      method: "PATCH",
      body: JSON.stringify({ asking_price: { amount: 1_250, currency: "USD" } }),
    });
    expect(priced.status).toBe(200);
    await receiver.waitFor((all) => all.some(isOf("card.priced")));
    const waiting = page.getByRole("row").filter({ hasText: "card.priced" });
    await waiting.getByText("Waiting for a retry").waitFor();
    const [failed] = receiver.requests.filter(isOf("card.priced"));

    await jump(page, "/settings/webhooks");
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    await button("Disable endpoint").click();
    await page.getByText("by hand").waitFor();
    await page.getByRole("link", { name: /^Dropped events [1-9]/ }).waitFor();
    await jump(page, "/events/dropped");
    const dropped = page.getByRole("row").filter({ hasText: "card.priced" });
    await dropped.getByText("Endpoint was disabled").waitFor();

    receiver.reset();
    receiver.always({ kind: "status", status: 200 });
    await jump(page, "/settings/webhooks");
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Enable" }).click();
    await button("Enable endpoint").click();
    await page.getByRole("cell", { name: "Enabled" }).waitFor();
    await jump(page, "/events/dropped");
    await dropped.getByRole("button", { name: "Redeliver" }).click();
    await receiver.waitFor((all) => all.some(isOf("card.priced")));
    const [again] = receiver.requests.filter(isOf("card.priced"));
    expect(again && envelopeOf(again)).toEqual(failed && envelopeOf(failed));
    expect(again && isSignedWith(`whsec_${secrets["webhook secret"]}`, again)).toBe(true);
    await dropped.waitFor({ state: "detached" });
  });

  test("no secret is left anywhere", async () => {
    for (const path of [
      "/",
      "/settings/api",
      "/settings/webhooks",
      "/events",
      "/events/dropped",
      "/settings/account",
      "/inventory",
    ] as const) {
      await jump(page, path);
      await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
      expect(await found()).toEqual([]);
    }
    await page.goto("/settings/webhooks");
    await page.getByRole("link", { name: `${receiver.url}/`, exact: true }).click();
    await page.getByRole("link", { name: "Verify signatures" }).click();
    await page.getByRole("region", { name: "receiver.mjs" }).waitFor();
    expect(await found()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
