import type { PhotoImportPreview } from "@cardvault/contract";
import { readJob } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, openHouse } from "../../test-house.ts";
import type { Dealer, House } from "../../test-house.ts";
import { runChunk, runToEnd } from "../../work/test-run.ts";
import { sweepPhotos } from "../sweep-photos.ts";
import { pictureBytes, sha256, upload } from "../test-pictures.ts";
import { photoImportHandler } from "./run-import.ts";

let house: House;
let dealer: Dealer;
let batchId: string;
let importId: string;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());
beforeEach(async () => {
  const defaults = { game: "Runes of Avarra", location: "A-03" };
  batchId = (await dealer.asOwner.batches.create({ name: "Estate", defaults })).id;
  importId = (await dealer.asOwner.photoImports.create({ batch_id: batchId })).id;
});

let seeds = 1_000;
const fresh = (): Promise<Buffer> => pictureBytes((seeds += 1));
const handler = () => photoImportHandler(house.services);

async function uploadAll(names: readonly string[]): Promise<Buffer[]> {
  const files = [];
  for (const name of names) {
    const bytes = await fresh();
    files.push(bytes);
    await upload(house, dealer, bytes, { name, importId });
  }
  return files;
}

const preview = (): Promise<PhotoImportPreview> =>
  dealer.asOwner.photoImports.preview({ id: importId });

function shown({ cards, leftovers, dropped }: PhotoImportPreview): string[] {
  return [
    ...cards.map(({ front, back }) => `${front.name}|${back?.name ?? ""}`),
    ...leftovers.map(({ name }) => `left ${name}`),
    ...dropped.map(({ name }) => `dropped ${name}`),
  ];
}

describe("uploading", () => {
  test("says what is needed; what is here by its hash is not uploaded again", async () => {
    const [known, first, second] = [await fresh(), await fresh(), await fresh()];
    await upload(house, dealer, known);
    const files = [known, first, second].map((bytes, at) => ({
      name: `IMG_000${at + 1}.jpg`,
      sha256: sha256(bytes).toString("hex"),
      byte_size: bytes.length,
    }));
    const announce = () => dealer.asOwner.photoImports.announce({ id: importId, files });
    expect((await announce()).files.map(({ needed }) => needed)).toEqual([false, true, true]);
    await upload(house, dealer, second, { name: "anything.jpg", importId });
    // The browser went away and comes back.
    const again = await announce();
    expect(again.files.map(({ needed }) => needed)).toEqual([false, true, false]);
    expect(again.files.map(({ position }) => position)).toEqual([0, 1, 2]);
    expect((await preview()).missing_count).toBe(1);
    await upload(house, dealer, first, { name: "anything.jpg", importId });
    await upload(house, dealer, first, { name: "anything.jpg", importId });
    expect(await dealer.asOwner.photoImports.get({ id: importId })).toMatchObject({
      file_count: 3,
      uploaded_count: 3,
    });
  });

  test("the same file under another name is dropped, and can be restored", async () => {
    const bytes = await fresh();
    const file = { sha256: sha256(bytes).toString("hex"), byte_size: bytes.length };
    const files = ["a.jpg", "copy of a.jpg"].map((name) => ({ name, ...file }));
    await dealer.asOwner.photoImports.announce({ id: importId, files });
    await upload(house, dealer, bytes, { importId });
    const first = await preview();
    expect(shown(first)).toEqual(["a.jpg|", "dropped copy of a.jpg"]);
    expect(first.cards[0]?.front.duplicates).toMatchObject([{ kind: "same", position: 1 }]);
    const edit = { type: "restore" as const, files: [1] };
    const restored = await dealer.asOwner.photoImports.edit({ id: importId, edit });
    expect(shown(restored)).toEqual(["a.jpg|", "copy of a.jpg|"]);
  });

  test("many at once are each counted once", async () => {
    const files = await Promise.all(Array.from({ length: 8 }, fresh));
    await Promise.all(
      files.flatMap((bytes, at) =>
        [0, 1].map(() => upload(house, dealer, bytes, { name: `${at}a.jpg`, importId })),
      ),
    );
    const { file_count, uploaded_count } = await dealer.asOwner.photoImports.get({ id: importId });
    expect([file_count, uploaded_count]).toEqual([8, 8]);
  });

  test("duplicates of cards and near duplicates are named", async () => {
    const [front, like] = [await pictureBytes(42), await pictureBytes(42, { quality: 60 })];
    const card = await dealer.asOwner.cards.create({});
    const photo = { photo_id: (await upload(house, dealer, front)).id, side: "front" as const };
    await dealer.asOwner.photos.attach({ card_id: card.id, photos: [photo] });
    await upload(house, dealer, front, { name: "same.jpg", importId });
    await upload(house, dealer, like, { name: "like.jpg", importId });
    const { cards } = await preview();
    const [same, similar] = cards.map((one) => one.front.duplicates);
    expect(same).toContainEqual({ kind: "same", position: null, card_id: card.id, distance: 0 });
    expect(similar).toContainEqual(
      expect.objectContaining({ kind: "similar", card_id: card.id }) as object,
    );
    expect(similar).toContainEqual(
      expect.objectContaining({ kind: "similar", position: 0 }) as object,
    );
  });
});

