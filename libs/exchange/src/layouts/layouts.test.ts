import type { Card } from "@cardvault/contract";
import { cardCreateInput } from "@cardvault/contract";
import { describe, expect, test } from "vitest";
import { CsvReader } from "../csv/csv-reader.ts";
import { aCard } from "../fixtures/cards.ts";
import { lists } from "../fixtures/lists.ts";
import { mapRow } from "../map-row.ts";
import type { MappedRow } from "../mapped-row.ts";
import { readHead } from "../read-head.ts";
import { createListWriter } from "../write-list.ts";
import { layouts } from "./index.ts";

/** A whole list as cards, by the layout that it is recognised as. */
function cardsOf(text: string, currency = "USD"): { layout: string | null; rows: MappedRow[] } {
  const bytes = Buffer.from(text);
  const head = readHead(bytes, "utf-8");
  if (head === undefined) throw new Error("There is no row");
  const { layout, mapping, headers, start, delimiter } = head;
  const reader = new CsvReader({ encoding: "utf-8", delimiter }, start);
  const isOwn = layout === "cardvault";
  const plan = {
    mapping,
    width: headers.length,
    isOwn,
    currency,
    foreignPrices: "invalid",
  } as const;
  const rows = [...reader.push(bytes.subarray(start.offset)), ...reader.end()];
  return { layout, rows: rows.map(({ cells }) => mapRow(cells, plan)) };
}
const usd = (amount: number) => ({ amount, currency: "USD" });

describe("the lists of the tools are recognised and need no mapping", () => {
  test("TCGplayer: condition, finish and language in one cell; what is out of stock is passed over", () => {
    const { layout, rows } = cardsOf(lists.tcgplayer);
    expect(layout).toBe("tcgplayer");
    expect(rows).toEqual([
      {
        card: {
          title: "Charged Serpent - 012/180",
          game: "Runes of Avarra",
          set: "Storm Harbour",
          number: "012/180",
          rarity: "Rare",
          condition: "near_mint",
          variant: "holofoil",
          quantity: 3,
          asking_price: usd(123_450),
          external_ids: { tcgplayer: "7700101" },
        },
        problems: [],
        isIgnored: false,
      },
      expect.objectContaining({
        card: expect.objectContaining({ condition: "lightly_played", quantity: 4 }),
        isIgnored: false,
      }),
      expect.objectContaining({
        card: expect.objectContaining({ condition: "damaged", variant: "foil", language: "ja" }),
        isIgnored: true,
      }),
    ]);
  });

  test("ManaBox: Cardmarket's grades, and a price in another currency is a problem of its column", () => {
    const { layout, rows } = cardsOf(lists.manabox);
    expect(layout).toBe("manabox");
    expect(rows[0]).toEqual({
      card: {
        title: "Ember, the Patient",
        game: "Magic: The Gathering",
        set: "Storm Harbour",
        set_code: "SHB",
        number: "12",
        variant: "foil",
        rarity: "mythic",
        quantity: 2,
        external_ids: { manabox: "900001", scryfall: "5d1f7a30-0000-4000-8000-00000000000a" },
        purchase_price: usd(150),
        tags: ["altered"],
        condition: "moderately_played",
        language: "ja",
        location: "Reds",
      },
      problems: [],
      isIgnored: false,
    });
    expect(rows[1]?.card).toMatchObject({ condition: "lightly_played", number: "44a" });
    expect(rows[1]?.card).not.toHaveProperty("variant");
    expect(rows[1]?.problems).toEqual([
      { column: 12, message: "The amount is in EUR; the account's currency is USD." },
    ]);
  });

  test("Deckbox: edition is the set's name, marks become tags", () => {
    const { layout, rows } = cardsOf(lists.deckbox);
    expect(layout).toBe("deckbox");
    expect(rows[0]?.card).toMatchObject({
      title: "Ember Keeper",
      set: "Storm Harbour",
      quantity: 3,
      condition: "lightly_played",
      language: "de",
      variant: "foil",
      tags: ["signed", "promo"],
      asking_price: usd(250),
    });
    expect(rows[1]?.card).not.toHaveProperty("asking_price");
  });

  test("Moxfield: edition is the set's code", () => {
    const { layout, rows } = cardsOf(lists.moxfield);
    expect(layout).toBe("moxfield");
    expect(rows[0]?.card).toMatchObject({
      set_code: "shb",
      number: "12",
      quantity: 4,
      variant: "etched",
      tags: ["trade", "red", "altered"],
      purchase_price: usd(320),
    });
    expect(rows[1]?.card).toMatchObject({ condition: "heavily_played", language: "ja" });
  });

  test("Card Dealer Pro: graded cards, codes of attributes, a title put together where none is given", () => {
    const { layout, rows } = cardsOf(lists.card_dealer_pro);
    expect(layout).toBe("card_dealer_pro");
    expect(rows[0]?.card).toMatchObject({
      sku: "LOT-1",
      subject: "Ada Quill",
      manufacturer: "Harbour",
      variant: "Refractor",
      year: 2023,
      is_rookie: true,
      is_autograph: true,
      asking_price: usd(125_000),
      grading: { grader: "PSA", grade: "10", cert_number: "48213377", qualifier: null },
    });
    expect(rows[1]?.card).toMatchObject({
      title: "2023 Harbour Chrome Bo Lark #13",
      condition: "moderately_played",
    });
  });

  test("CollX: the name is the player's, a grade may stand under condition", () => {
    const { layout, rows } = cardsOf(lists.collx);
    expect(layout).toBe("collx");
    expect(rows[0]?.card).toMatchObject({
      title: "2023 Harbour Chrome Ada Quill #12",
      subject: "Ada Quill",
      condition: "near_mint",
      is_rookie: true,
      external_ids: { collx: "31007" },
    });
    expect(rows[1]?.card.grading).toEqual({
      grader: "PSA",
      grade: "9",
      cert_number: null,
      qualifier: null,
    });
    expect(rows[1]?.card).not.toHaveProperty("condition");
  });

  test("eBay: the line before the headers, numbers of conditions", () => {
    const { layout, rows } = cardsOf(lists.ebay);
    expect(layout).toBe("ebay");
    expect(rows[0]?.card).toMatchObject({
      sku: "LOT-1",
      title: "2023 Harbour Chrome Ada Quill",
      is_rookie: true,
      is_autograph: true,
      grading: { grader: "BGS", grade: "9.5", cert_number: "0011" },
    });
    expect(rows[1]?.card).toMatchObject({ condition: "lightly_played", quantity: 3 });
  });

  test.each(Object.entries(lists))("%s: what comes out is what a new card may be", (_, text) => {
    for (const { card, problems } of cardsOf(text).rows) {
      const { market_price: _price, workflow_status: _status, card_id: _id, ...fields } = card;
      if (problems.length > 0 || fields.quantity === 0) continue;
      expect(cardCreateInput.safeParse(fields).error).toBeUndefined();
    }
  });
});

