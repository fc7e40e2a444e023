import { findInvented, inventedCatalogue } from "@cardvault/catalogue";
import { daysBefore, hostile, lookAt, rivalOf, typicalCents } from "../protocol.ts";
import type { Protocol, SimulatedAnswer, SimulatedRequest } from "../protocol.ts";
import type { Marked } from "../marker.ts";

const maxImageBytes = 20 * 1_024 * 1_024;
const requestId = "5f0c9a52-0d7e-4a55-9a0f-2f6f3a1f7c11";

/** CardSight AI's identification and pricing. Source: its OpenAPI document, as its SDK has it. */
export const cardsight: Protocol = {
  name: "cardsight",
  keyOf: ({ headers }) => String(headers["x-api-key"] ?? ""),
  async answer(request, { fault, now }) {
    if (this.keyOf(request) === "") return this.error(401, "API key is required");
    if (request.method === "POST" && /^\/v1\/identify\/card(\/[^/]+)?$/.test(request.path)) {
      const image = await imageOf(request);
      if (image === null) return this.error(400, "image is required");
      if (image.length > maxImageBytes) return this.error(400, "image exceeds 20MB");
      const marked = await lookAt(image, fault);
      if (marked?.outcome === "provider_errors") return this.error(500, "Identification failed");
      return ok({
        success: true,
        requestId,
        detections: fault === "hostile" ? [hostileDetection()] : detectionsOf(marked),
        processingTime: 412,
        messages: [],
      });
    }
    const [, cardId] = /^\/v1\/pricing\/([^/]+)$/.exec(request.path) ?? [];
    if (request.method === "GET" && cardId !== undefined) {
      const id = decodeURIComponent(cardId);
      const known = inventedOf(id);
      return known === null ? this.error(404, "Card not found") : ok(pricingOf(id, known, now));
    }
    return null;
  },
  error: (status, message) => ({ status, json: { error: message, code: `E${status}` } }),
};

const ok = (json: unknown): SimulatedAnswer => ({ status: 200, json });

async function imageOf({ headers, body }: SimulatedRequest): Promise<Buffer | null> {
  const type = headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return null;
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": type },
    }).formData();
    const image = form.get("image");
    if (!(image instanceof File) || image.size === 0) return null;
    return Buffer.from(await image.arrayBuffer());
  } catch {
    return null;
  }
}

function detectionsOf(marked: Marked | null): unknown[] {
  if (marked === null) return [];
  const exact = { confidence: "High", card: cardOf(marked) };
  switch (marked.outcome) {
    case "applied":
      return [exact];
    case "graded":
      return [
        {
          ...exact,
          grading: {
            confidence: "High",
            company: { name: "PSA" },
            grade: { value: "9", condition: "Mint" },
          },
        },
      ];
    case "low_confidence":
      return [{ confidence: "Low", card: cardOf(marked) }];
    case "ambiguous":
      return [
        { confidence: "Medium", card: cardOf(marked) },
        { confidence: "Medium", card: cardOf(rivalOf(marked)) },
      ];
    case "set_level": {
      const { id: _id, name: _name, number: _number, ...set } = cardOf(marked);
      return [{ confidence: "Medium", card: set }];
    }
    default:
      return [];
  }
}

function cardOf({ card, set, cardId }: Marked) {
  return {
    id: cardsightId(cardId),
    segmentId: "8b1f2c1e-5d8e-4b39-8f35-0d6c1f7a2a01",
    releaseId: "8b1f2c1e-5d8e-4b39-8f35-0d6c1f7a2a02",
    setId: cardsightId(`${set.code}-0`),
    year: String(set.year),
    manufacturer: set.manufacturer,
    releaseName: set.name,
    setName: set.name,
    name: card.name,
    number: `${card.number}/${set.total}`,
    attributes: card.isRookie ? ["RC"] : [],
    fields: [
      { name: "Game", value: set.game },
      { name: "Rarity", value: card.rarity },
      ...(card.team === null ? [] : [{ name: "Team", value: card.team }]),
    ],
    suggestions: [],
  };
}

function hostileDetection(): unknown {
  return {
    confidence: "High",
    ...hostile.members,
    card: {
      ...hostile.members,
      id: "x".repeat(100_000),
      name: hostile.text,
      setName: hostile.text.repeat(10_000),
      number: hostile.number,
      year: "99999",
      numberedTo: hostile.number,
      parallel: { name: { $ne: null }, numberedTo: -1 },
      attributes: Array.from({ length: 100_000 }, () => "RC"),
      fields: "none",
    },
  };
}

/** CardSight's ids are UUIDs: the set's code and the number in the last digits. */
function cardsightId(cardId: string): string {
  const [code = "", number = ""] = cardId.split("-");
  const digits = Buffer.from(code).toString("hex").padStart(6, "0");
  return `ca4d51b7-0000-4000-8000-${digits}${number.padStart(6, "0")}`;
}

const idOf = new Map(inventedCatalogue().map(({ sourceId }) => [cardsightId(sourceId), sourceId]));

function inventedOf(id: string): string | null {
  return idOf.get(id) ?? null;
}

/** Sold and asked on days that follow from the card, the last sale at most five days ago. */
function pricingOf(id: string, cardId: string, now: Date): unknown {
  const dollars = typicalCents(cardId) / 100;
  const lastSoldDays = 1 + (Number(findInvented(cardId)?.card.number ?? 0) % 5);
  const record = (share: number, days: number, listing: string) => ({
    title: `${findInvented(cardId)?.card.name ?? ""} ${cardId}`,
    price: Math.round(dollars * share * 100) / 100,
    date: daysBefore(now, lastSoldDays + days)
      .toISOString()
      .slice(0, 10),
    source: "ebay",
    listing_type: listing,
  });
  const sold = [0.9, 0.95, 1, 1.05, 1.2].map((share, index) => record(share, 4 - index, "auction"));
  const asked = [1.2, 1.3, 1.5].map((share, index) => record(share, 2 - index, "fixed"));
  const records = [...sold, ...asked];
  const gradedRecords = [2.8, 3, 3.1].map((share, index) => record(share, 6 - index, "auction"));
  return {
    card: { id },
    query: {},
    raw: { count: records.length, records },
    graded: [
      {
        company_name: "PSA",
        grades: [{ grade_value: "9", count: gradedRecords.length, records: gradedRecords }],
      },
    ],
    meta: {},
  };
}
