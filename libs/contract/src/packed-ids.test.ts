import fc from "fast-check";
import { expect, test } from "vitest";
import { cardId } from "./ids.ts";
import { openPackedIds, packIds } from "./packed-ids.ts";

const suffix = fc
  .tuple(
    fc.constantFrom(...Array.from("01234567")),
    fc.string({
      unit: fc.constantFrom(...Array.from("0123456789abcdefghjkmnpqrstvwxyz")),
      minLength: 25,
      maxLength: 25,
    }),
  )
  .map(([first, rest]) => `card_${first}${rest}`);

test("what is packed comes out again, whole and in pieces", () => {
  fc.assert(
    fc.property(fc.uniqueArray(suffix, { maxLength: 40 }), fc.nat(40), fc.nat(40), (ids, a, b) => {
      const opened = openPackedIds("card", packIds("card", ids));
      expect(opened.length).toBe(ids.length);
      for (const [index, id] of ids.entries()) {
        expect(opened.at(index)).toBe(id);
        expect(opened.indexOf(id)).toBe(index);
        expect(cardId.safeParse(opened.at(index)).success).toBe(true);
      }
      const part = openPackedIds("card", opened.slice(a, b));
      const wanted = ids.slice(a, Math.max(a, b));
      expect(Array.from({ length: part.length }, (_, index) => part.at(index))).toEqual(wanted);
    }),
  );
});

test("what is no id is not packed and not found", () => {
  for (const id of [
    "",
    "card_",
    "batch_01kjn2z6g0fgz9pqafd9r83gq3",
    "card_81kjn2z6g0fgz9pqafd9r83gq3",
  ]) {
    expect(() => packIds("card", [id])).toThrow(TypeError);
    expect(openPackedIds("card", "").indexOf(id)).toBe(-1);
  }
});

test("what is not base64 of whole ids is refused", () => {
  for (const text of ["AAAA", "!", "AAAAAAAAAAAAAAAAAAAAAAAAA"]) {
    expect(() => openPackedIds("card", text)).toThrow(TypeError);
  }
  expect(() => openPackedIds("card", "").at(0)).toThrow(RangeError);
});