describe("our cards in the form of a tool", () => {
  test.each(layouts.map(({ id }) => id))(
    "%s: its own list is recognised, and says the same",
    (id) => {
      const cards = [
        aCard({
          external_ids: { tcgplayer: "7700101", collx: "1", manabox: "9" },
          variant: "foil",
        }),
        aCard({
          condition: "moderately_played",
          tags: ["altered"],
          quantity: 3,
          title: 'A "B", C',
        }),
        aCard({
          condition: null,
          grading: { grader: "PSA", grade: "9", cert_number: "12", qualifier: null },
          game: "Baseball",
        }),
      ];
      const writer = createListWriter(id, { currency: "USD", withIds: false });
      const text = writer.head + cards.map((card) => writer.line(card)).join("");
      const { layout, rows } = cardsOf(text);
      expect(layout).toBe(id);
      expect(rows.map(({ problems }) => problems)).toEqual([[], [], []]);
      expect(rows.map(({ card }) => card.quantity)).toEqual([1, 3, 1]);
      if (id !== "collx") {
        expect(rows.map(({ card }) => card.title)).toEqual(cards.map(({ title }) => title));
      }
      expect(rows.map(({ card }) => card.condition).slice(0, 2)).toEqual([
        "near_mint",
        "moderately_played",
      ]);
    },
  );

  test("no cell of any layout is a formula", () => {
    const evil: Card = aCard({
      title: '=HYPERLINK("http://x")',
      notes: "@cmd",
      location: "+1",
      subject: "\tx",
      team: "-2",
    });
    for (const { id } of layouts) {
      const line = createListWriter(id, { currency: "USD", withIds: true }).line(evil);
      expect(line).not.toMatch(/(?:^|,)"?[=+\-@\t]/u);
    }
  });
});
