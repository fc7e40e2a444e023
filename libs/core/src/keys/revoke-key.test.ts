import { afterAll, beforeAll, expect, test } from "vitest";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

test("200: the key is revoked, and stays so at the moment of the first call", async () => {
  const { key } = await dealer.asOwner.keys.create({ name: "till" });
  const revoked = await dealer.asOwner.keys.revoke({ id: key.id });
  expect(revoked).toMatchObject({ status: "revoked", revoked_at: house.clock.now().toISOString() });
  house.clock.advance(1_000);
  expect(await dealer.asOwner.keys.revoke({ id: key.id })).toEqual(revoked);
  const { data } = await dealer.asOwner.accounts.trail({});
  expect(data.filter(({ action }) => action === "key.revoked")).toHaveLength(1);
});

test.each(["nonsense", "key_01kjn2z6g0fgz9pqafd9r83gq3"])("404 not_found for %j", async (id) => {
  expect(await codeFrom(dealer.asOwner.keys.revoke({ id }))).toBe("not_found");
});
