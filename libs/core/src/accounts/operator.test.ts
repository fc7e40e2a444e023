import { VaultError } from "@cardvault/contract";
import { lockAccount } from "@cardvault/db";
import { waitFor } from "@cardvault/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authenticateToken } from "../keys/authenticate-token.ts";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { operatorAccess } from "./operator-access.ts";
import { removeAccount } from "./remove-account.ts";
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

const remove = (accountId: string, name: string) =>
  removeAccount(house.services, accountId, {
    name,
    listingsStay: false,
    removedBy: "root",
    forgetJobs: () => Promise.resolve(0),
  });

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

  test("a live account is restored although the test account beside it was removed before", async () => {
    const made = await dealer.asOwner.accounts.createTest({});
    await remove(made.id, made.name);
    await suspendAccount(house.services, await access(), "unpaid");
    expect((await restoreAccount(house.services, await access())).status).toBe("active");
  });
});

test("a test account that is asked for while its live account is being removed is not made", async () => {
  const leaving = await house.dealer("Leaving Cards");
  const { db } = house;
  const waiters = async (count: number): Promise<void> => {
    await waitFor(async () => {
      const waiting = await db.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length === count;
    });
  };
  // Both wait for the account, the removal first.
  const [removals, code] = await db.transaction(async (tx) => {
    await lockAccount(tx, leaving.account.id);
    const removal = remove(leaving.account.id, "Leaving Cards");
    await waiters(1);
    const asked = codeFrom(leaving.asOwner.accounts.createTest({}));
    await waiters(2);
    return [removal, asked] as const;
  });
  expect(await code).toBe("account_suspended");
  expect(await removals).toMatchObject([{ accountId: leaving.account.id }]);
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
