import { newId, toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, openHouse, tokenOf } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
let cardId: string;
const listingId = newId("lst");
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
  cardId = (await dealer.asOwner.cards.create({ title: "Charged Serpent" })).id;
  await house.db.query(
    `insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity,
       external_listing_id, url, published_at, created_at, updated_at)
     values ($1, $2, $3, 'ebay', 'live', 'Charged Serpent', 1250, 1, '110554871203',
       'https://www.ebay.com/itm/110554871203', now(), now(), now())`,
    [listingId, dealer.account.id, cardId].map((id) => toUuid(id)),
  );
});
afterAll(() => house.close());

describe("200", () => {
  test("by status and card, for a token and for a session", async () => {
    const query = { status: ["live" as const], card: [cardId] };
    const page = await dealer.asOwner.listings.list(query);
    expect(page).toMatchObject({
      data: [{ id: listingId, card_id: cardId, price: { amount: 1250, currency: "USD" } }],
      has_more: false,
    });
    const caller = house.caller(tokenOf(dealer, ["listings:read"]));
    expect(await caller.listings.list(query)).toEqual(page);
    expect((await caller.listings.list({ status: ["sold"] })).data).toEqual([]);
  });

  test("while it is live, nobody moves the card by hand, and its price asks for a revision", async () => {
    const { cards } = dealer.asOwner;
    const archive = cards.update({ id: cardId, workflow_status: "archived" });
    expect(await codeFrom(archive)).toBe("invalid_transition");
    const asking_price = { amount: 990, currency: "USD" };
    await cards.update({ id: cardId, asking_price });
    // A second change before the first is brought asks for no second job.
    await cards.update({ id: cardId, asking_price: { amount: 980, currency: "USD" } });
    const jobs = await house.db.query<{ kind: string; payload: unknown; created_by: string }>(
      "select kind, payload, created_by from job",
    );
    expect(jobs).toEqual([
      {
        kind: "revise_listing",
        payload: { listingId, actor: { kind: "member", id: dealer.owner.userId } },
        created_by: dealer.owner.userId,
      },
    ]);
    const { publication } = await dealer.asOwner.listings.get({ id: listingId });
    expect(publication?.pending).toEqual(["price"]);
  });
});

test("400 validation_failed for a status that there is not", async () => {
  const status = ["lost" as "live"];
  expect(await codeFrom(dealer.asOwner.listings.list({ status }))).toBe("validation_failed");
});

test("403 insufficient_scope", async () => {
  const caller = house.caller(tokenOf(dealer, ["cards:read"]));
  expect(await codeFrom(caller.listings.list({}))).toBe("insufficient_scope");
});
