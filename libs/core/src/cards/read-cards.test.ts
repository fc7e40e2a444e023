import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId, toUuid } from "@cardvault/kit";
import { codeFrom, openHouse, tokenOf } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
  for (const title of ["Charged Serpent", "Quiet Lantern", "Tidal Warden"]) {
    await dealer.asOwner.cards.create({ title, location: title === "Quiet Lantern" ? "B" : "A" });
  }
});
afterAll(() => house.close());

describe("cards.list", () => {
  test("200: page by page, every card once", async () => {
    const titles: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await dealer.asOwner.cards.list({ limit: 2, sort: "title", cursor });
      titles.push(...page.data.map(({ title }) => title));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(titles).toEqual(["Charged Serpent", "Quiet Lantern", "Tidal Warden"]);
  });

  test("200: a token with cards:read gets the same as a session", async () => {
    const caller = house.caller(tokenOf(dealer, ["cards:read"]));
    expect(await caller.cards.list({ location: ["A"] })).toEqual(
      await dealer.asOwner.cards.list({ location: ["A"] }),
    );
  });

  test("400 for a wrong filter, and for a cursor of other filters", async () => {
    const { next_cursor } = await dealer.asOwner.cards.list({ limit: 1 });
    const cursor = next_cursor ?? "";
    expect(await codeFrom(dealer.asOwner.cards.list({ cursor, location: ["A"] }))).toBe(
      "invalid_cursor",
    );
    expect(await codeFrom(dealer.asOwner.cards.list({ status: ["lost" as "imported"] }))).toBe(
      "validation_failed",
    );
  });

  test("403 insufficient_scope", async () => {
    const caller = house.caller(tokenOf(dealer, ["listings:read"]));
    expect(await codeFrom(caller.cards.list({}))).toBe("insufficient_scope");
  });
});

describe("cards.get", () => {
  test("200: its photos have addresses that this service signed", async () => {
    const { id } = await dealer.asOwner.cards.create({ title: "Pictured" });
    const photoId = newId("img");
    await house.db.query(
      `insert into photo (id, account_id, card_id, side, content_hash, width, height, created_at)
       values ($1, $2, $3, 'front', '\\x00', 600, 840, now())`,
      [toUuid(photoId), toUuid(dealer.account.id), toUuid(id)],
    );
    const [photo] = (await dealer.asOwner.cards.get({ id })).photos;
    expect(photo).toMatchObject({ id: photoId, side: "front", width: 600, height: 840 });
    const signature = new URL(photo?.thumbnail_url ?? "").searchParams.get("s") ?? "";
    expect(house.services.photoUrls.isSigned(photoId, "thumbnail", signature)).toBe(true);
  });

  test.each(["nonsense", "card_01kjn2z6g0fgz9pqafd9r83gq3"])("404 for %s", async (id) => {
    expect(await codeFrom(dealer.asOwner.cards.get({ id }))).toBe("card_not_found");
  });
});
