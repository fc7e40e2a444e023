import * as z from "zod";
import type { Marked } from "../marker.ts";
import { hostile, lookAt, rivalOf } from "../protocol.ts";
import type { Protocol } from "../protocol.ts";

const body = z.object({
  records: z
    .array(z.object({ _base64: z.string().optional(), _url: z.string().optional() }))
    .min(1)
    .max(10),
});

/** Ximilar's collectibles service, version 2. */
export const ximilar: Protocol = {
  name: "ximilar",
  keyOf: ({ headers }) => /^Token (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "",
  async answer(request, { fault }) {
    if (request.method !== "POST") return null;
    if (!/^\/collectibles\/v2\/(?:tcg_id|sport_id|slab_id)$/.test(request.path)) return null;
    if (this.keyOf(request) === "")
      return this.error(401, "Authentication credentials were not provided.");
    const read = body.safeParse(parsed(request.body));
    if (!read.success) return this.error(400, "records: This field is required.");
    const base64 = read.data.records[0]?._base64 ?? "";
    const marked = await lookAt(Buffer.from(base64, "base64"), fault);
    if (marked?.outcome === "provider_errors") return this.error(500, "Internal error");
    const identification = fault === "hostile" ? hostileMatch() : identificationOf(marked);
    return {
      status: 200,
      json: {
        records: [
          {
            _status: { code: 200, text: "OK", request_id: "b9a8c5f2" },
            _objects:
              identification === null
                ? []
                : [{ name: "Card", prob: 0.98, _identification: identification }],
          },
        ],
        status: { code: 200, text: "OK" },
        statistics: { "processing time": 0.41 },
      },
    };
  },
  error: (status, message) => ({ status, json: { detail: message, status: { code: status } } }),
};

function identificationOf(marked: Marked | null) {
  if (marked === null) return null;
  const { outcome } = marked;
  if (outcome === "both_failed" || outcome === "generative_only") return null;
  if (outcome === "set_level") {
    const { set, year, subcategory } = matchOf(marked);
    return { best_match: { set, year, subcategory }, alternatives: [], distances: [0.61] };
  }
  const others =
    outcome === "ambiguous" || outcome === "low_confidence" ? [matchOf(rivalOf(marked))] : [];
  return { best_match: matchOf(marked), alternatives: others, distances: [0.31, 0.44] };
}

function matchOf({ card, set }: Marked) {
  return {
    name: card.name,
    full_name: `${card.name} ${set.name} (${set.code}) #${card.number}`,
    set: set.name,
    set_code: set.code,
    series: set.game,
    year: set.year,
    card_number: card.number,
    out_of: String(set.total),
    rarity: card.rarity,
    subcategory: set.game,
    links: {},
  };
}

function hostileMatch() {
  return {
    ...hostile.members,
    best_match: {
      ...hostile.members,
      name: hostile.text,
      card_number: hostile.number,
      year: -1,
      out_of: "1e999",
      links: { "tcgplayer.com": "javascript:alert(1)", image: "http://169.254.169.254/" },
    },
    alternatives: "none",
  };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
