import { existsSync } from "node:fs";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { inventedCard, inventedSets } from "@cardvault/catalogue";
import { countCatalogue } from "@cardvault/db";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { importCatalogue } from "./import-catalogue.ts";
import { matchCatalogue } from "./match-catalogue.ts";
import { provideInventedCatalogue } from "./provide-invented.ts";

let house: House;
let tester: Dealer;
let live: Dealer;
let folder: string;
beforeAll(async () => {
  house = await openHouse();
  tester = await house.dealer("Test Cards", { environment: "test" });
  live = await house.dealer("Live Cards");
  folder = await mkdtemp(join(tmpdir(), "cardvault-catalogue-"));
  await provideInventedCatalogue(house);
});
afterAll(async () => {
  await house.close();
  await rm(folder, { recursive: true });
});

const warden = inventedCard(inventedSets.emberCoast, 12);
const namesFor = async (q: string): Promise<string[]> =>
  (await tester.asOwner.catalogue.search({ q })).data.map(
    ({ name, number }) => `${name} ${number}`,
  );

describe("search", () => {
  test("by words, also misspelt, with the nearest first", async () => {
    const misspelt = warden.name.replace("rd", "dr");
    const found = await namesFor(warden.name);
    expect(found).toContain(`${warden.name} 12/142`);
    expect(found[0]).toMatch(new RegExp(`^${warden.name} `));
    expect(await namesFor(`${misspelt} ember coast`)).toContain(`${warden.name} 12/142`);
  });

  test("by number and total, and by number within a set", async () => {
    expect(await namesFor("012/142")).toEqual([`${warden.name} 12/142`]);
    expect(await namesFor("#12 ember coast")).toEqual([`${warden.name} 12/142`]);
    expect(await namesFor("12 EMC")).toEqual([`${warden.name} 12/142`]);
  });

  test("finds nothing in signs, in nonsense, and in what would be a statement", async () => {
    for (const q of ["%", "''", "zzqxv wqvvx", "'; drop table card; --", "\\", "9999/9999"]) {
      expect(await namesFor(q)).toEqual([]);
    }
  });

  test("another game's cards stay out where a game is named", async () => {
    const { data } = await tester.asOwner.catalogue.search({ q: "12", game: "baseball" });
    expect(new Set(data.map(({ game }) => game))).toEqual(new Set(["Baseball"]));
  });

  test("a live account does not meet invented cards", async () => {
    expect((await live.asOwner.catalogue.search({ q: warden.name })).data).toEqual([]);
  });
});

describe("which card it is", () => {
  const question = { name: warden.name, number: "12/142", set: null, setCode: null };

  test("name, number and total decide", async () => {
    const verdict = await matchCatalogue(house, tester.access, question);
    expect(verdict).toMatchObject({ kind: "decided", card: { sourceId: "EMC-12" } });
  });

  test("a name alone does not", async () => {
    const verdict = await matchCatalogue(house, tester.access, { ...question, number: null });
    expect(verdict).toMatchObject({ kind: "ambiguous" });
  });

  test("nor a number that the card does not have, nor for a live account", async () => {
    const other = { ...question, number: "13/142" };
    expect(await matchCatalogue(house, tester.access, other)).toEqual({ kind: "none" });
    expect(await matchCatalogue(house, live.access, question)).toEqual({ kind: "none" });
  });
});

const scryfallCard = (index: number) => ({
  object: "card",
  id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  name: `Imported Sliver ${index}`,
  set: "imp",
  set_name: "Imported",
  collector_number: String(index),
  released_at: "2020-01-01",
});

