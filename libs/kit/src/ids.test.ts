import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidIdError, isId, newId, toId, toUuid } from "./ids.ts";
import type { IdPrefix } from "./ids.ts";

const prefixes: readonly IdPrefix[] = [
  "card",
  "batch",
  "lst",
  "evt",
  "acc",
  "whe",
  "dlv",
  "key",
  "img",
  "job",
  "req",
];
const uuids = fc.uuid();

/** The TypeID specification's own valid vectors, with prefixes of ours. */
const vectors = [
  ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000"],
  ["00000000-0000-0000-0000-000000000001", "00000000000000000000000001"],
  ["00000000-0000-0000-0000-00000000000a", "0000000000000000000000000a"],
  ["00000000-0000-0000-0000-000000000010", "0000000000000000000000000g"],
  ["00000000-0000-0000-0000-000000000020", "00000000000000000000000010"],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", "7zzzzzzzzzzzzzzzzzzzzzzzzz"],
  ["0110c853-1d09-52d8-d73e-1194e95b5f19", "0123456789abcdefghjkmnpqrs"],
  ["01890a5d-ac96-774b-bcce-b302099a8057", "01h455vb4pex5vsknk084sn02q"],
] as const;

describe("ids", () => {
  it.each(vectors)("writes %s as the TypeID specification says", (uuid, suffix) => {
    expect(toId("card", uuid)).toBe(`card_${suffix}`);
    expect(toUuid(`card_${suffix}`)).toBe(uuid);
  });

  it("gives every UUID back, and keeps its order", () => {
    fc.assert(
      fc.property(uuids, uuids, fc.constantFrom(...prefixes), (a, b, prefix) => {
        const id = toId(prefix, a);
        expect(isId(prefix, id)).toBe(true);
        expect(toUuid(id, prefix)).toBe(a);
        expect(toId(prefix, a.toUpperCase())).toBe(id);
        expect(id < toId(prefix, b)).toBe(a < b);
      }),
    );
  });

  it("makes UUIDs of version 7 that ascend, thousands within a millisecond too", () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, () => newId("evt"));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    const uuid = toUuid(ids[0] ?? "");
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const madeAt = Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16);
    expect(Math.abs(madeAt - before)).toBeLessThan(5_000);
  });

  it("reads every new id as its own kind and no other", () => {
    for (const prefix of prefixes) {
      const id = newId(prefix);
      expect(prefixes.filter((other) => isId(other, id))).toEqual([prefix]);
    }
  });

  it.each([
    "",
    "card",
    "card_",
    "_01h455vb4pex5vsknk084sn02q",
    "01h455vb4pex5vsknk084sn02q",
    "card-01h455vb4pex5vsknk084sn02q",
    "card__01h455vb4pex5vsknk084sn02q",
    "card_01h455vb4pex5vsknk084sn02",
    "card_01h455vb4pex5vsknk084sn02qq",
    "card_81h455vb4pex5vsknk084sn02q",
    "card_z1h455vb4pex5vsknk084sn02q",
    "card_01H455VB4PEX5VSKNK084SN02Q",
    "card_01h455vb4pex5vsknk084sn02Q",
    "CARD_01h455vb4pex5vsknk084sn02q",
    "card_01h455vb4pex5vsknk084sn02i",
    "card_01h455vb4pex5vsknk084sn02l",
    "card_01h455vb4pex5vsknk084sn02o",
    "card_01h455vb4pex5vsknk084sn02u",
    "card_01h455vb4pex5vsknk084sn0\u0000q",
    "card_01h455vb4pex5vsknk084sn0éq",
    "card_01h455vb4pex5vsknk084sn0２q",
    " card_01h455vb4pex5vsknk084sn02q",
    "card_01h455vb4pex5vsknk084sn02q ",
    "card_01h455vb4pex5vsknk084sn02q\n",
    "lst_01h455vb4pex5vsknk084sn02q",
  ])("refuses %j as a card's id", (text) => {
    expect(isId("card", text)).toBe(false);
    expect(() => toUuid(text, "card")).toThrow(InvalidIdError);
  });

  it.each([
    "",
    "01890a5dac96774bbcceb302099a8057",
    "01890a5d-ac96-774b-bcce-b302099a805",
    "01890a5d-ac96-774b-bcce-b302099a805g",
    "01890a5d-ac96-774b-bcce0b302099a8057",
    "01890a5d0ac96-774b-bcce-b302099a8057",
    "01890a5d-ac96-774b-bcce-b302099a805é",
    "{1890a5d-ac96-774b-bcce-b302099a8057",
  ])("refuses %j as a UUID", (text) => {
    expect(() => toId("card", text)).toThrow(InvalidIdError);
  });
});
