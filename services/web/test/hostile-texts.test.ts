import { accountHeader } from "@cardvault/contract";
import type { Batch, Card, CardImport, Job, Listing, UploadAnswer } from "@cardvault/contract";
import { startReceiver, waitFor } from "@cardvault/testkit";
import type { Receiver } from "@cardvault/testkit";
import { readFile } from "node:fs/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 240_000 });

/** Each text has a word of its own, by which a page shows that it has shown it. */
const words = (name: string): string => `planted-${name}`;
/** Markup in every way that has ever run something, and letters that turn the line around. */
const hostile = (name: string): string =>
  `${words(name)}<img data-planted src=x onerror=planted()><svg data-planted onload=planted()>"'</td>\u202e`;
const longHostile = (name: string): string =>
  `${hostile(name)}<script data-planted>planted()</script></script></textarea><a data-planted href="javascript:planted()">` +
  `\${planted()}{{planted()}}<iframe data-planted srcdoc="<script>parent.planted()</script>"></iframe>[x](javascript:planted())`;
const formulas = [
  "=planted()",
  "+planted()",
  "-planted()",
  "@planted()",
  "\tplanted()",
  "\rplanted()",
];

describeInBrowser("whatever anybody writes, it is text on every page", () => {
  let house: House;
  let browser: Browser;
  let receiver: Receiver;
  let owner: Person;
  let page: Page;
  let context: BrowserContext;
  let complaints: string[];
  /** What ran, was asked, was reported against the policy, or was fetched from elsewhere. */
  const harm: string[] = [];

  beforeAll(async () => {
    [house, browser, receiver] = await Promise.all([
      openHouse({ withSandbox: true }),
      launch(),
      startReceiver(),
    ]);
    owner = await house.makeOwner("Mara");
    await house.makeOperator(owner.email);
    // The list of sessions shows what a browser says of itself.
    ({ page, context, complaints } = await openPage(
      browser,
      house.url,
      hostile("agent").replace("\u202e", ""),
    ));
    await context.exposeFunction("planted", () => harm.push(`ran on ${page.url()}`));
    await context.exposeFunction("reported", (what: string) => harm.push(`reported ${what}`));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const { reported } = globalThis as unknown as { reported: (what: string) => void };
        reported(`${event.violatedDirective}: ${event.blockedURI}`);
      });
    });
    page.on("dialog", (dialog) => {
      harm.push(`asked ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on("request", (request) => {
      const { origin, protocol, pathname } = new URL(request.url());
      const isForeign = protocol.startsWith("http") && origin !== house.url;
      if (isForeign || pathname.endsWith("/x")) harm.push(`fetched ${request.url()}`);
    });
    await page.goto("/");
    await signIn(page, owner);
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.stop();
    await house?.close();
  });

  const mutate = <Answer>(procedure: string, input: unknown): Promise<Answer> =>
    house.mutate<Answer>(context, owner, procedure, input);
  async function ask<Answer>(procedure: string, input: unknown): Promise<Answer> {
    const query = encodeURIComponent(JSON.stringify(input));
    const headers = { [accountHeader]: owner.accountId };
    const response = await context.request.get(`/trpc/${procedure}?input=${query}`, { headers });
    return ((await response.json()) as { result: { data: Answer } }).result.data;
  }
  const upload = async <Answer>(path: string, name: string, bytes: Buffer): Promise<Answer> => {
    const response = await context.request.post(path, {
      multipart: { file: { name, mimeType: "text/html", buffer: bytes } },
      headers: { [accountHeader]: owner.accountId, origin: house.url },
    });
    return (await response.json()) as Answer;
  };

  /** Opens a page, waits until all of it and the planted words are shown, and looks at what has become of them. */
  async function shows(path: string, ...names: string[]): Promise<void> {
    if (path !== "") await page.goto(path);
    await waitFor(
      () =>
        page.evaluate(
          () =>
            document.querySelector("main h1") !== null &&
            document.querySelector("[aria-busy=true], .mantine-Skeleton-root") === null,
        ),
      { deadlineMs: 40_000, what: `${path || page.url()} to have loaded` },
    );
    for (const name of names) {
      await waitFor(
        () =>
          page.evaluate((wanted) => {
            const fields = [...document.querySelectorAll("input, textarea")];
            return (
              document.body.outerHTML.includes(wanted) ||
              fields.some((field) => (field as HTMLInputElement).value.includes(wanted))
            );
          }, words(name)),
        { deadlineMs: 40_000, what: `${path || page.url()} to show ${words(name)}` },
      );
    }
    const found = await page.evaluate(() => ({
      elements: [...document.querySelectorAll("[data-planted]")].map(({ outerHTML }) => outerHTML),
      // An address that is no page of the web runs, or opens a file of this machine.
      addresses: [...document.querySelectorAll("[href], [src], [action], [formaction]")].flatMap(
        (element) =>
          ["href", "src", "action", "formaction"].flatMap((name) => {
            const value = element.getAttribute(name);
            if (value === null) return [];
            const { protocol } = new URL(value, document.baseURI);
            const isPicture = name === "src" && /^(?:data:image\/|blob:)/.test(value);
            return ["http:", "https:"].includes(protocol) || isPicture ? [] : [value];
          }),
      ),
      handlers: [...document.querySelectorAll("*")].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith("on")),
      ),
    }));
    expect(found).toEqual({ elements: [], addresses: [], handlers: [] });
    expect(harm).toEqual([]);
    expect(complaints).toEqual([]);
  }

  let batch: Batch;
  let card: Card;

  test("of a card, its batch and its places", async () => {
    batch = await mutate<Batch>("batches.create", {
      name: hostile("batch"),
      source: hostile("source"),
      description: longHostile("description"),
    });
    card = await house.makePhotographed(context, owner, "applied", {
      batch_id: batch.id,
      sku: "<b data-planted>",
      title: hostile("title"),
      set: hostile("set"),
      subject: hostile("subject"),
      team: hostile("team"),
      variant: hostile("variant"),
      condition: "near_mint",
      game: "Tidewing",
      location: words("place<b data-planted>"),
      notes: longHostile("notes"),
      tags: [words("tag<b data-planted>")],
      external_ids: { tcgdex: hostile("id").slice(0, 90) },
      asking_price: { amount: 2_000, currency: "USD" },
    });
    await shows("/inventory", "title", "set", "place");
    await shows("/inventory?view=grid", "title");
    await shows(`/inventory/${card.id}`, "title", "set", "subject", "team", "variant", "notes");
    await shows("/inventory/bulk-edit?workflow_status=priced", "title");
    await shows("/inventory/batches", "batch");
    await shows(`/inventory/batches/${batch.id}`, "batch", "source", "description");
    await shows("/", "batch");
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Go to" }).fill("planted");
    await page.getByRole("button", { name: /^planted-title/ }).waitFor();
    await shows("", "title");
    expect(harm).toEqual([]);
  });

  test("of settings, views, keys and templates", async () => {
    await mutate("views.create", { name: hostile("view").slice(0, 60) });
    await mutate("keys.create", { name: hostile("key").slice(0, 100) });
    await mutate("signIn.rename", { name: hostile("person").slice(0, 100) });
    await mutate("accounts.settings.update", { name: hostile("account").slice(0, 100) });
    await shows("/settings/api", "key", "person", "account");
    await shows("/settings/profile", "person", "agent");
    await shows("/settings/account", "person", "account");
    await shows("/inventory", "title");
    await page.getByRole("button", { name: "All cards" }).click();
    await shows("", "view");
    // An operator sees every account.
    await shows("/jobs", "account");
    await mutate("signIn.rename", { name: "Mara" });
    await mutate("accounts.settings.update", { name: "Quayside" });
    expect(harm).toEqual([]);
  });

  test("of a receiver: what it answers, and what it is called", async () => {
    receiver.always({
      kind: "status",
      status: 500,
      headers: { "content-type": "text/html", "x-reason": words("header<img src=x>") },
      body: `<!doctype html>${longHostile("answer")}`,
    });
    const { endpoint } = await mutate<{ endpoint: { id: string } }>("webhooks.endpoints.create", {
      url: `${receiver.url}/${encodeURIComponent("<img data-planted src=x onerror=planted()>")}`,
      description: hostile("endpoint"),
      events: ["card.priced"],
    });
    await mutate("cards.update", { id: card.id, location: "A-1" });
    const { id } = await mutate<Card>("cards.create", { title: hostile("event") });
    const asking_price = { amount: 100, currency: "USD" };
    await mutate("cards.update", { id, asking_price });
    await receiver.waitFor(1);
    const at = `/settings/webhooks/${endpoint.id}`;
    await page.goto(at);
    await page.getByRole("row").filter({ hasText: "Waiting for a retry" }).waitFor();
    await page.getByRole("link", { name: "card.priced" }).click();
    await shows("", "answer", "header");
    await shows(`${at}?tab=attempts`);
    await page.getByRole("row").filter({ hasText: "500" }).first().waitFor();
    await shows(`${at}?tab=timeline`);
    await shows("/settings/webhooks", "endpoint");
    await shows("/events");
    await mutate("webhooks.endpoints.update", { id: endpoint.id, enabled: false });
    await page.goto("/events/dropped");
    await page.getByRole("row").filter({ hasText: "card.priced" }).waitFor();
    await shows("");
    expect(harm).toEqual([]);
  });

  test("of providers and of the marketplace", async () => {
    for (const protocol of ["cardsight", "google", "ebay"]) {
      await house.control("/faults", { protocol, fault: "hostile" });
    }
    const asked = await house.makePhotographed(context, owner, "low_confidence", {});
    await mutate("identifications.identify", { card_id: asked.id });
    await shows(`/inventory/${asked.id}`);
    await page.goto("/review");
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await shows("");
    await shows(`/inventory/${card.id}`, "title");
    const listing = await mutate<Listing>("listings.publish", { cardId: card.id });
    await waitFor(
      async () => JSON.stringify(await ask("listings.get", { id: listing.id })).includes('"live"'),
      { deadlineMs: 60_000, what: "the listing to be live" },
    );
    // What a buyer is called comes with the order.
    await house.control(`/ebay/${owner.accountId}/orders`, {
      lines: [{ sku: card.sku }],
      buyer: "<img data-planted src=x onerror=planted()>",
    });
    await mutate("cards.recordSale", {
      id: asked.id,
      price: { amount: 100, currency: "USD" },
      place: hostile("place").slice(0, 60),
      note: longHostile("note"),
    });
    await shows("/sales?tab=ledger", "place");
    await shows("/sales");
    await shows(`/inventory/${asked.id}`, "place");
    expect(harm).toEqual([]);
  });

  test("of a list and of pictures: their names and what is in them", async () => {
    const rows = formulas.map((formula, row) => [
      formula,
      `F-${row}`,
      `${words("cell")}<img data-planted src=x>`,
      longHostile(`row${row}`),
    ]);
    const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const csv = [["Name", "SKU", "Quantity", "Notes"], ...rows]
      .map((cells) => cells.map(cell).join(","))
      .join("\r\n");
    const list = await upload<CardImport>(
      "/trpc/files/import",
      `${words("file")}<img data-planted src=x onerror=planted()>.csv`,
      Buffer.from(csv),
    );
    await page.goto(`/import/csv?import=${list.id}`);
    await page.getByRole("button", { name: "Check every row" }).click();
    await page.getByRole("button", { name: "Download the bad rows" }).waitFor();
    await shows(`/import/csv?import=${list.id}&rows=invalid`, "file", "cell");

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the bad rows" }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).not.toMatch(/[<>/\\]/);
    const text = await readFile(await saved.path(), "utf8");
    const cells = text.match(/(?<=^|,|\n)(?:"(?:[^"]|"")*"|[^,\n]*)/gu) ?? [];
    expect(cells.length).toBeGreaterThan(formulas.length * 4);
    expect(cells.filter((one) => /^\ufeff?"?[=+\-@\t\r]/u.test(one))).toEqual([]);

    const made = await mutate<{ id: string }>("photoImports.create", { batch_id: batch.id });
    const { buffer } = await house.samplePhoto("applied");
    await upload<UploadAnswer>(
      `/photos?import=${made.id}`,
      `${words("photo")}<img data-planted src=x onerror=planted()>.jpg`,
      buffer,
    );
    await shows(`/import?import=${made.id}`, "photo");
  });

  test("of a job: its reasons, and the labels that it prints", async () => {
    const job = await mutate<Job>("bulk.start", {
      selection: { ids: [card.id] },
      action: { type: "identify" },
    });
    await waitFor(async () => (await ask<Job>("jobs.get", { id: job.id })).finished_at !== null, {
      deadlineMs: 60_000,
      what: "the job to end",
    });
    await shows("/inventory", "title");
    const labels = await context.request.post("/inventory/labels", {
      data: {
        subjects: { type: "cards", selection: { ids: [card.id] } },
        template: "avery_l7160",
        format: "svg",
      },
      headers: { [accountHeader]: owner.accountId, origin: house.url },
    });
    expect(labels.headers()).toMatchObject({
      "content-security-policy": expect.stringContaining("default-src 'none'") as string,
      "content-disposition": expect.stringMatching(/^attachment/) as string,
      "x-content-type-options": "nosniff",
    });
    // Letters are outlines: no text of anybody's stands in it.
    expect(await labels.text()).not.toMatch(/planted|<script|<image|href|on[a-z]+=/i);
  });
});
