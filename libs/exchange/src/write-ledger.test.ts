import type { LedgerSale } from "@cardvault/contract";
import { exampleId } from "@cardvault/contract";
import { expect, test } from "vitest";
import { createLedgerWriter } from "./write-ledger.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });
const sale: LedgerSale = {
  id: exampleId("sale"),
  kind: "marketplace",
  state: "counted",
  place: "ebay",
  note: null,
  marketplace: "ebay",
  order_id: "12-34567-89012",
  external_listing_id: "110554871203",
  listing_id: exampleId("lst"),
  card_id: exampleId("card"),
  batch_id: null,
  batch_code: "B47",
  title: "Charged Serpent",
  sku: "B47-00001",
  unmatched: null,
  quantity: 2,
  cancelled_quantity: 0,
  price: usd(2_500),
  cancelled: usd(0),
  refunded: usd(0),
  fee: usd(371),
  cost: usd(3_000),
  profit: usd(-871),
  is_paid: true,
  sold_at: "2026-03-01T09:30:00.000Z",
  recorded_at: "2026-03-01T09:31:00.000Z",
  cancelled_at: null,
  pulled_at: null,
};

test("a sale is a line of decimals; what is not known is empty; a loss is a number", () => {
  const writer = createLedgerWriter();
  const headers = writer.head.trimEnd().split(",");
  const cells = writer.line(sale).trimEnd().split(",");
  expect(cells).toHaveLength(headers.length);
  const of = (name: string) => cells[headers.indexOf(name)];
  expect([of("Price"), of("Fee"), of("Cost"), of("Profit")]).toEqual([
    "25.00",
    "3.71",
    "30.00",
    "-8.71",
  ]);
  const unknown = writer.line({ ...sale, fee: null, cost: null, profit: null });
  expect(unknown.split(",")[headers.indexOf("Fee")]).toBe("");
  expect(unknown.split(",")[headers.indexOf("Profit")]).toBe("");
});

test.each(["=cmd|' /C calc'!A0", "+1-1", "@SUM(A1)", "-2+3", "\t=1"])(
  "%j is no formula, wherever it stands",
  (text) => {
    const line = createLedgerWriter().line({
      ...sale,
      title: text,
      note: text,
      place: text,
      sku: text,
    });
    for (const cell of line.split(",")) expect(cell).not.toMatch(/^"?[=+@\t]|^"?-2/u);
    expect(line).toContain(`'${text.slice(0, 2)}`);
  },
);
