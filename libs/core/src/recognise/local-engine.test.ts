import { toUuid } from "@cardvault/kit";
import { createRecogniser } from "@cardvault/recogniser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provideInventedCatalogue } from "../catalogue/provide-invented.ts";
import type { EnginePicture } from "../identify/engines.ts";
import { pictureBytes, upload } from "../photos/test-pictures.ts";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { createLearner } from "./learn.ts";
import type { LearnerOptions } from "./learn.ts";
import { localEngine } from "./local-engine.ts";

let house: House;
let dealer: Dealer;
let other: Dealer;
const recogniser = createRecogniser({ threads: 1 });
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards", { environment: "test" });
  other = await house.dealer("Other Cards", { environment: "test" });
  await provideInventedCatalogue(house.services);
});
afterAll(async () => {
  await recogniser.close();
  await house.close();
});

const identify = (of: Dealer, bytes: Uint8Array) => {
  const picture: EnginePicture = { side: "front", mediaType: "image/webp", bytes };
  return localEngine({ db: house.db, recogniser }).identify(
    { pictures: [picture], accountId: of.account.id },
    AbortSignal.timeout(60_000),
  );
};

describe("what an account has confirmed", () => {
  test("is learned once, identifies the same card again, and nobody else's", async () => {
    const bytes = await pictureBytes(77);
    const card = await dealer.asOwner.cards.create({});
    const { id } = await upload(house, dealer, bytes);
    await dealer.asOwner.photos.attach({
      card_id: card.id,
      photos: [{ photo_id: id, side: "front" }],
    });
    const learner = createLearner({ ...house, ...house.services, recogniser });
    // Nobody has said what it is.
    expect(await learner.once()).toBe(0);
    await dealer.asOwner.cards.update({
      id: card.id,
      title: "Charged Serpent",
      set: "Ember Coast",
      number: "12/142",
    });
    expect(await learner.once()).toBe(1);
    expect(await learner.once()).toBe(0);
    const again = await pictureBytes(77, { quality: 50 });
    const { candidates } = await identify(dealer, again);
    expect(candidates[0]).toMatchObject({
      confidence: 0.9,
      fields: { title: "Charged Serpent", set: "Ember Coast", number: "12/142" },
    });
    expect((await identify(other, again)).candidates).toEqual([]);
    expect((await identify(dealer, await pictureBytes(78))).candidates).toEqual([]);
    // What its looks mean is what the card says now.
    await dealer.asOwner.cards.update({ id: card.id, title: "Charged Serpent (misprint)" });
    expect((await identify(dealer, again)).candidates[0]?.fields.title).toBe(
      "Charged Serpent (misprint)",
    );
  });
});

describe("learning goes on where it ended", () => {
  /** Cards that one commit has changed, all identified by hand, all with the same picture as their front. */
  async function many(of: Dealer, count: number): Promise<void> {
    const card = await of.asOwner.cards.create({ title: "Tidal Warden", number: "13/142" });
    const { id } = await upload(house, of, await pictureBytes(90));
    await of.asOwner.photos.attach({ card_id: card.id, photos: [{ photo_id: id, side: "front" }] });
    await house.db.query(
      `with made as (
         insert into card (id, account_id, status, workflow_status, title, identified_by, identified_at, created_at, updated_at)
         select uuidv7(), account_id, status, workflow_status, title, identified_by, identified_at, created_at, updated_at
         from card, generate_series(2, $2) where id = $1 returning id, account_id)
       insert into photo (id, account_id, card_id, side, content_hash, width, height, created_at)
       select uuidv7(), made.account_id, made.id, 'front', p.content_hash, p.width, p.height, p.created_at
       from made, photo p where p.card_id = $1`,
      [toUuid(card.id, "card"), count],
    );
  }
  const learner = (more: Partial<LearnerOptions> = {}) =>
    createLearner({ ...house, ...house.services, recogniser, ...more });

  test("after months, and in the middle of many cards with one stamp", async () => {
    const shop = await house.dealer("Many Cards", { environment: "test" });
    await many(shop, 60);
    house.clock.advance(90 * 24 * 60 * 60 * 1_000);
    expect(await learner().once()).toBe(50);
    // What is another account's does not wait for the rest.
    await many(other, 1);
    expect(await learner().once()).toBe(11);
    expect(await learner().once()).toBe(0);
  });

  test("a store that is away costs nobody a card; a file that is gone is passed over", async () => {
    const shop = await house.dealer("Away Cards", { environment: "test" });
    await many(shop, 2);
    const { pictureStore } = house.services;
    const away = { ...pictureStore, get: () => Promise.reject(new Error("The store is away")) };
    const gone = { ...pictureStore, get: async () => null };
    expect(await learner({ pictureStore: away }).once()).toBe(0);
    expect(await learner().once()).toBe(2);
    await many(shop, 2);
    expect(await learner({ pictureStore: gone }).once()).toBe(0);
    expect(await learner().once()).toBe(0);
  });

  test("two at once learn each photo once, and neither takes the other back", async () => {
    const shop = await house.dealer("Two Learners", { environment: "test" });
    await many(shop, 4);
    await Promise.all([learner().once(), learner().once()]);
    expect(await learner().once()).toBe(0);
    const learned = await house.db.query("select 1 from learned_hash where account_id = $1", [
      toUuid(shop.account.id),
    ]);
    expect(learned).toHaveLength(4);
  });
});

test("what cannot be decoded is an error of ours, and says nothing of the file", async () => {
  await expect(identify(dealer, Buffer.from("no picture"))).rejects.toMatchObject({
    code: "unreadable_picture",
  });
});
