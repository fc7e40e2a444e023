import { expect, test } from "vitest";
import { decideScan } from "./scan.ts";
import type { ScannedCard } from "./scan.ts";

const card = (
  id: string,
  workflowStatus: ScannedCard["workflowStatus"],
  location: string | null = null,
): ScannedCard => ({ id, workflowStatus, location });

test.each([
  ["unknown", [], null],
  ["moved", [card("a", "priced")], "a"],
  ["moved", [card("a", "listed", "B")], "a"],
  ["already_here", [card("a", "priced", "A")], "a"],
  ["sold", [card("a", "sold", "A")], "a"],
  ["archived", [card("a", "archived", "A")], "a"],
  ["ambiguous", [card("a", "priced"), card("b", "imported")], null],
  ["ambiguous", [card("a", "sold"), card("b", "archived")], null],
  ["moved", [card("a", "sold"), card("b", "priced")], "b"],
] as const)("%s for %j", (outcome, found, id) => {
  const decision = decideScan(found, "A");
  expect([decision.outcome, decision.card?.id ?? null]).toEqual([outcome, id]);
});
