import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

describe("accounts.current", () => {
  test("200: who asks, in which account, as what", async () => {
    expect(await dealer.asOwner.accounts.current()).toMatchObject({
      user: { id: dealer.owner.userId, is_operator: false },
      account: { id: dealer.account.id, name: "Harbour Cards", status: "active" },
      role: "owner",
    });
  });

  test("404 not_found where the request names no account of the person's", async () => {
    const person = { ...dealer.owner, kind: "person" } as const;
    expect(await codeFrom(house.caller(person).accounts.current())).toBe("not_found");
  });
});

describe("accounts.createTest", () => {
  test("200: a test account of the same currency, which its maker can switch to", async () => {
    const made = await dealer.asOwner.accounts.createTest({});
    expect(made).toMatchObject({
      name: "Harbour Cards (test)",
      environment: "test",
      currency: "USD",
      live_account_id: dealer.account.id,
    });
    const { data } = await dealer.asOwner.accounts.mine();
    expect(data.map(({ account, role }) => [account.id, role])).toEqual([
      [dealer.account.id, "owner"],
      [made.id, "owner"],
    ]);
  });

  test("409 conflict for a second one, also at the same moment, and beside a test account", async () => {
    const live = await house.dealer("Twice Cards");
    const both = await Promise.allSettled([
      live.asOwner.accounts.createTest({}),
      live.asOwner.accounts.createTest({}),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await codeFrom(live.asOwner.accounts.createTest({}))).toBe("conflict");
    const trial = await house.dealer("Trial Cards", { environment: "test" });
    expect(await codeFrom(trial.asOwner.accounts.createTest({}))).toBe("conflict");
  });
});

describe("accounts.settings", () => {
  test("200: what is given changes, the rest stays", async () => {
    const before = await dealer.asOwner.accounts.settings.get();
    expect(before).toMatchObject({ sku_format: "{batch}-{n:5}", review_threshold: 0.85 });
    const limit = { amount: 50_000, currency: "USD" };
    const after = await dealer.asOwner.accounts.settings.update({ high_value_limit: limit });
    expect(after).toEqual({ ...before, high_value_limit: limit });
    expect(await dealer.asOwner.accounts.settings.get()).toEqual(after);
    const cleared = await dealer.asOwner.accounts.settings.update({ high_value_limit: null });
    expect(cleared).toEqual(before);
  });

  test("400 validation_failed for another currency, and for SKUs that would not be unique", async () => {
    const { update } = dealer.asOwner.accounts.settings;
    const limit = { amount: 1, currency: "EUR" };
    expect((await errorFrom(update({ high_value_limit: limit }))).details).toEqual([
      { path: "high_value_limit.currency", message: "Must be USD" },
    ]);
    expect(await codeFrom(update({ sku_format: "{batch}" }))).toBe("validation_failed");
    expect(await codeFrom(update({ review_threshold: 0.5 }))).toBe("validation_failed");
  });

  test("403 not_permitted for a member, who may look", async () => {
    const clerk = house.caller(await house.member(dealer, "Settings Clerk", "member"));
    expect((await clerk.accounts.settings.get()).name).toBe("Harbour Cards");
    expect(await codeFrom(clerk.accounts.settings.update({ name: "Mine" }))).toBe("not_permitted");
  });
});

describe("accounts.trail", () => {
  test("200: the latest first, page by page, each entry once", async () => {
    const busy = await house.dealer("Busy Cards");
    for (const name of ["a", "b", "c", "d"]) {
      await busy.asOwner.keys.create({ name });
      house.clock.advance(1);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await busy.asOwner.accounts.trail({ limit: 2, cursor });
      seen.push(...page.data.map(({ action, details }) => `${action} ${String(details["name"])}`));
      expect(page.has_more).toBe(page.next_cursor !== null);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual([
      "key.created d",
      "key.created c",
      "key.created b",
      "key.created a",
      "account.created Busy Cards",
    ]);
  });

  test("400 invalid_cursor", async () => {
    expect(await codeFrom(dealer.asOwner.accounts.trail({ cursor: "1; drop" }))).toBe(
      "invalid_cursor",
    );
  });
});