describe("the preview", () => {
  test("pairs by name, by order, and lets single pairs be changed", async () => {
    await uploadAll(["1a.jpg", "1b.jpg", "2a.jpg", "3b.jpg"]);
    expect(shown(await preview())).toEqual(["1a.jpg|1b.jpg", "2a.jpg|", "left 3b.jpg"]);
    const { photoImports } = dealer.asOwner;
    const pair = (pairing: "alternating" | "fronts_then_backs") =>
      photoImports.pair({ id: importId, pairing }).then(shown);
    expect(await pair("fronts_then_backs")).toEqual(["1a.jpg|2a.jpg", "1b.jpg|3b.jpg"]);
    expect(await pair("alternating")).toEqual(["1a.jpg|1b.jpg", "2a.jpg|3b.jpg"]);
    const edited = (edit: Parameters<typeof photoImports.edit>[0]["edit"]) =>
      photoImports.edit({ id: importId, edit }).then(shown);
    expect(await edited({ type: "swap", front: 0 })).toEqual(["1b.jpg|1a.jpg", "2a.jpg|3b.jpg"]);
    expect(await edited({ type: "split", front: 2 })).toEqual([
      "1b.jpg|1a.jpg",
      "2a.jpg|",
      "3b.jpg|",
    ]);
    expect(await edited({ type: "drop", files: [3] })).toEqual([
      "1b.jpg|1a.jpg",
      "2a.jpg|",
      "dropped 3b.jpg",
    ]);
    expect(await codeFrom(edited({ type: "swap", front: 3 }))).toBe("conflict");
  });
});

describe("committing", () => {
  test("makes imported cards with the batch's defaults, SKUs, fronts and backs, each once", async () => {
    const names = Array.from(
      { length: 60 },
      (_, at) => `${Math.floor(at / 2)}${at % 2 === 0 ? "a" : "b"}.jpg`,
    );
    await uploadAll(names);
    const job = await dealer.asOwner.photoImports.commit({ id: importId });
    expect((await dealer.asOwner.batches.get({ id: batchId })).status).toBe("processing");
    expect(await codeFrom(dealer.asOwner.photoImports.commit({ id: importId }))).toBe("conflict");
    expect(await codeFrom(dealer.asOwner.batches.complete({ id: batchId }))).toBe("conflict");
    const done = await runToEnd(house, handler(), job.id);
    expect(done).toMatchObject({ status: "done", progress: { total: 30, done: 30, changed: 30 } });
    const { data } = await dealer.asOwner.batches.cards({ id: batchId, limit: 200 });
    expect(data).toHaveLength(30);
    for (const card of data) {
      expect(card).toMatchObject({
        workflow_status: "imported",
        game: "Runes of Avarra",
        location: "A-03",
        version: 1,
        photos: [{ side: "front" }, { side: "back" }],
      });
    }
    expect(new Set(data.map(({ sku }) => sku)).size).toBe(30);
    expect(await dealer.asOwner.batches.get({ id: batchId })).toMatchObject({
      status: "open",
      card_count: 30,
    });
    expect(await dealer.asOwner.photoImports.get({ id: importId })).toMatchObject({
      status: "done",
      card_count: 30,
    });
    expect(await codeFrom(dealer.asOwner.photoImports.commit({ id: importId }))).toBe("conflict");
  });

  test("a crash between two commits, or before one, makes no card twice and loses none", async () => {
    await uploadAll(
      Array.from({ length: 52 }, (_, at) => `IMG_${String(at + 1).padStart(4, "0")}.jpg`),
    );
    await dealer.asOwner.photoImports.pair({ id: importId, pairing: "singles" });
    const job = await dealer.asOwner.photoImports.commit({ id: importId });
    await runChunk(house, handler(), job.id);
    // The worker dies at the end of a chunk, with all of it done and nothing committed.
    const dying = handler().run({
      job: { ...(await jobRow(job.id)) },
      logger: house.services.logger,
      saveProgress: () => Promise.reject(new Error("killed")),
      renew: () => Promise.resolve(true),
    });
    await expect(dying).rejects.toThrow("killed");
    await runToEnd(house, handler(), job.id);
    const [counts] = await house.db.query<{ cards: number; photos: number; files: number }>(
      `select (select count(*) from card where batch_id = $1) as cards,
         (select count(*) from photo p join card c on c.id = p.card_id where c.batch_id = $1) as photos,
         (select count(distinct card_id) from photo_import_file where import_id = $2) as files`,
      [toUuid(batchId), toUuid(importId)],
    );
    expect(counts).toEqual({ cards: 52, photos: 52, files: 52 });
  });

  test("a cancelled one goes on where it stopped, when it is committed again", async () => {
    await uploadAll(Array.from({ length: 30 }, (_, at) => `IMG_${100 + at * 2}.jpg`));
    const job = await dealer.asOwner.photoImports.commit({ id: importId });
    await runChunk(house, handler(), job.id);
    await dealer.asOwner.jobs.cancel({ id: job.id });
    await runToEnd(house, handler(), job.id).catch(() => undefined);
    const again = await dealer.asOwner.photoImports.commit({ id: importId });
    await runToEnd(house, handler(), again.id);
    expect((await dealer.asOwner.batches.get({ id: batchId })).card_count).toBe(30);
  });

  test("409 for leftovers that are not to be left out, and for files that are not here", async () => {
    await uploadAll(["1a.jpg", "2b.jpg"]);
    expect(await codeFrom(dealer.asOwner.photoImports.commit({ id: importId }))).toBe("conflict");
    const bytes = await fresh();
    const file = { name: "3a.jpg", sha256: sha256(bytes).toString("hex"), byte_size: bytes.length };
    await dealer.asOwner.photoImports.announce({ id: importId, files: [file] });
    const commit = () =>
      dealer.asOwner.photoImports.commit({ id: importId, leave_out_leftovers: true });
    expect(await codeFrom(commit())).toBe("conflict");
    await dealer.asOwner.photoImports.edit({ id: importId, edit: { type: "drop", files: [2] } });
    const job = await commit();
    await runToEnd(house, handler(), job.id);
    expect((await dealer.asOwner.batches.get({ id: batchId })).card_count).toBe(1);
  });

  test("409 for an import without cards, and batch_complete", async () => {
    expect(await codeFrom(dealer.asOwner.photoImports.commit({ id: importId }))).toBe("conflict");
    await uploadAll(["1a.jpg"]);
    await dealer.asOwner.batches.complete({ id: batchId });
    expect(await codeFrom(dealer.asOwner.photoImports.commit({ id: importId }))).toBe(
      "batch_complete",
    );
    const call = dealer.asOwner.photoImports.create({ batch_id: batchId });
    expect(await codeFrom(call)).toBe("batch_complete");
  });
});

