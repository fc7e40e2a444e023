import { waitFor } from "@cardvault/testkit";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeInBrowser, launch, openPage, signIn, violations } from "./browser.ts";
import { openHouse } from "./house.ts";
import type { House, Person } from "./house.ts";

vi.setConfig({ testTimeout: 120_000 });

describeInBrowser("two people in one account, against the started service", () => {
  let house: House;
  let browser: Browser;
  let owner: Person;
  let here: Page;
  let complaints: string[];
  let there: BrowserContext;

  beforeAll(async () => {
    [house, browser] = await Promise.all([openHouse(), launch()]);
    owner = await house.makeOwner("Mara");
    const first = await openPage(browser, house.url);
    const second = await openPage(browser, house.url);
    ({ page: here, complaints } = first);
    there = second.context;
    for (const { page } of [first, second]) {
      await page.goto("/inventory");
      await signIn(page, owner);
      await page.getByText("No cards yet").waitFor();
    }
  });
  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const row = (title: string) => here.getByRole("row").filter({ hasText: title });
  const made = (title: string) =>
    house.mutate<{ id: string }>(there, owner, "cards.create", { title });

  test("a card that one adds and prices shows on the other's list", async () => {
    const { id } = await made("Ash Sprite");
    await row("Ash Sprite").getByText("Identified").waitFor();
    await house.mutate(there, owner, "cards.update", {
      id,
      asking_price: { amount: 1250, currency: "USD" },
    });
    await row("Ash Sprite").getByText("12.50").waitFor();
    await row("Ash Sprite").getByText("Priced").waitFor();
    expect(await here.getByText("Not live").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("one that no longer fits the filter stays where it is until the list is asked for anew", async () => {
    await here.goto("/inventory?workflow_status=identified");
    await here.getByText("No card matches").waitFor();
    const { id } = await made("Tidecaller");
    await row("Tidecaller").waitFor();
    await house.mutate(there, owner, "cards.update", { id, workflow_status: "archived" });
    await row("Tidecaller").getByText("Archived").waitFor();
    await here.getByRole("button", { name: "1 gone: refresh" }).click();
    await here.getByText("No card matches").waitFor();
    expect(await row("Tidecaller").count()).toBe(0);
  });

  test("what changes while a list is on its way is shown as it is then", async () => {
    const { id } = await made("Reed Heron");
    // Where it is not shown yet: what is in sight is asked for again anyway.
    await here.goto("/inventory?search=sprite");
    await row("Ash Sprite").waitFor();
    let heard = 0;
    // Asked for with the list, and once more at the moment at which the page hears of the change.
    const count = (request: Request): void => {
      if (/cards\.totals.*heron/u.test(request.url())) heard += 1;
    };
    here.on("request", count);
    await here.route(
      "**/trpc/cards.ids**",
      async (route) => {
        const response = await route.fetch();
        await house.mutate(there, owner, "cards.update", { id, location: "C-7" });
        await waitFor(() => heard === 2, { what: "the change to be heard of" });
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await here.getByRole("searchbox", { name: "Search the inventory" }).fill("heron");
    await row("Reed Heron").getByText("C-7").waitFor();
    expect(await row("Ash Sprite").count()).toBe(0);
    here.off("request", count);
  });

  test("while nothing is heard the page says so, and then shows what was missed", async () => {
    await here.route("**/trpc/live.follow**", (route) => route.abort());
    await here.goto("/inventory");
    await row("Ash Sprite").waitFor();
    await here.getByText("Not live: connecting again").waitFor();
    expect(await violations(here)).toEqual([]);
    await made("Lantern Fox");
    await here.unroute("**/trpc/live.follow**");
    await here.getByRole("button", { name: "Show 1 new" }).click();
    await row("Lantern Fox").waitFor();
    await here.getByText("Not live").waitFor({ state: "detached" });
  });
});
