import type { Card, UploadedPhoto } from "@cardvault/contract";
import { newId, toUuid } from "@cardvault/kit";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { keepPicture } from "./keep-picture.ts";
import { allKeys, derivedKey } from "./picture-files.ts";
import { readOriginals, readPicture } from "./read-picture.ts";
import { sweepPhotos } from "./sweep-photos.ts";
import { pictureBytes, sha256, upload } from "./test-pictures.ts";

let house: House;
let dealer: Dealer;
let other: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
  other = await house.dealer("Other Cards");
});
afterAll(() => house.close());

let seed = 100;
const next = (): Promise<UploadedPhoto> => {
  seed += 1;
  return pictureBytes(seed).then((bytes) => upload(house, dealer, bytes));
};

async function photosOf(dealerOf: Dealer): Promise<number> {
  const [row] = await house.db.query<{ count: number }>(
    "select count(*) as count from photo where account_id = $1",
    [toUuid(dealerOf.account.id)],
  );
  return row?.count ?? 0;
}

describe("an upload", () => {
  test("is kept as three sizes and its original, under keys of its account alone", async () => {
    const bytes = await pictureBytes(1);
    const photo = await upload(house, dealer, bytes);
    expect(photo).toMatchObject({ width: 300, height: 420, was_known: false });
    for (const [size, height] of [
      ["full", 420],
      ["thumbnail", 420],
      ["small", 96],
    ] as const) {
      const picture = await readPicture(house.services, photo.id, size);
      expect(await sharp(picture ?? undefined).metadata()).toMatchObject({
        format: "webp",
        height,
      });
    }
    const place = { accountId: dealer.account.id, contentHash: sha256(bytes) };
    for (const key of allKeys(place, "jpeg")) {
      expect(key.startsWith(`${dealer.account.id}/`)).toBe(true);
      expect(await house.services.pictureStore.get(key)).not.toBeNull();
    }
  });

  test("of the same file is not decoded again, and says so; another account knows nothing of it", async () => {
    const bytes = await pictureBytes(2);
    const first = await upload(house, dealer, bytes);
    const again = await upload(house, dealer, bytes);
    expect([first.was_known, again.was_known]).toEqual([false, true]);
    expect(again.id).not.toBe(first.id);
    expect((await upload(house, other, bytes)).was_known).toBe(false);
  });

  test("of a file that is refused leaves nothing", async () => {
    const before = await photosOf(dealer);
    const bytes = (await pictureBytes(3)).subarray(0, 900);
    expect(await codeFrom(upload(house, dealer, bytes))).toBe("photo_unavailable");
    expect(await photosOf(dealer)).toBe(before);
    const rows = await house.db.query("select 1 from picture where content_hash = $1", [
      sha256(bytes),
    ]);
    expect(rows).toEqual([]);
  });

  test("of one file many times at once keeps one file and as many photos", async () => {
    const bytes = await pictureBytes(4);
    const all = await Promise.all(Array.from({ length: 6 }, () => upload(house, dealer, bytes)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(6);
    const rows = await house.db.query<{ state: string }>(
      "select state from picture where content_hash = $1 and account_id = $2",
      [sha256(bytes), toUuid(dealer.account.id)],
    );
    expect(rows).toEqual([{ state: "stored" }]);
  });
});

describe("the photos of a card", () => {
  let card: Card;
  beforeEach(async () => {
    card = await dealer.asOwner.cards.create({
      title: "Charged Serpent",
      asking_price: { amount: 500, currency: "USD" },
    });
  });

  const attach = async (sides: readonly ("front" | "back" | "listing")[]): Promise<Card> => {
    const photos = [];
    for (const side of sides) photos.push({ photo_id: (await next()).id, side });
    return dealer.asOwner.photos.attach({ card_id: card.id, photos });
  };
  const sidesOf = ({ photos }: Card): string[] => photos.map(({ side }) => side);
  const movesOf = async (): Promise<unknown[]> => {
    const rows = await house.db.query<{ body: string }>(
      `select body from webhook_event where subject_id = $1
         and type = 'card.workflow_status_changed' order by id`,
      [toUuid(card.id)],
    );
    return rows.map(({ body }) => (JSON.parse(body) as { data: unknown }).data);
  };

  test("are attached in order, and the card is another version with a history", async () => {
    const before = card.updated_at;
    const after = await attach(["front", "back"]);
    expect(sidesOf(after)).toEqual(["front", "back"]);
    expect(after.version).toBe(card.version + 1);
    expect(after.updated_at > before).toBe(true);
    expect(after.workflow_status).toBe("priced");
    const [row] = await house.db.query<{ changes: unknown; version: number }>(
      "select changes, version from card_change where card_id = $1 order by changed_at desc limit 1",
      [toUuid(card.id)],
    );
    expect(row).toMatchObject({
      version: after.version,
      changes: { photos: [[], [{ side: "front" }, { side: "back" }]] },
    });
  });

  test("the first for the listing moves a priced card on, the last takes it back, once each", async () => {
    const after = await attach(["listing", "listing"]);
    expect(after.workflow_status).toBe("photographed");
    const [first, second] = after.photos.map(({ id }) => id);
    const ids = (id: string | undefined) => ({ card_id: card.id, photo_ids: [id ?? ""] });
    const { card: left } = await dealer.asOwner.photos.remove(ids(first));
    expect(left.workflow_status).toBe("photographed");
    const { card: gone } = await dealer.asOwner.photos.remove(ids(second));
    expect(gone).toMatchObject({
      workflow_status: "priced",
      photos: [],
      version: after.version + 2,
    });
    expect(await movesOf()).toMatchObject([
      { from: "imported", to: "identified" },
      { from: "identified", to: "priced" },
      { from: "priced", to: "photographed" },
      { from: "photographed", to: "priced" },
    ]);
  });

  test("a copy for the listing shares the file, and a second one is none", async () => {
    const { photos } = await attach(["front"]);
    const input = { card_id: card.id, photo_id: photos[0]?.id ?? "", side: "listing" } as const;
    const copied = await dealer.asOwner.photos.copy(input);
    expect(sidesOf(copied)).toEqual(["front", "listing"]);
    expect(copied.workflow_status).toBe("photographed");
    expect(await dealer.asOwner.photos.copy(input)).toEqual(copied);
    const [front, listing] = copied.photos;
    await dealer.asOwner.photos.remove({ card_id: card.id, photo_ids: [front?.id ?? ""] });
    expect(await readPicture(house.services, listing?.id ?? "", "full")).not.toBeNull();
  });

  test("what was removed is given back, with its side and what it makes of the card", async () => {
    const before = await attach(["front", "listing"]);
    const listing = before.photos[1]?.id ?? "";
    const { card: without, removed } = await dealer.asOwner.photos.remove({
      card_id: card.id,
      photo_ids: [listing],
    });
    expect(without.workflow_status).toBe("priced");
    const back = await dealer.asOwner.photos.attach({ card_id: card.id, photos: removed });
    expect(sidesOf(back)).toEqual(["front", "listing"]);
    expect(back).toMatchObject({ workflow_status: "photographed", version: before.version + 2 });
    // It is another account's as little as any upload.
    expect(removed.map(({ photo_id }) => photo_id)).not.toContain(listing);
    expect(await readPicture(house.services, removed[0]?.photo_id ?? "", "full")).not.toBeNull();
  });

  test("are put in another order and on other sides in one change; the same again is none", async () => {
    const { photos, version } = await attach(["front", "back", "listing"]);
    const [front, back, listing] = photos.map(({ id }) => id);
    const wanted = [
      { photo_id: listing ?? "", side: "front" as const },
      { photo_id: front ?? "", side: "back" as const },
      { photo_id: back ?? "", side: "back" as const },
    ];
    const arranged = await dealer.asOwner.photos.arrange({ card_id: card.id, photos: wanted });
    expect(arranged.photos.map(({ id, side }) => ({ photo_id: id, side }))).toEqual(wanted);
    expect(arranged).toMatchObject({ version: version + 1, workflow_status: "priced" });
    expect(await dealer.asOwner.photos.arrange({ card_id: card.id, photos: wanted })).toEqual(
      arranged,
    );
  });

  test("409 for an order that misses a photo or names another; nothing changes", async () => {
    const { photos } = await attach(["front", "back"]);
    const [front] = photos.map(({ id }) => id);
    const one = { photo_id: front ?? "", side: "front" as const };
    for (const wanted of [
      [one],
      [one, one],
      [one, { photo_id: newId("img"), side: "back" as const }],
    ]) {
      const call = dealer.asOwner.photos.arrange({ card_id: card.id, photos: wanted });
      expect(await codeFrom(call)).toBe("conflict");
    }
    expect((await dealer.asOwner.cards.get({ id: card.id })).photos).toEqual(photos);
  });

  test("409 for more than a card may have", async () => {
    await attach(["front"]);
    const { id } = await next();
    const photos = Array.from({ length: 24 }, () => ({ photo_id: id, side: "back" as const }));
    const many = [];
    for (const one of photos) {
      many.push({ ...one, photo_id: (await upload(house, dealer, await pictureBytes(5))).id });
    }
    const call = dealer.asOwner.photos.attach({ card_id: card.id, photos: many });
    expect(await codeFrom(call)).toBe("conflict");
    expect((await dealer.asOwner.cards.get({ id: card.id })).photos).toHaveLength(1);
  });

  test("404 for a photo of another card, of another account, and for one that never was", async () => {
    const second = await dealer.asOwner.cards.create({});
    const { photos } = await attach(["front"]);
    const foreign = await upload(house, other, await pictureBytes(6));
    for (const id of [photos[0]?.id ?? "", foreign.id, newId("img")]) {
      const input = { card_id: second.id, photos: [{ photo_id: id, side: "front" as const }] };
      const error = await errorFrom(dealer.asOwner.photos.attach(input));
      expect([error.code, error.message]).toEqual([
        "not_found",
        "There is no such thing in this account.",
      ]);
    }
    const removing = { card_id: second.id, photo_ids: [photos[0]?.id ?? ""] };
    expect(await codeFrom(dealer.asOwner.photos.remove(removing))).toBe("not_found");
    expect((await dealer.asOwner.cards.get({ id: second.id })).version).toBe(1);
  });

  test("attaching what is attached changes nothing", async () => {
    const after = await attach(["front"]);
    const photos = after.photos.map(({ id }) => ({ photo_id: id, side: "back" as const }));
    expect(await dealer.asOwner.photos.attach({ card_id: card.id, photos })).toEqual(after);
  });

  test("their originals are there for providers, the front first", async () => {
    await attach(["listing", "back", "front"]);
    const originals = await readOriginals(house.services, dealer.account.id, card.id);
    expect(originals.map(({ side }) => side)).toEqual(["front", "back", "listing"]);
    for (const { bytes, contentHash, format } of originals) {
      expect(format).toBe("jpeg");
      expect(sha256(bytes).equals(contentHash)).toBe(true);
    }
    expect(await readOriginals(house.services, other.account.id, card.id)).toEqual([]);
  });
});

describe("housekeeping", () => {
  const day = 24 * 60 * 60 * 1_000;
  const sweep = () => sweepPhotos({ ...house, ...house.services, unfinishedFolders: [] });
  const isStored = async (hash: Buffer): Promise<boolean> => {
    const place = { accountId: dealer.account.id, contentHash: hash };
    return (await house.services.pictureStore.get(derivedKey(place, "full"))) !== null;
  };

  test("removes an upload that was given to no card, its files some weeks later", async () => {
    const bytes = await pictureBytes(7);
    const kept = await pictureBytes(8);
    await upload(house, dealer, bytes);
    const card = await dealer.asOwner.cards.create({});
    const photo = { photo_id: (await upload(house, dealer, kept)).id, side: "front" as const };
    await dealer.asOwner.photos.attach({ card_id: card.id, photos: [photo] });
    house.clock.advance(2 * day);
    await sweep();
    expect(await isStored(sha256(bytes))).toBe(true);
    house.clock.advance(31 * day);
    await sweep();
    expect(await isStored(sha256(bytes))).toBe(false);
    expect(await isStored(sha256(kept))).toBe(true);
    expect(
      await house.db.query("select 1 from picture where content_hash = $1", [sha256(bytes)]),
    ).toEqual([]);
  });

  test("a crash after the files and before the photo leaves what is found and removed", async () => {
    const bytes = await pictureBytes(9);
    const file = { bytes, contentHash: sha256(bytes), byteSize: bytes.length };
    const crash = keepPicture(house.services, dealer.account.id, file, () =>
      Promise.reject(new Error("the process died here")),
    );
    await expect(crash).rejects.toThrow("the process died here");
    expect(await isStored(sha256(bytes))).toBe(true);
    // The upload is made again before that: nothing of it is lost, and nothing is swept later.
    await sweep();
    expect((await upload(house, dealer, bytes)).was_known).toBe(false);
    const left = await pictureBytes(10);
    const second = { bytes: left, contentHash: sha256(left), byteSize: left.length };
    await keepPicture(house.services, dealer.account.id, second, () =>
      Promise.reject(new Error("died")),
    ).catch(() => undefined);
    house.clock.advance(day / 2);
    await sweep();
    expect(await isStored(sha256(left))).toBe(false);
    expect(await isStored(sha256(bytes))).toBe(true);
  });

  test("a picture that is shown again is not removed", async () => {
    const bytes = await pictureBytes(11);
    const card = await dealer.asOwner.cards.create({});
    const { id } = await upload(house, dealer, bytes);
    await dealer.asOwner.photos.attach({
      card_id: card.id,
      photos: [{ photo_id: id, side: "front" }],
    });
    const { removed } = await dealer.asOwner.photos.remove({ card_id: card.id, photo_ids: [id] });
    house.clock.advance(day / 2);
    await sweep();
    await dealer.asOwner.photos.attach({ card_id: card.id, photos: removed });
    house.clock.advance(40 * day);
    await sweep();
    expect(await isStored(sha256(bytes))).toBe(true);
    // What is removed and not given back goes as an upload does.
    const { photos } = await dealer.asOwner.cards.get({ id: card.id });
    await dealer.asOwner.photos.remove({
      card_id: card.id,
      photo_ids: photos.map((one) => one.id),
    });
    house.clock.advance(2 * day);
    await sweep();
    house.clock.advance(31 * day);
    await sweep();
    expect(await isStored(sha256(bytes))).toBe(false);
  });

  test("an upload beside the sweep keeps its file, whichever is quicker", async () => {
    for (let round = 0; round < 5; round += 1) {
      const bytes = await pictureBytes(200 + round);
      const file = { bytes, contentHash: sha256(bytes), byteSize: bytes.length };
      await keepPicture(house.services, dealer.account.id, file, () =>
        Promise.reject(new Error("died")),
      ).catch(() => undefined);
      house.clock.advance(day);
      const [photo] = await Promise.all([upload(house, dealer, bytes), sweep(), sweep()]);
      expect(await readPicture(house.services, photo.id, "full")).not.toBeNull();
    }
  });
});
