import type { Card } from "@cardvault/contract";
import { cardMaxima, conditions } from "@cardvault/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CsvReader } from "./csv/csv-reader.ts";
import { aCard } from "./fixtures/cards.ts";
import { mapRow } from "./map-row.ts";
import { readHead } from "./read-head.ts";
import { createListWriter } from "./write-list.ts";

const character = fc.oneof(
  fc.constantFrom(..."=+-@'\"\t\r\n,;| []\\".split("")),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);
const anyText = (maxLength: number) =>
  fc
    .array(character, { maxLength: Math.min(maxLength, 12) })
    .map((characters) => characters.join(""))
    .filter((text) => text.isWellFormed() && !text.includes("\u0000") && text.length <= maxLength);
const filled = (maxLength: number) => anyText(maxLength).filter((text) => text.trim() !== "");
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const price = fc
  .integer({ min: 1, max: 900_000_000_000 })
  .map((amount) => ({ amount, currency: "USD" }));

const card: fc.Arbitrary<Card> = fc
  .record({
    sku: filled(cardMaxima.sku),
    title: orNull(filled(cardMaxima.title)),
    game: orNull(filled(cardMaxima.game)),
    set: orNull(filled(cardMaxima.set)),
    number: orNull(filled(cardMaxima.number)),
    year: orNull(fc.integer({ min: 1800, max: 2099 })),
    language: orNull(filled(cardMaxima.language)),
    print_run: orNull(fc.integer({ min: 1, max: 1_000_000 })),
    is_rookie: fc.boolean(),
    quantity: fc.integer({ min: 1, max: 9_999 }),
    asking_price: orNull(price),
    purchase_price: orNull(price),
    location: orNull(filled(cardMaxima.location)),
    notes: orNull(filled(100)),
    tags: fc.array(filled(cardMaxima.tag), { maxLength: 4 }),
    external_ids: fc.dictionary(filled(20), filled(20), { maxKeys: 3 }),
    standing: fc.oneof(
      fc.record({ condition: orNull(fc.constantFrom(...conditions)), grading: fc.constant(null) }),
      fc.record({
        condition: fc.constant(null),
        grading: fc.record({
          grader: filled(20),
          grade: filled(20),
          cert_number: orNull(filled(30)),
          qualifier: orNull(filled(20)),
        }),
      }),
    ),
  })
  .map(({ standing, ...members }) => aCard({ ...members, ...standing }));

// Of every field what the list can say: what the card is afterwards is for the tests of imports.
test("a card written as our own list and read again says the same, formulas and all", () => {
  fc.assert(
    fc.property(fc.array(card, { minLength: 1, maxLength: 5 }), (cards) => {
      const writer = createListWriter("cardvault", { currency: "USD", withIds: false });
      const bytes = Buffer.from(writer.head + cards.map((one) => writer.line(one)).join(""));
      const head = readHead(bytes, "utf-8");
      expect(head?.layout).toBe("cardvault");
      if (head === undefined) return;
      const reader = new CsvReader({ encoding: "utf-8", delimiter: head.delimiter }, head.start);
      const rows = [...reader.push(bytes.subarray(head.start.offset)), ...reader.end()];
      const plan = {
        mapping: head.mapping,
        width: head.headers.length,
        isOwn: true,
        currency: "USD",
        foreignPrices: "invalid",
      } as const;
      const read = rows.map(({ cells }) => mapRow(cells, plan));
      expect(read.map(({ problems }) => problems)).toEqual(cards.map(() => []));
      const again = read.map(({ card: given }, index) =>
        writer.line(
          aCard({
            ...emptied(cards[index] ?? aCard()),
            ...(given as Partial<Card>),
          }),
        ),
      );
      expect(again).toEqual(cards.map((one) => writer.line(one)));
    }),
  );
});

/** The card without anything that its list says. */
function emptied(one: Card): Partial<Card> {
  const nothing = Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, Array.isArray(value) ? [] : null]),
  );
  const { id, version, status, created_at, updated_at, needs_review } = one;
  return {
    ...nothing,
    id,
    version,
    status,
    created_at,
    updated_at,
    needs_review,
    external_ids: {},
    is_rookie: false,
    is_autograph: false,
    is_memorabilia: false,
    quantity: 1,
    workflow_status: "imported",
  };
}
