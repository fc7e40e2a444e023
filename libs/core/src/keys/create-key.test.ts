import { scopes } from "@cardvault/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operatorAccess } from "../accounts/operator-access.ts";
import { setLimits } from "../accounts/set-limits.ts";
import { tokenWindow } from "../limits/limiter.ts";
import { codeFrom, openHouse, tokenOf } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { hashToken } from "./token.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

test("keys.usage says what stands in a key's windows, and the account's own limits", async () => {
  const { key } = await dealer.asOwner.keys.create({ name: "busy" });
  const { services, clock } = house;
  const window = tokenWindow(key.id, "write");
  await services.limiter.take({ key: window, limit: 20, now: clock.now() });
  await services.limiter.take({ key: window, limit: 20, now: clock.now() });
  const operator = await operatorAccess(house.db, dealer.account.id, null);
  await setLimits(services, operator, { ai: 30 });
  const { data } = await dealer.asOwner.keys.usage();
  expect(data.find(({ key_id: id }) => id === key.id)?.classes).toEqual([
    { class: "read", used: 0, limit: 60 },
    { class: "write", used: 2, limit: 20 },
    { class: "ai", used: 0, limit: 30 },
  ]);
  await dealer.asOwner.keys.revoke({ id: key.id });
  const after = await dealer.asOwner.keys.usage();
  expect(after.data.some(({ key_id: id }) => id === key.id)).toBe(false);
});

describe("200", () => {
  test("shows the token once; the database has its hash, prefix and last four", async () => {
    const { key, token } = await dealer.asOwner.keys.create({ name: "till" });
    expect(key).toMatchObject({ name: "till", status: "active", prefix: "cv_live_" });
    expect(key.last_four).toBe(token.slice(-4));
    const rows = await house.db.query<{ token_hash: Buffer }>("select * from api_key");
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows.map((row) => row.token_hash)).toContainEqual(hashToken(token));
    expect(JSON.stringify(await dealer.asOwner.keys.list())).not.toContain(token);
  });

  test("has every scope unless told otherwise", async () => {
    const all = await dealer.asOwner.keys.create({ name: "all" });
    expect(all.key.scopes).toEqual(scopes);
    const one = await dealer.asOwner.keys.create({ name: "one", scopes: ["cards:read"] });
    expect(one.key.scopes).toEqual(["cards:read"]);
  });

  test("a test account's key is a test key", async () => {
    const test = await house.dealer("Trial Cards", { environment: "test" });
    const { key, token } = await test.asOwner.keys.create({ name: "k" });
    expect([key.prefix, token.slice(0, 8)]).toEqual(["cv_test_", "cv_test_"]);
  });

  test("stands in the trail, without the token", async () => {
    const { key, token } = await dealer.asOwner.keys.create({ name: "audited" });
    const [entry] = (await dealer.asOwner.accounts.trail({})).data;
    expect(entry).toMatchObject({
      actor: { kind: "member", id: dealer.owner.userId },
      action: "key.created",
      details: { name: "audited", subject: key.id },
    });
    expect(JSON.stringify(entry)).not.toContain(token);
  });
});

test.each([{ name: "" }, { name: "k", scopes: [] }, { name: "k", scopes: ["all"] }])(
  "400 validation_failed for %j",
  async (input) => {
    expect(await codeFrom(dealer.asOwner.keys.create(input as { name: string }))).toBe(
      "validation_failed",
    );
  },
);

test("401 sign_in_required without a session, and for a token", async () => {
  const callers = [house.caller(null), house.caller(tokenOf(dealer, scopes))];
  for (const caller of callers) {
    expect(await codeFrom(caller.keys.create({ name: "k" }))).toBe("sign_in_required");
  }
});

test("403 not_permitted for a member", async () => {
  const clerk = await house.member(dealer, "Key Clerk", "member");
  expect(await codeFrom(house.caller(clerk).keys.create({ name: "k" }))).toBe("not_permitted");
});

test("403 account_suspended while the account is", async () => {
  const suspended = house.caller({ ...dealer.owner, isSuspended: true });
  expect(await codeFrom(suspended.keys.create({ name: "k" }))).toBe("account_suspended");
  expect((await suspended.keys.list()).data.length).toBeGreaterThan(0);
});