describe("import", () => {
  const countOf = async (source: string): Promise<number> =>
    (await countCatalogue(house.db)).find((row) => row.source === source)?.cards ?? 0;

  test("of a Scryfall list that is interrupted goes on where it stopped", async () => {
    const path = join(folder, "bulk.json");
    const cards = Array.from({ length: 2_500 }, (_, index) => scryfallCard(index));
    await writeFile(path, JSON.stringify([...cards, { object: "error" }]));
    const stop = new AbortController();
    const interrupted = importCatalogue(house, {
      source: "scryfall",
      path,
      signal: stop.signal,
      onProgress: ({ written }) => {
        if (written === 1_000) stop.abort();
      },
    });
    await expect(interrupted).rejects.toThrow(/aborted/i);
    expect(await countOf("scryfall")).toBe(1_000);

    const steps: number[] = [];
    const done = await importCatalogue(house, {
      source: "scryfall",
      path,
      onProgress: ({ written }) => steps.push(written),
    });
    expect(done).toEqual({ written: 2_500, skipped: 1, share: 1, isDone: true });
    expect(steps[0]).toBe(2_000);
    expect(await countOf("scryfall")).toBe(2_500);
    expect((await live.asOwner.catalogue.search({ q: "imported sliver 2499" })).data).toHaveLength(
      1,
    );
  });

  test("of a list that was imported does nothing, and again brings it up to date", async () => {
    const path = join(folder, "packed.json.gz");
    await writeFile(path, gzipSync(JSON.stringify([scryfallCard(1), scryfallCard(1)])));
    const first = await importCatalogue(house, { source: "scryfall", path });
    expect(first).toMatchObject({ written: 2, isDone: true });
    const repeated = await importCatalogue(house, { source: "scryfall", path });
    expect(repeated).toEqual(first);
    expect(await importCatalogue(house, { source: "scryfall", path, restart: true })).toEqual(
      first,
    );
    expect(await countOf("scryfall")).toBe(2_500);
  });

  test("of TCGdex's repository", async () => {
    const series = join(folder, "data", "Ember & Ash");
    await mkdir(join(series, "Ember"), { recursive: true });
    await writeFile(
      join(series, "Ember.ts"),
      `const ember: Set = { id: "ember1", name: { en: "Ember" }, cardCount: { official: 3 } }`,
    );
    for (const number of ["1", "2", "TG1"]) {
      await writeFile(
        join(series, "Ember", `${number}.ts`),
        `const card: Card = { name: { en: "Cinder Newt ${number}" }, set: Set }`,
      );
    }
    const done = await importCatalogue(house, { source: "tcgdex", path: join(folder, "data") });
    expect(done).toEqual({ written: 3, skipped: 1, share: 1, isDone: true });
    const { data } = await live.asOwner.catalogue.search({ q: "cinder newt TG1" });
    expect(data[0]).toMatchObject({ name: "Cinder Newt TG1", number: "TG1/3", game: "Pokémon" });
  });

  test("of a list that is cut off keeps what it had, and says so", async () => {
    const path = join(folder, "cut.json");
    await writeFile(path, `[${JSON.stringify(scryfallCard(9_000))}, {"id": `);
    await expect(importCatalogue(house, { source: "scryfall", path })).rejects.toThrow(/middle/);
  });
});

// Real data, where this machine has it; it is no part of the project.
const realList = process.env["TCGDEX_CARDS"] ?? "";
const hasRealList = existsSync(realList);
if (!hasRealList) {
  process.stderr.write(
    "SKIPPED: the catalogue against real cards. Set TCGDEX_CARDS to a TCGdex card list (JSON).\n",
  );
}

test.runIf(hasRealList)(
  "a real list: name, number and total decide for nearly every card",
  async () => {
    const done = await importCatalogue(house, { source: "tcgdex", path: realList });
    expect(done.written).toBeGreaterThan(20_000);
    const cards = await house.db.query<{ name: string; number: string; total: number; id: string }>(
      `select name, number, set_total as total, source_id as id from catalogue_card
     where source = 'tcgdex' and set_total is not null order by md5(source_id) limit 200`,
    );
    const verdicts = await Promise.all(
      cards.map(async ({ name, number, total, id }) => {
        const asked = { name, number: `${number}/${total}`, set: null, setCode: null };
        const verdict = await matchCatalogue(house, live.access, asked);
        return verdict.kind === "decided" ? verdict.card.sourceId === id : null;
      }),
    );
    expect(verdicts.filter((isRight) => isRight === false)).toEqual([]);
    expect(verdicts.filter((isRight) => isRight === true).length).toBeGreaterThan(180);
  },
);
