import { findInvented } from "@cardvault/catalogue";
import { hostile, typicalCents } from "../protocol.ts";
import type { Protocol } from "../protocol.ts";
import { findByWords } from "./find-card.ts";

/** What a column of the guide is, as shares of the ungraded price. */
const columns = {
  "loose-price": 1,
  "cib-price": 1.3,
  "new-price": 1.8,
  "graded-price": 2.9,
  "box-only-price": 4.1,
  "manual-only-price": 9.4,
  "bgs-10-price": 11.2,
  "condition-17-price": 7.9,
  "condition-18-price": 7.1,
} as const;

/** PriceCharting's `GET /api/product`. */
export const pricecharting: Protocol = {
  name: "pricecharting",
  keyOf: ({ query }) => query.get("t") ?? "",
  answer(request, { fault }) {
    if (request.method !== "GET" || request.path !== "/api/product") return Promise.resolve(null);
    if (this.keyOf(request) === "")
      return Promise.resolve(this.error(401, "Invalid or missing token."));
    const id = request.query.get("id") ?? findByWords(request.query.get("q") ?? "");
    const found = id === null ? null : findInvented(id);
    if (id === null || found === null) return Promise.resolve(this.error(404, "No such product"));
    const { card, set } = found;
    const prices = Object.entries(columns).map(([name, share]) => [
      name,
      fault === "hostile" ? hostile.number : Math.round(typicalCents(id) * share),
    ]);
    return Promise.resolve({
      status: 200,
      json: {
        status: "success",
        id,
        "product-name":
          fault === "wrong_card" ? "Somebody Else #999" : `${card.name} #${card.number}`,
        "console-name": `${set.game} ${set.name}`,
        ...Object.fromEntries(prices),
      },
    });
  },
  error: (status, message) => ({ status, json: { status: "error", "error-message": message } }),
};
