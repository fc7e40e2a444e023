import { findInvented } from "@cardvault/catalogue";
import { daysBefore, hostile, typicalCents } from "../protocol.ts";
import type { Protocol } from "../protocol.ts";

/** TCGdex's `GET /v2/{language}/cards/{id}`. */
export const tcgdex: Protocol = {
  name: "tcgdex",
  keyOf: () => "",
  answer({ method, path }, { fault, now }) {
    const [, encoded] = /^\/v2\/[a-z-]{2,5}\/cards\/([^/]+)$/.exec(path) ?? [];
    if (method !== "GET" || encoded === undefined) return Promise.resolve(null);
    const id = decodeURIComponent(encoded);
    const found = findInvented(id.toUpperCase());
    if (found === null) return Promise.resolve(this.error(404, "The resource was not found"));
    const yesterday = daysBefore(now, 1).toISOString().slice(0, 10);
    const dollars = typicalCents(id.toUpperCase()) / 100;
    const figure = (share: number): number =>
      fault === "hostile" ? hostile.number : Math.round(dollars * share * 100) / 100;
    return Promise.resolve({
      status: 200,
      json: {
        id,
        localId: found.card.number,
        name: found.card.name,
        set: { id: found.set.code, name: found.set.name, cardCount: { official: found.set.total } },
        pricing: {
          tcgplayer: {
            updated: yesterday.replaceAll("-", "/"),
            unit: "USD",
            normal: {
              lowPrice: figure(0.7),
              midPrice: figure(1.1),
              highPrice: figure(2),
              marketPrice: figure(1),
            },
            "reverse-holofoil": {
              lowPrice: figure(1),
              highPrice: figure(3),
              marketPrice: figure(1.6),
            },
          },
          cardmarket: {
            updated: `${yesterday}T02:41:00.000Z`,
            unit: "EUR",
            avg: figure(0.88),
            low: figure(0.5),
            trend: figure(0.9),
            "trend-holo": figure(1.5),
            "low-holo": figure(0.9),
          },
        },
      },
    });
  },
  error: (status, message) => ({ status, json: { status, title: message, type: "about:blank" } }),
};
