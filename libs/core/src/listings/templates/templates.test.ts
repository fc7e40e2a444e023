import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, errorFrom } from "../../test-house.ts";
import type { Dealer } from "../../test-house.ts";
import { openMarket } from "../test-market.ts";
import type { Market } from "../test-market.ts";

let market: Market;
let dealer: Dealer;
beforeAll(async () => {
  market = await openMarket();
  dealer = await market.dealer("Pier");
});
afterAll(() => market.close());

describe("templates", () => {
  test("the card's own goes before its batch's, that before the account's, that before ours", async () => {
    const { asOwner } = dealer;
    const { templates } = asOwner.listings;
    const batch = await asOwner.batches.create({ name: "Estate" });
    const card = await market.card(dealer, { batch_id: batch.id });
    const titleOf = async () => (await templates.get({ card_id: card.id })).effective.title;
    expect(await titleOf()).toContain("{manufacturer}");
    await asOwner.accounts.settings.update({ title_template: "{set} {title}" });
    expect(await titleOf()).toBe("{set} {title}");
    await templates.save({ batch_id: batch.id, title: "Estate {title}", description: "Old" });
    expect(await titleOf()).toBe("Estate {title}");
    const saved = await templates.save({
      card_id: card.id,
      title: "{title} {grade}",
      description: null,
    });
    const inherited = { title: "Estate {title}", description: "Old" };
    expect(saved.inherited).toEqual(inherited);
    const ofBatch = await templates.get({ batch_id: batch.id });
    expect(ofBatch).toMatchObject({ own: inherited, inherited: { title: "{set} {title}" } });
    const ofAccount = await templates.get({});
    expect(ofAccount).toMatchObject({
      own: { title: "{set} {title}", description: null },
      effective: { title: "{set} {title}" },
    });
    expect(ofAccount.inherited.title).toContain("{manufacturer}");
    expect(saved).toMatchObject({
      own: { title: "{title} {grade}", description: null },
      effective: { title: "{title} {grade}", description: "Old" },
    });
    const answer = await asOwner.listings.publish({ cardId: card.id });
    expect(answer).toMatchObject({ title: "Charged Serpent NM", description: "Old" });
    await templates.save({ card_id: card.id, title: null, description: null });
    expect(await titleOf()).toBe("Estate {title}");
    await asOwner.accounts.settings.update({ title_template: null });
  });

  test("a placeholder that there is not is refused wherever it stands, and named", async () => {
    const { asOwner } = dealer;
    const card = await market.card(dealer);
    const save = asOwner.listings.templates.save({
      card_id: card.id,
      title: "{titel}",
      description: null,
    });
    expect(await errorFrom(save)).toMatchObject({
      code: "validation_failed",
      details: [{ path: "title" }],
    });
    const settings = asOwner.accounts.settings.update({ description_template: "{nothing}" });
    expect(await errorFrom(settings)).toMatchObject({
      code: "validation_failed",
      details: [{ path: "description_template" }],
    });
    const { templates } = asOwner.listings;
    const both = {
      card_id: card.id,
      batch_id: (await asOwner.batches.create({ name: "Both" })).id,
    };
    expect(await codeFrom(templates.get(both))).toBe("validation_failed");
    const ofNobody = templates.save({ title: "{title}", description: null });
    expect(await codeFrom(ofNobody)).toBe("validation_failed");
  });

  test("a complete batch keeps its own", async () => {
    const { asOwner } = dealer;
    const batch = await asOwner.batches.create({ name: "Done" });
    await asOwner.batches.complete({ id: batch.id });
    const save = asOwner.listings.templates.save({
      batch_id: batch.id,
      title: "{title}",
      description: null,
    });
    expect(await codeFrom(save)).toBe("batch_complete");
  });

  test("a preview says what they make of a card, and what is wrong", async () => {
    const { asOwner } = dealer;
    const card = await market.card(dealer, { title: "Lantern" });
    const preview = await asOwner.listings.previewTemplate({
      card_id: card.id,
      title: "{title} #{number}",
      description: "{title}\nSerial: {serial_number}",
    });
    expect(preview).toEqual({
      card_id: card.id,
      title: "Lantern #12/180",
      dropped: [],
      description: "Lantern",
      problems: [],
    });
    const latest = await asOwner.listings.previewTemplate({ title: "{nope}" });
    expect(latest).toMatchObject({ title: "", problems: [{ path: "title" }] });
    expect(latest.card_id).not.toBeNull();
    const empty = await market.dealer("Empty Pier");
    expect(await empty.asOwner.listings.previewTemplate({})).toMatchObject({ card_id: null });
  });
});
