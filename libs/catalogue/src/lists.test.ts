import { describe, expect, it } from "vitest";
import { findInvented, inventedCatalogue, inventedSets } from "./invented.ts";
import { readScryfallCard } from "./scryfall.ts";
import { ListFormatError, splitJsonObjects } from "./split-json.ts";
import { readTcgdexCardFile, readTcgdexSetFile } from "./tcgdex-repository.ts";
import { readTcgdexCard } from "./tcgdex.ts";

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(
  text: string,
  size: number,
  from = 0,
): Promise<{ text: string; endByte: number }[]> {
  const items: { text: string; endByte: number }[] = [];
  for await (const item of splitJsonObjects(inPieces(text, size), from)) items.push(item);
  return items;
}

describe("a stream of JSON", () => {
  const objects = [{ a: '}]\\"{' }, { b: [{ c: 1 }, "é"] }, {}];
  const forms = {
    array: JSON.stringify(objects),
    "pretty array": JSON.stringify(objects, null, 2),
    lines: objects.map((it) => JSON.stringify(it)).join("\n"),
  };

  it.each(Object.entries(forms))("is taken apart however it is cut: %s", async (_, text) => {
    for (const size of [1, 2, 3, 7, 1_000]) {
      const items = await collect(text, size);
      expect(items.map((it) => JSON.parse(it.text) as unknown)).toEqual(objects);
    }
  });

  it("goes on after any object", async () => {
    const text = forms.array;
    const [first] = await collect(text, 5);
    const end = first?.endByte ?? 0;
    const rest = await collect(Buffer.from(text).subarray(end).toString(), 5, end);
    expect(rest.map((it) => JSON.parse(it.text) as unknown)).toEqual(objects.slice(1));
    expect(rest.at(-1)?.endByte).toBe(Buffer.byteLength(text) - 1);
  });

  it("says so where it ends in the middle, and where a card has no end", async () => {
    await expect(collect('[{"a": 1}, {"b": ', 4)).rejects.toThrow(ListFormatError);
    await expect(collect(`[{"a": "${"x".repeat(5_000_000)}`, 65_536)).rejects.toThrow(
      ListFormatError,
    );
  });
});

describe("TCGdex", () => {
  it("is read from a card of the REST API", () => {
    const card = {
      id: "ember1-12",
      localId: "12",
      name: "Gilded Warden",
      rarity: "Rare",
      image: "https://assets.example.com/ember1/12",
      set: { id: "ember1", name: "Ember", cardCount: { official: 142, total: 160 } },
    };
    expect(readTcgdexCard(card)).toEqual({
      sourceId: "ember1-12",
      card: {
        game: "Pokémon",
        set: "Ember",
        setCode: "ember1",
        number: "12",
        setTotal: 142,
        name: "Gilded Warden",
        rarity: "Rare",
        year: null,
        externalIds: { tcgdex: "ember1-12" },
        imageUrl: "https://assets.example.com/ember1/12/low.webp",
      },
    });
  });

  it("is read from the repository's files, and none of them is run", () => {
    const set = readTcgdexSetFile(`import { Set } from '../../interfaces'
import serie from '../Ember'
const ember: Set = { id: "ember1", name: { en: "Ember", fr: "Braise" }, serie: serie,
  cardCount: { official: 142 }, releaseDate: "2023-02-10" }`);
    if (set === null) throw new Error("The set was not read.");
    const card = `import { Card } from '../../../interfaces'
import Set from '../Ember'
const card: Card = { name: { en: "Gilded Warden" }, rarity: "Rare", set: Set,
  hp: (() => { globalThis.ranCardList = true; return 1 })(), __proto__: { en: "x" },
  attacks: [{ cost: ["Fire"], damage: -50 }], thirdParty: { cardmarket: 278973, tcgplayer: 83586 } }`;
    expect(readTcgdexCardFile(card, "12", set)?.card).toMatchObject({
      number: "12",
      setTotal: 142,
      name: "Gilded Warden",
      year: 2023,
      externalIds: { tcgdex: "ember1-12", tcgplayer: "83586", cardmarket: "278973" },
    });
    expect(globalThis).not.toHaveProperty("ranCardList");
    expect(readTcgdexCardFile("const card: Card = (", "12", set)).toBeNull();
  });
});

describe("Scryfall", () => {
  const card = {
    object: "card",
    id: "0000579f-7b35-4ed3-b44c-db2a538066fe",
    name: "Fury Sliver",
    set: "tsp",
    set_name: "Time Spiral",
    collector_number: "157",
    rarity: "uncommon",
    released_at: "2006-10-06",
    digital: false,
    tcgplayer_id: 14240,
    image_uris: { small: "https://cards.example.com/small.jpg" },
  };

  it("is read from a bulk object", () => {
    expect(readScryfallCard(card)?.card).toEqual({
      game: "Magic: The Gathering",
      set: "Time Spiral",
      setCode: "TSP",
      number: "157",
      setTotal: null,
      name: "Fury Sliver",
      rarity: "Uncommon",
      year: 2006,
      externalIds: { scryfall: card.id, tcgplayer: "14240" },
      imageUrl: "https://cards.example.com/small.jpg",
    });
  });

  it.each([
    ["exists on screens only", { ...card, digital: true }],
    ["has no name", { ...card, name: null }],
    ["is far too long", { ...card, name: "x".repeat(500) }],
    ["is no object", "card"],
  ])("is left out where it %s", (_, value) => {
    expect(readScryfallCard(value)).toBeNull();
  });
});

describe("the invented catalogue", () => {
  it("has 871 cards, and no name twice in a set", () => {
    const all = inventedCatalogue();
    expect(all).toHaveLength(871);
    expect(new Set(all.map(({ card }) => `${card.setCode} ${card.name}`)).size).toBe(871);
    expect(new Set(all.map(({ sourceId }) => sourceId)).size).toBe(871);
  });

  it("finds a card by its id, and no other", () => {
    expect(findInvented("EMC-12")?.set).toBe(inventedSets.emberCoast);
    for (const id of ["EMC-0", "EMC-143", "XXX-1", "EMC-", ""]) expect(findInvented(id)).toBeNull();
  });
});