describe("what is given up", () => {
  const photoCount = async (): Promise<number> => {
    const [row] = await house.db.query<{ count: number }>(
      "select count(*) as count from photo where card_id is null",
    );
    return row?.count ?? 0;
  };

  test("an import that is discarded is gone with its files; its photos cannot be attached before", async () => {
    const [bytes] = await uploadAll(["1a.jpg"]);
    const { cards } = await preview();
    const card = await dealer.asOwner.cards.create({});
    const photo = { photo_id: cards[0]?.front.photo?.id ?? "", side: "front" as const };
    const attach = dealer.asOwner.photos.attach({ card_id: card.id, photos: [photo] });
    expect(await codeFrom(attach)).toBe("not_found");
    await dealer.asOwner.photoImports.discard({ id: importId });
    expect(await codeFrom(dealer.asOwner.photoImports.get({ id: importId }))).toBe("not_found");
    expect(await codeFrom(upload(house, dealer, bytes ?? Buffer.alloc(0), { importId }))).toBe(
      "not_found",
    );
    const rows = await house.db.query("select state from picture where content_hash = $1", [
      sha256(bytes ?? Buffer.alloc(0)),
    ]);
    expect(rows).toEqual([{ state: "loose" }]);
  });

  test("an import that nobody touches for two weeks is discarded, one in use is not", async () => {
    await uploadAll(["1a.jpg"]);
    const used = (await dealer.asOwner.photoImports.create({ batch_id: batchId })).id;
    house.clock.advance(15 * 24 * 60 * 60 * 1_000);
    await upload(house, dealer, await fresh(), { importId: used });
    await sweepPhotos({ ...house, ...house.services, unfinishedFolders: [] });
    expect(await codeFrom(dealer.asOwner.photoImports.get({ id: importId }))).toBe("not_found");
    expect((await dealer.asOwner.photoImports.get({ id: used })).uploaded_count).toBe(1);
    expect(await photoCount()).toBeGreaterThan(0);
    const { data } = await dealer.asOwner.photoImports.list({});
    expect(data.map(({ id }) => id)).toContain(used);
  });
});

async function jobRow(id: string) {
  const row = await readJob(house.db, id);
  if (row === undefined) throw new Error("There is no such job");
  return row;
}
