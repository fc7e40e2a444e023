import { findInvented } from "@cardvault/catalogue";
import { hostile, typicalCents } from "../protocol.ts";
import type { Protocol } from "../protocol.ts";

/** Scryfall's `GET /cards/{set}/{number}` and `GET /cards/{id}`, which refuse anonymous clients. */
export const scryfall: Protocol = {
  name: "scryfall",
  keyOf: () => "",
  answer({ method, path, headers }, { fault }) {
    const [, one = "", number] = /^\/cards\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (method !== "GET" || one === "") return Promise.resolve(null);
    if ((headers["user-agent"] ?? "") === "" || (headers.accept ?? "") === "") {
      return Promise.resolve(this.error(400, "User-Agent and Accept are required."));
    }
    const id = decodeURIComponent(number === undefined ? one : `${one}-${number}`).toUpperCase();
    const found = findInvented(id);
    if (found === null) return Promise.resolve(this.error(404, "No card found."));
    const dollars = typicalCents(id) / 100;
    const price = (share: number): string =>
      fault === "hostile" ? "1e999" : (dollars * share).toFixed(2);
    return Promise.resolve({
      status: 200,
      json: {
        object: "card",
        id,
        name: fault === "hostile" ? hostile.text : found.card.name,
        set: found.set.code.toLowerCase(),
        collector_number: found.card.number,
        prices: {
          usd: price(1),
          usd_foil: price(2.4),
          usd_etched: null,
          eur: price(0.9),
          eur_foil: null,
          tix: null,
        },
      },
    });
  },
  error: (status, message) => ({
    status,
    json: {
      object: "error",
      code: status === 404 ? "not_found" : "error",
      status,
      details: message,
    },
  }),
};
