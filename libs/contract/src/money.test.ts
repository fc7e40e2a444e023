import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencies, maxAmount, maxQuantity, money, price, totalMoney } from "./money.ts";

function accepts(schema: typeof money, amount: unknown, currency: unknown = "USD"): boolean {
  return schema.safeParse({ amount, currency }).success;
}

describe("money", () => {
  it("takes integers from 0 to its maximum; a price begins at 1", () => {
    expect(accepts(money, 0)).toBe(true);
    expect(accepts(price, 0)).toBe(false);
    expect(accepts(price, 1)).toBe(true);
    for (const schema of [money, price]) {
      expect(accepts(schema, maxAmount)).toBe(true);
      expect(accepts(schema, maxAmount + 1)).toBe(false);
      expect(accepts(schema, -1)).toBe(false);
    }
    expect(accepts(totalMoney, Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(accepts(totalMoney, Number.MAX_SAFE_INTEGER + 1)).toBe(false);
  });

  it("refuses every number that is no integer", () => {
    fc.assert(
      fc.property(fc.double(), (amount) => {
        fc.pre(!Number.isInteger(amount));
        expect(accepts(money, amount)).toBe(false);
      }),
    );
  });

  it.each(["1250", null, undefined, true, 10n, [1250], {}])("refuses the amount %s", (amount) => {
    expect(accepts(money, amount)).toBe(false);
  });

  it("multiplied by the largest quantity is still exact", () => {
    expect(Number.isSafeInteger(maxAmount * maxQuantity)).toBe(true);
  });

  it("knows each active currency, and no other code", () => {
    expect(currencies.every((code) => accepts(money, 1, code))).toBe(true);
    expect(new Set(currencies).size).toBe(currencies.length);
    for (const code of ["usd", "US", "USDX", "ZZZ", "DEM", "", null, "USD "]) {
      expect(accepts(money, 1, code)).toBe(false);
    }
  });

  it("names only currencies that the runtime can format", () => {
    const known = new Set(Intl.supportedValuesOf("currency"));
    // The newest codes reach the runtimes last.
    const young = new Set(["XCG", "ZWG", "SLE", "VED", "VES"]);
    expect(currencies.filter((code) => !known.has(code) && !young.has(code))).toEqual([]);
  });
});
