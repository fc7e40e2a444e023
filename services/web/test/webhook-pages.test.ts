import { startReceiver } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, storedText, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

// Each look of axe at a page takes about a second, and most tests have several.
vi.setConfig({ testTimeout: 120_000 });

/** The worker looks at every endpoint once a minute. */
const checkDeadlineMs = 75_000;
const truncatedBytes = 40_000;

describeInBrowser("endpoints, their deliveries and events, against the started service", () => {
  let house: House;
  let browser: Browser;
  let receiver: Receiver;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  let endpointId: string;
  let secret: string;

  beforeAll(async () => {
    [house, browser, receiver] = await Promise.all([openHouse(), launch(), startReceiver()]);
    owner = await house.makeOwner("Mara");
    ({ page, context, complaints } = await openPage(browser, house.url));
    await page.goto("/events");
    await signIn(page, owner);
    await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate(context, owner, procedure, input);
  const makeCards = (...titles: string[]) =>
    Promise.all(titles.map((title) => mutate("cards.create", { title })));
  const endpointPath = (search = ""): string => `/settings/webhooks/${endpointId}${search}`;
  /** Out of an open drawer or dialog. */
  async function escape(): Promise<void> {
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }

  test("an account without events says where they come from", async () => {
    await page.getByText("No events yet").waitFor();
    expect(await page.title()).toBe("Events · Card Vault");
    expect(await violations(page)).toEqual([]);
  });

  test("the keys that do something are listed", async () => {
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.getByText("Dropped events").waitFor();
    expect(await violations(page)).toEqual([]);
    await escape();
    // In a field it is a letter like any other.
    await page.getByRole("combobox", { name: "Event type" }).focus();
    await page.keyboard.type("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("Escape");
  });

  test("the table of endpoints opens one, which has had nothing yet", async () => {
    const made = await mutate<{ endpoint: { id: string }; secret: string }>(
      "webhooks.endpoints.create",
      { url: receiver.url, description: "Storefront", events: ["card.identified"] },
    );
    endpointId = made.endpoint.id;
    secret = made.secret;
    await page.goto("/settings/webhooks");
    await page.getByRole("cell", { name: "Enabled" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: `${receiver.url}/`, exact: true }).click();
    await page.getByRole("heading", { name: receiver.url, level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(endpointPath());
    await page.getByText("Nothing sent yet", { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("a test event shows its whole result", async () => {
    receiver.script({
      kind: "status",
      status: 503,
      headers: { "x-reason": "moving house" },
      body: "x".repeat(truncatedBytes),
    });
    await page.getByRole("button", { name: "Send test event" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Send test event" });
    await dialog.getByRole("combobox", { name: "Event type" }).click();
    await page.getByRole("option", { name: /^listing.sold/ }).click();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    const result = dialog.getByRole("region", { name: "Result" });
    await result.getByText("HTTP 503").waitFor();
    await result.getByText("Total", { exact: true }).waitFor();
    await result
      .getByRole("region", { name: "Response headers" })
      .getByText("moving house")
      .waitFor();
    await result.getByText("Truncated: only its beginning is kept").waitFor();
    await result.getByRole("region", { name: "Request body" }).getByText("listing.sold").waitFor();
    const [arrived] = receiver.requests;
    expect(arrived?.headers["x-vault-test"]).toBe("true");
    expect(await violations(page)).toEqual([]);
    await escape();
  });

  test("an edit of what somebody else has saved meanwhile shows both values", async () => {
    await page.getByRole("button", { name: /^Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    const form = page.getByRole("dialog", { name: "Edit endpoint" });
    await form.getByLabel("Description").fill("The till");
    await mutate("webhooks.endpoints.update", { id: endpointId, description: "The shop" });
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Description. Yours: The till. Now: The shop.").waitFor();
    expect(await violations(page)).toEqual([]);
    await form.getByRole("button", { name: "Write mine: Description" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "detached" });
    await page.getByText("The till").first().waitFor();
  });

  test("a secret is rotated here, shown once, and switched to at once", async () => {
    await page.getByRole("button", { name: "Rotate…" }).click();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    const field = page.getByRole("textbox", { name: "Secret" });
    await field.waitFor();
    const rotated = await field.inputValue();
    expect(rotated).not.toBe(secret);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("New one signs").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await storedText(page, context)).not.toContain(rotated.slice(6));
    await page.getByRole("button", { name: "Switch now…" }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Switch now", exact: true }).click();
    await page.getByRole("button", { name: "Rotate…" }).waitFor();
    secret = rotated;
  });

  test("a receiver that fails: its attempt with timings, and when it is tried again", async () => {
    receiver.reset();
    receiver.always({ kind: "status", status: 500, body: "no room" });
    await makeCards("Charged Serpent");
    await page.getByRole("row").filter({ hasText: "Waiting for a retry" }).waitFor();
    await page.getByText(/Tried again in \d+ seconds/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("link", { name: "card.identified" }).click();
    const drawer = page.getByRole("dialog", { name: "Delivery" });
    await drawer.getByText("Attempt 1").waitFor();
    for (const part of ["Connect", "First byte", "Total"]) {
      await drawer.getByText(part, { exact: true }).waitFor();
    }
    await drawer.getByRole("region", { name: "Response body" }).getByText("no room").waitFor();
    const sent = drawer.getByRole("region", { name: "Request body as sent" });
    expect(await sent.textContent()).toBe(receiver.requests[0]?.body.toString());
    expect(new URL(page.url()).searchParams.get("delivery")).toMatch(/^dlv_/);
    expect(await violations(page)).toEqual([]);
    await drawer.getByRole("link", { name: /^evt_/ }).click();
    const event = page.getByRole("dialog", { name: "Event" });
    await event.getByRole("region", { name: "Envelope" }).getByText("card.identified").waitFor();
    await event.getByText("HTTP 500").waitFor();
    expect(await violations(page)).toEqual([]);
    await event.getByRole("link", { name: receiver.url }).click();
    await drawer.getByText("Attempt 1").waitFor();
    await drawer.getByRole("link", { name: receiver.url }).click();
    await page.getByRole("heading", { name: receiver.url, level: 1 }).waitFor();
  });

  test("filters live in the address, and nothing that matches says so", async () => {
    await page.goto(endpointPath('?status=["delivered"]&period=24h'));
    await page.getByText("No delivery matches").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Show every delivery" }).click();
    await page.getByRole("row").filter({ hasText: "Waiting for a retry" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    await page.getByRole("combobox", { name: "Event type" }).click();
    await page.getByRole("option", { name: "card.priced" }).click();
    await page.getByText("No delivery matches").waitFor();
    await page.reload();
    await page.getByText("No delivery matches").waitFor();
    await page.getByRole("combobox", { name: "Time" }).click();
    await page.getByRole("option", { name: "From … to …" }).click();
    await page.getByLabel("From", { exact: true }).fill("2026-01-01T00:00");
    expect(await violations(page)).toEqual([]);
    expect(new URL(page.url()).searchParams.get("since")).toMatch(/^20/);
  });

  test("every attempt stands in a list of its own, by what it came to", async () => {
    await page.goto(endpointPath());
    await page.getByRole("link", { name: "Attempts" }).click();
    await page.getByRole("row").filter({ hasText: "HTTP 500" }).getByText("First byte").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Answer" }).click();
    await page.getByRole("option", { name: "No answer" }).click();
    await page.keyboard.press("Escape");
    await page.getByText("No attempt matches").waitFor();
    expect(new URL(page.url()).searchParams.get("outcome")).toBe('["no_answer"]');
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Show every attempt" }).click();
    await page.getByRole("link", { name: "card.identified" }).click();
    await page.getByRole("dialog").getByText("Attempt 1").waitFor();
    await escape();
  });

  test("after days of failures it is disabled, its events dropped, and the account told", async () => {
    await house.ageFailures(6);
    await makeCards("Ash Sprite", "Tidecaller");
    await page.goto("/settings/webhooks");
    await page.getByText("since 6 days ago").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(endpointPath());
    await page.getByText("it only failed").waitFor({ timeout: checkDeadlineMs });
    await page.getByText("Endpoint was disabled").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await page.getByRole("button", { name: /^Notices, \d unread/ }).click();
    const notices = page.getByRole("dialog", { name: "Notices" });
    await notices.getByText(receiver.url).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await notices.getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("button", { name: "Notices", exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("cell", { name: /^Notice: disabled/ }).waitFor();
    await page.getByRole("cell", { name: /^Secret rotated/ }).waitFor();
    expect(await violations(page)).toEqual([]);
  }, 120_000);

  test("enabled again, what was dropped is resent by selection", async () => {
    receiver.reset();
    receiver.always({ kind: "status", status: 200 });
    await page.getByRole("button", { name: "Enable…" }).click();
    await page.getByRole("button", { name: "Enable endpoint" }).click();
    await page.getByRole("button", { name: "Recover…" }).waitFor();
    await page.getByRole("link", { name: "Deliveries" }).click();
    const dropped = page.getByRole("row").filter({ hasText: "Dropped" });
    await dropped.getByRole("checkbox").first().check();
    await page.getByText("1 selected").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Resend selected" }).click();
    await page.getByText("1 event on the way again.").waitFor();
    await page.getByRole("row").filter({ hasText: "Delivered" }).first().waitFor();
    expect(await receiver.waitFor(1)).toHaveLength(1);
  });

  test("what is missing is listed, and recovered by a job to its end", async () => {
    await page.getByRole("link", { name: "What is missing" }).click();
    await page.getByText("2 shown").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Recover what is missing…" }).click();
    const dialog = page.getByRole("dialog", { name: "Recover events" });
    await dialog.getByRole("radio", { name: "All that are missing" }).waitFor();
    expect(await violations(page)).toEqual([]);
    // The job ends once both are on their way, long before a slow receiver has them.
    const gate = Promise.withResolvers<void>();
    receiver.always({ kind: "held", until: gate.promise });
    await dialog.getByRole("button", { name: "Recover", exact: true }).click();
    await page.getByText("Recovery done").waitFor();
    await page.getByRole("status").getByText("2 events sent again").waitFor();
    await page.getByRole("cell", { name: "On its way" }).nth(1).waitFor();
    gate.resolve();
    await page.getByText("Nothing is missing").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await receiver.waitFor(3)).toHaveLength(3);
  });

  test("the snippet verifies by hand, in both ways", async () => {
    await page.getByRole("link", { name: "Verify signatures" }).click();
    await page
      .getByRole("region", { name: "receiver.mjs" })
      .getByText("verifyWebhook")
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByText("curl and openssl").click();
    await page.getByRole("region", { name: "Shell" }).getByText("openssl dgst").first().waitFor();
    expect(await page.content()).not.toContain(secret.slice(6));
  });

  test("every event, filtered by type, with an address that nobody knows", async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.getByText("6 shown").waitFor();
    expect(await page.getByRole("row").filter({ hasText: "Nobody subscribed" }).count()).toBe(3);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("combobox", { name: "Event type" }).click();
    await page.getByRole("option", { name: "batch.completed" }).click();
    await page.getByText("No event matches").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Show every event" }).click();
    // Of an event that was delivered too another copy can be had.
    const delivered = page.getByRole("row").filter({ hasText: "Delivered" }).first();
    await delivered.getByRole("link", { name: "card.identified" }).click();
    const drawer = page.getByRole("dialog", { name: "Event" });
    await drawer.getByRole("button", { name: /^Redeliver card.identified evt_/ }).click();
    await page.getByText("Delivered: HTTP 200").waitFor();
    await drawer.getByText("Resend number").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await escape();
    await page.goto("/settings/webhooks/whe_00000000000000000000000000");
    await page.getByText("The endpoint could not be loaded").waitFor();
    await page.getByText("not_found").waitFor();
    await page.getByRole("button", { name: "Retry" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await storedText(page, context)).not.toContain(secret.slice(6));
  });

  test("an endpoint is deleted, and nothing more is sent to it", async () => {
    await page.goto("/settings/webhooks");
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete endpoint" });
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete endpoint" }).click();
    await page.getByText("The endpoint is deleted.").waitFor();
    await page
      .getByRole("link", { name: `${receiver.url}/`, exact: true })
      .waitFor({ state: "detached" });
    await page.goto(endpointPath());
    await page.getByText("not_found").waitFor();
    expect(complaints).toEqual([]);
  });
});
