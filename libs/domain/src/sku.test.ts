import fc from "fast-check";
import { expect, test } from "vitest";
import { renderSku, requireSkuFormat } from "./sku.ts";

test.each([
  ["{batch}-{n:5}", { counter: 412, batchCode: "B47" }, "B47-00412"],
  ["{batch}-{n:5}", { counter: 412 }, "00412"],
  ["CV-{n:6}", { counter: 1_234_567 }, "CV-1234567"],
  ["{n}", { counter: 7 }, "7"],
  [
    "{game}.{set_code}.{n:3}",
    { counter: 7, game: "Runes of Avarra", setCode: null },
    "Runes-of-Avarra.007",
  ],
  ["{n}-{year}", { counter: 7, year: 2024 }, "7-2024"],
  ["{n}-{year}", { counter: 7 }, "7"],
])("%s of %j is %s", (format, values, sku) => {
  expect(renderSku(format, values)).toBe(sku);
});

test.each([
  "",
  "{batch}",
  "CV",
  "{n}{n}",
  "{name}-{n}",
  "{n:99}",
  "{batch:3}-{n}",
  "a b{n}",
  "{n",
  "ü{n}",
])("refuses the format %j", (format) => {
  expect(() => requireSkuFormat(format)).toThrow(
    expect.objectContaining({ code: "validation_failed" }),
  );
});

test("refuses a SKU of more than 50 characters", () => {
  expect(renderSku(`${"x".repeat(48)}{n:2}`, { counter: 1 })).toHaveLength(50);
  expect(() => renderSku(`${"x".repeat(48)}{n:2}`, { counter: 100 })).toThrow(
    expect.objectContaining({ code: "validation_failed" }),
  );
});

test("cuts the longest part of a SKU that would have more than 50 characters", () => {
  const values = { counter: 412, batchCode: "B47", game: "Runes of Avarra ".repeat(4) };
  const sku = renderSku("{game}.{batch}-{n:5}", values);
  expect(sku).toHaveLength(50);
  expect(sku).toMatch(/^Runes-of-Avarra-.*[.-]B47-00412$/);
});

test("within a batch, two counters never give the same SKU, whatever the card says", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("{batch}-{n:5}", "{game}-{n}", "{n}-{set_code}"),
      fc.nat(1_000_000),
      fc.nat(1_000_000),
      fc.string({ maxLength: 8 }),
      (format, one, other, text) => {
        const values = { batchCode: text, game: text, setCode: text };
        const render = (counter: number) => renderSku(format, { ...values, counter });
        expect(render(one) === render(other)).toBe(one === other);
        expect(render(one)).toMatch(/^[A-Za-z0-9._-]{1,50}$/);
      },
    ),
    { numRuns: 1_000 },
  );
});
