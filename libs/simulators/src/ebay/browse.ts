import { findInvented } from "@cardvault/catalogue";
import { findByWords } from "../prices/find-card.ts";
import { hostile, typicalCents } from "../protocol.ts";
import type { SimulatedAnswer } from "../protocol.ts";

/** `GET /buy/browse/v1/item_summary/search`: what is asked for on eBay for an invented card. */
export function searchAnswer(query: URLSearchParams, isHostile: boolean): SimulatedAnswer {
  const cardId = findByWords(query.get("q") ?? "");
  const found = cardId === null ? null : findInvented(cardId);
  if (cardId === null || found === null)
    return { status: 200, json: { total: 0, limit: 50, offset: 0 } };
  const isGraded = (query.get("filter") ?? "").includes("conditionIds:{2750}");
  const cents = typicalCents(cardId) * (isGraded ? 3 : 1);
  const grade = /\b(PSA|BGS|CGC|SGC)\s+(\d+(?:\.5)?)\b/u.exec(query.get("q") ?? "")?.[0] ?? "";
  const { card, set } = found;
  const title = `${card.name} ${card.number}/${set.total} ${set.name} ${isGraded ? grade : "NM"}`;
  const items = [1.05, 1.15, 1.2, 1.4, 1.9].map((share, index) => ({
    itemId: `v1|${cardId}-${index}|0`,
    title: isHostile ? hostile.text : title,
    price: {
      value: isHostile ? "-1" : ((cents * share) / 100).toFixed(2),
      currency: isHostile ? "__proto__" : "USD",
    },
    condition: isGraded ? "Graded" : "Ungraded",
    itemWebUrl: `https://marketplace.example/itm/${cardId}-${index}`,
  }));
  // A search is generous: it also finds what was not meant.
  const other = {
    itemId: "v1|other|0",
    title: `${set.name} booster pack`,
    price: { value: "4.99", currency: "USD" },
  };
  return {
    status: 200,
    json: { total: items.length + 1, limit: 50, offset: 0, itemSummaries: [other, ...items] },
  };
}
