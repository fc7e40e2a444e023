import { scopes } from "@cardvault/contract";
import type { CardChange } from "@cardvault/contract";
import { changeAccount } from "@cardvault/db";
import { newId } from "@cardvault/kit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse, tokenOf } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`History ${serial}`);
});
afterAll(() => house.close());

const usd = (amount: number) => ({ amount, currency: "USD" });
const cards = () => dealer.asOwner.cards;
const historyOf = async (id: string) => (await cards().history({ id, limit: 50 })).data;
const fieldsOf = (change: CardChange | undefined) =>
  Object.fromEntries((change?.changes ?? []).map(({ field, from, to }) => [field, [from, to]]));
const latest = async (id: string) => (await historyOf(id))[0];

/** The events of a card, as the log of events has them. */
async function firedFor(id: string): Promise<string[]> {
  const { data } = await dealer.asOwner.events.list({ limit: 200 });
  const details = await Promise.all(data.map((one) => dealer.asOwner.events.get({ id: one.id })));
  return details
    .filter(({ envelope }) => JSON.stringify(envelope.data).includes(id))
    .map(({ envelope }) => envelope.id);
}

describe("cards.history", () => {
  test("200: each change, the latest first: who, through what, from what to what, with its events", async () => {
    const { asOwner } = dealer;
    const { key } = await asOwner.keys.create({ name: "Till" });
    const card = await asOwner.cards.create({ title: "Serpent", condition: "near_mint" });
    const token = { ...tokenOf(dealer, scopes), keyId: key.id };
    await house.caller(token).cards.update({
      id: card.id,
      asking_price: usd(1250),
      grading: { grader: "PSA", grade: "9", cert_number: "1", qualifier: null },
    });
    await asOwner.cards.update({ id: card.id, location: "B-2" });
    // Changes nothing, so it is none.
    await asOwner.cards.update({ id: card.id, location: "B-2" });

    const [moved, priced, made, ...others] = await historyOf(card.id);
    expect(others).toEqual([]);
    expect(moved).toMatchObject({
      kind: "changed",
      version: 3,
      via: "web",
      actor: { kind: "member", id: dealer.owner.userId, name: `History ${serial} owner` },
      job_id: null,
      changes: [{ field: "location", from: null, to: "B-2" }],
      events: [],
    });
    expect(priced).toMatchObject({
      version: 2,
      via: "api",
      actor: { kind: "token", id: key.id, name: "Till" },
    });
    expect(fieldsOf(priced)).toEqual({
      asking_price: [null, usd(1250)],
      condition: ["near_mint", null],
      grading: [null, { grader: "PSA", grade: "9", cert_number: "1", qualifier: null }],
      workflow_status: ["identified", "priced"],
    });
    expect(priced?.events.map(({ event }) => event)).toEqual([
      "card.priced",
      "card.workflow_status_changed",
    ]);
    expect(made).toMatchObject({ kind: "created", version: 1, at: card.created_at, changes: [] });
    const linked = [...(made?.events ?? []), ...(priced?.events ?? [])].map(({ id }) => id);
    expect(linked.toSorted()).toEqual((await firedFor(card.id)).toSorted());
    expect(moved?.at).toBe((await asOwner.cards.get({ id: card.id })).updated_at);
  });

  test("200: pages that meet; an event that is older than is kept leaves its id", async () => {
    const card = await cards().create({ title: "Serpent" });
    for (let index = 0; index < 5; index += 1) {
      await cards().update({ id: card.id, notes: `${index}` });
    }
    const walked: CardChange[] = [];
    let cursor: string | undefined;
    do {
      const page = await cards().history({ id: card.id, limit: 2, cursor });
      walked.push(...page.data);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(walked).toEqual(await historyOf(card.id));
    expect(walked.map(({ version }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    await house.db.query("delete from webhook_event");
    expect((await historyOf(card.id)).at(-1)?.events[0]).toMatchObject({ event: null });
    expect(await codeFrom(cards().history({ id: card.id, cursor: "nonsense" }))).toBe(
      "invalid_cursor",
    );
  });

  test("200: photos and listings of a card are its changes too, whoever writes them", async () => {
    const card = await cards().create({ title: "Serpent", asking_price: usd(5) });
    const { accountId } = dealer.access;
    const by = { actor: { kind: "system", id: null }, via: "marketplace" } as const;
    const options = { accountId, clock: house.clock, by };
    const [photo, listing] = [newId("img"), newId("lst")];
    await changeAccount(house.db, options, async (unit) => {
      const picture = { position: 0, width: 1, height: 1, contentHash: Buffer.alloc(32) };
      await unit.photos.add([{ ...picture, id: photo, cardId: card.id, side: "front" }]);
      unit.listings.create({
        id: listing,
        cardId: card.id,
        marketplace: "ebay",
        status: "publishing",
        externalListingId: null,
        url: null,
        title: "T",
        description: null,
        categoryId: null,
        format: "fixed_price",
        price: usd(5),
        quantity: 1,
        quantitySold: 0,
        publishedAt: null,
        endedAt: null,
        endReason: null,
        soldAt: null,
        soldPrice: null,
        orderId: null,
        error: null,
        lastSyncedAt: null,
      });
    });
    expect(fieldsOf(await latest(card.id))).toEqual({
      photos: [[], [{ id: photo, side: "front" }]],
      listing: [null, { id: listing, status: "publishing", price: usd(5), quantity: 1 }],
    });
    await changeAccount(house.db, options, async (unit) => {
      const state = await unit.listings.get(listing);
      unit.listings.save({ ...state, status: "live", lastSyncedAt: unit.stamp });
      await unit.photos.remove(card.id, [photo]);
    });
    expect(await latest(card.id)).toMatchObject({ via: "marketplace", actor: { kind: "system" } });
    expect(fieldsOf(await latest(card.id))).toMatchObject({
      photos: [[{ id: photo, side: "front" }], []],
      listing: [{ status: "publishing" }, { status: "live" }],
    });
  });

  test("404 card_not_found for a malformed id", async () => {
    expect(await codeFrom(cards().history({ id: "nonsense" }))).toBe("card_not_found");
  });
});

describe("cards.undoChange", () => {
  test("200: gives back what was replaced, by the rules, and says what was sent", async () => {
    const card = await cards().create({ title: "Serpent", tags: ["a"], location: "A" });
    await cards().update({ id: card.id, asking_price: usd(500), tags: ["b"], location: null });
    const change = await latest(card.id);
    const { card: undone, events_sent } = await cards().undoChange({
      id: card.id,
      at: change?.at ?? "",
    });
    expect(undone).toMatchObject({
      asking_price: null,
      tags: ["a"],
      location: "A",
      workflow_status: "identified",
      version: 3,
    });
    expect(events_sent).toEqual(change?.events);
    expect(events_sent.map(({ event }) => event)).toContain("card.priced");
    // The undo is a change as any other, and can be undone.
    const undo = await latest(card.id);
    expect(undo?.events.map(({ event }) => event)).toEqual(["card.workflow_status_changed"]);
    await cards().undoChange({ id: card.id, at: undo?.at ?? "" });
    expect(await cards().get({ id: card.id })).toMatchObject({
      asking_price: usd(500),
      tags: ["b"],
      workflow_status: "priced",
    });
  });

  test("200: an identification by hand is taken back, with its fields and stage", async () => {
    const card = await cards().create({});
    await cards().update({ id: card.id, title: "Serpent", set: "Storm", asking_price: usd(5) });
    await cards().undoChange({ id: card.id, at: (await latest(card.id))?.at ?? "" });
    expect(await cards().get({ id: card.id })).toMatchObject({
      status: "imported",
      workflow_status: "imported",
      title: null,
      set: null,
      asking_price: null,
      identified_by: null,
    });
  });

  test("409 conflict that names each field with both values, and changes nothing", async () => {
    const card = await cards().create({ title: "Serpent" });
    await cards().update({ id: card.id, location: "A", notes: "first" });
    const at = (await latest(card.id))?.at ?? "";
    await cards().update({ id: card.id, location: "B" });
    const before = await cards().get({ id: card.id });
    const error = await errorFrom(cards().undoChange({ id: card.id, at }));
    expect([error.code, error.details]).toEqual([
      "conflict",
      [{ path: "location", message: 'Was changed to "A", and is "B" now' }],
    ]);
    expect(await cards().get({ id: card.id })).toEqual(before);
  });

  test("409 invalid_transition for what only its own way takes back", async () => {
    const card = await cards().create({ title: "Serpent", quantity: 1 });
    const at = card.created_at;
    expect(await codeFrom(cards().undoChange({ id: card.id, at }))).toBe("invalid_transition");
    await cards().recordSale({ id: card.id, quantity: 1, price: usd(5), place: "fair" });
    const sold = await latest(card.id);
    expect(fieldsOf(sold)).toMatchObject({ quantity: [1, 0], sale: [null, { price: usd(5) }] });
    const undo = cards().undoChange({ id: card.id, at: sold?.at ?? "" });
    expect(await codeFrom(undo)).toBe("invalid_transition");
  });

  test("404 not_found where the card has no change of that time", async () => {
    const card = await cards().create({ title: "Serpent" });
    const other = await cards().create({ title: "Other" });
    const at = other.created_at;
    expect(await codeFrom(cards().undoChange({ id: card.id, at }))).toBe("not_found");
  });
});
