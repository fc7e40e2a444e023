import { createRecogniser } from "@cardvault/recogniser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provideInventedCatalogue } from "../catalogue/provide-invented.ts";
import type { EnginePicture } from "../identify/engines.ts";
import { pictureBytes, upload } from "../photos/test-pictures.ts";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { createLearner } from "./learn.ts";
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

test("what cannot be decoded is an error of ours, and says nothing of the file", async () => {
  await expect(identify(dealer, Buffer.from("no picture"))).rejects.toMatchObject({
    code: "unreadable_picture",
  });
});
