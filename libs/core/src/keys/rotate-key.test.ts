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

const unknown = "key_01kjn2z6g0fgz9pqafd9r83gq3";
async function statusOf(id: string) {
  const { data } = await dealer.asOwner.keys.list();
  return data.find((key) => key.id === id)?.status;
}

describe("200", () => {
  test("the new key has the old one's name and scopes; the old one ends after 24 hours", async () => {
    const old = await dealer.asOwner.keys.create({ name: "till", scopes: ["cards:read"] });
    const made = await dealer.asOwner.keys.rotate({ id: old.key.id });
    expect(made.key).toMatchObject({ name: "till", scopes: ["cards:read"], status: "active" });
    expect(made.token).not.toBe(old.token);
    expect(await statusOf(old.key.id)).toBe("ending");
    house.clock.advance(86_400_000);
    expect(await statusOf(old.key.id)).toBe("expired");
  });

  test("now means now", async () => {
    const old = await dealer.asOwner.keys.create({ name: "till" });
    await dealer.asOwner.keys.rotate({ id: old.key.id, old_ends: "now" });
    expect(await statusOf(old.key.id)).toBe("expired");
  });
});

describe("404 not_found, the same for every id that is not the account's", () => {
  test.each(["", "nonsense", unknown, "card_01kjn2z6g0fgz9pqafd9r83gq3"])("%j", async (id) => {
    const error = await errorFrom(dealer.asOwner.keys.rotate({ id }));
    expect([error.code, error.message]).toEqual([
      "not_found",
      "There is no such thing in this account.",
    ]);
  });
});

describe("409 conflict", () => {
  test("for a key that is ending already", async () => {
    const { key } = await dealer.asOwner.keys.create({ name: "till" });
    await dealer.asOwner.keys.rotate({ id: key.id });
    expect(await codeFrom(dealer.asOwner.keys.rotate({ id: key.id }))).toBe("conflict");
  });

  test("for a revoked key", async () => {
    const { key } = await dealer.asOwner.keys.create({ name: "till" });
    await dealer.asOwner.keys.revoke({ id: key.id });
    expect(await codeFrom(dealer.asOwner.keys.rotate({ id: key.id }))).toBe("conflict");
  });

  test("for the second of two rotations at the same moment", async () => {
    const { key } = await dealer.asOwner.keys.create({ name: "till" });
    const both = await Promise.allSettled([
      dealer.asOwner.keys.rotate({ id: key.id }),
      dealer.asOwner.keys.rotate({ id: key.id }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});
