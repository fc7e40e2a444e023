import { findInvented } from "@cardvault/catalogue";
import { findByWords } from "../prices/find-card.ts";
import { hostile, typicalCents } from "../protocol.ts";
import type { Protocol, SimulatedAnswer, SimulatedRequest } from "../protocol.ts";

// eBay is one third party with one token endpoint. What sells stands beside this file, under the same name.

const tokenSeconds = 7_200;
const tokenPrefix = "v^1.1#sandbox#";

/** eBay's token endpoint for applications, and the search of its Browse API. */
export const ebay: Protocol = {
  name: "ebay",
  /** The client's id: of a token request from its Basic header, else from the token itself. */
  keyOf({ headers }) {
    const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? "") ?? [];
    if (basic !== undefined) {
      return Buffer.from(basic, "base64").toString("utf8").split(":", 1)[0] ?? "";
    }
    const [, bearer = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    return bearer.startsWith(tokenPrefix) ? bearer.slice(tokenPrefix.length) : "";
  },
  answer(request, { fault }) {
    const { method, path } = request;
    if (method === "POST" && path === "/identity/v1/oauth2/token") {
      return Promise.resolve(tokenAnswer(request, this.keyOf(request)));
    }
    if (method === "GET" && path === "/buy/browse/v1/item_summary/search") {
      if (this.keyOf(request) === "")
        return Promise.resolve(this.error(401, "Invalid access token"));
      return Promise.resolve(searchAnswer(request.query, fault === "hostile"));
    }
    return Promise.resolve(null);
  },
  error: (status, message) => ({
    status,
    json: { errors: [{ errorId: status, domain: "API_BROWSE", category: "REQUEST", message }] },
  }),
};

function tokenAnswer({ body, headers }: SimulatedRequest, clientId: string): SimulatedAnswer {
  const form = new URLSearchParams(body.toString("utf8"));
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  if (!isForm || clientId === "" || form.get("grant_type") !== "client_credentials") {
    return {
      status: 400,
      json: { error: "invalid_request", error_description: "request is invalid" },
    };
  }
  return {
    status: 200,
    json: {
      access_token: `${tokenPrefix}${clientId}`,
      expires_in: tokenSeconds,
      token_type: "Application Access Token",
    },
  };
}

function searchAnswer(query: URLSearchParams, isHostile: boolean): SimulatedAnswer {
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
