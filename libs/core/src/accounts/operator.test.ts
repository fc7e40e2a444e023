import { VaultError } from "@cardvault/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authenticateToken } from "../keys/authenticate-token.ts";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { operatorAccess } from "./operator-access.ts";
import { setLimits } from "./set-limits.ts";
import { restoreAccount, suspendAccount } from "./suspend-account.ts";

let house: House;
let dealer: Dealer;
let token: string;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
  ({ token } = await dealer.asOwner.keys.create({ name: "till" }));
});
afterAll(() => house.close());

const access = () => operatorAccess(house.db, dealer.account.id, "root");
const authenticate = () => authenticateToken(house.services, `Bearer ${token}`, house.clock.now());

describe("suspending and restoring", () => {
  test("tokens answer 403 at once, although they were cached, and work again after", async () => {
    await authenticate();
    const suspended = await suspendAccount(house.services, await access(), "unpaid");
    expect(suspended.status).toBe("suspended");
    expect(await codeFrom(authenticate())).toBe("account_suspended");
    const restored = await restoreAccount(house.services, await access());
    expect(restored.status).toBe("active");
    expect((await authenticate()).accountId).toBe(dealer.account.id);
    const { data } = await dealer.asOwner.accounts.trail({ limit: 2 });
    expect(data).toMatchObject([
      { action: "account.restored", actor: { kind: "operator", id: "root" } },
      { action: "account.suspended", details: { reason: "unpaid" } },
    ]);
  });

  test("409 invalid_transition for what it is already", async () => {
    expect(await codeFrom(restoreAccount(house.services, await access()))).toBe(
      "invalid_transition",
    );
    await suspendAccount(house.services, await access(), "unpaid");
    expect(await codeFrom(suspendAccount(house.services, await access(), "again"))).toBe(
      "invalid_transition",
    );
    await restoreAccount(house.services, await access());
  });
});

test("limits are the principal's at once; null goes back to the default", async () => {
  await authenticate();
  await setLimits(house.services, await access(), { read: 600, write: 200 });
  expect((await authenticate()).limits).toEqual({ read: 600, write: 200, ai: undefined });
  await setLimits(house.services, await access(), { read: null });
  expect((await authenticate()).limits).toEqual({ read: undefined, write: 200, ai: undefined });
});

test.each(["nonsense", "acc_01kjn2z6g0fgz9pqafd9r83gq3"])("not_found for %s", async (id) => {
  await expect(operatorAccess(house.db, id, null)).rejects.toBeInstanceOf(VaultError);
});
