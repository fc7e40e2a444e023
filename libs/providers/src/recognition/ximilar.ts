import * as z from "zod";
import { openLine } from "../adapter.ts";
import type { Access } from "../adapter.ts";
import { callProvider } from "../call/call-provider.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { requestJson } from "../call/http.ts";
import { ProviderError } from "../call/provider-error.ts";
import { cleanIds, cleanImageUrl, identificationOf, loose, looseList } from "../fields.ts";
import type { ImageRecognition, RecognisedCard } from "../ports.ts";

/** Ximilar documents no field as certain, so none is. */
const match = z.object({
  name: loose,
  full_name: loose,
  set: loose,
  set_code: loose,
  series: loose,
  year: loose,
  card_number: loose,
  out_of: loose,
  subcategory: loose,
  rarity: loose,
  team: loose,
  company: loose,
  links: z.record(z.string(), z.unknown()).nullish().catch(null),
});

const object = z.object({
  _identification: z
    .object({ best_match: match.nullish().catch(null), alternatives: looseList(match) })
    .nullish()
    .catch(null),
});

const answer = z.object({
  status: z.object({ code: z.number().nullish(), text: loose }).nullish().catch(null),
  records: z
    .array(
      z.object({
        _status: z.object({ code: z.number().nullish(), text: loose }).nullish().catch(null),
        _objects: looseList(object),
      }),
    )
    .max(10),
});

// A distance is no confidence, and Ximilar tells no other figure: below the threshold of 0.85, so that
// its word alone never identifies a card; the catalogue or a second provider has to agree.
const bestMatchConfidence = 0.8;
const alternativeConfidence = 0.5;
const mostCandidates = 5;
const sports = /baseball|basketball|football|hockey|soccer|sport/iu;

/** Image recognition by Ximilar. */
export function createXimilar(house: CallHouse, access: Access): ImageRecognition {
  const line = openLine(house, "ximilar", access);
  return {
    provider: "ximilar",
    identify: (image, hints = {}, signal) =>
      callProvider(line.house, line.rules, line.slots, signal, async (trySignal) => {
        const service = sports.test(hints.game ?? "") ? "sport_id" : "tcg_id";
        const { records } = await requestJson(
          {
            method: "POST",
            url: `${access.baseUrl}/collectibles/v2/${service}`,
            headers: {
              authorization: `Token ${access.key}`,
              "content-type": "application/json",
            },
            body: JSON.stringify({
              records: [{ _base64: Buffer.from(image.bytes).toString("base64") }],
            }),
            maxAnswerBytes: line.rules.maxAnswerBytes,
            signal: trySignal,
            errorOf: (status, _headers, detail) =>
              status === 400
                ? new ProviderError("invalid_image", { detail })
                : status === 403 && /credit|quota|limit/iu.test(detail)
                  ? new ProviderError("quota", { detail })
                  : null,
          },
          answer,
        );
        const [record] = records;
        const code = record?._status?.code ?? 200;
        if (code >= 400) {
          throw new ProviderError(code >= 500 ? "unavailable" : "invalid_image", {
            detail: record?._status?.text ?? undefined,
          });
        }
        const [found] = record?._objects ?? [];
        return { found: foundIn(found?._identification), costMicros: access.callCostMicros };
      }),
  };
}

function foundIn(said: z.output<typeof object>["_identification"]) {
  const best = said?.best_match == null ? [] : [candidateOf(said.best_match, bestMatchConfidence)];
  const others = (said?.alternatives ?? []).map((it) => candidateOf(it, alternativeConfidence));
  const candidates = [...best, ...others]
    .filter(({ identification }) => identification.title !== null || identification.set !== null)
    .slice(0, mostCandidates);
  const isCard = candidates[0]?.identification.title != null;
  const outcome =
    candidates.length === 0
      ? ("no_match" as const)
      : isCard
        ? ("matched" as const)
        : ("set_level" as const);
  return { outcome, candidates };
}

function candidateOf(said: z.output<typeof match>, confidence: number): RecognisedCard {
  const total = Number(said.out_of);
  return {
    identification: identificationOf({
      title: said.name ?? said.full_name,
      game: said.subcategory,
      set: said.set,
      setCode: said.set_code,
      number: said.card_number,
      total: Number.isInteger(total) ? total : null,
      year: said.year,
      subject: said.name,
      team: said.team,
      manufacturer: said.company,
      rarity: said.rarity,
    }),
    confidence,
    externalIds: cleanIds(idsIn(said.links)),
    grading: null,
    imageUrl: cleanImageUrl(linkOf(said.links, "image")),
    unreadable: [],
  };
}

/** Ids stand at the end of the pages that Ximilar links to. */
function idsIn(links: Record<string, unknown> | null | undefined): Record<string, string> {
  const [, tcgplayer] = /\/product\/(\d+)/.exec(linkOf(links, "tcgplayer.com") ?? "") ?? [];
  return tcgplayer === undefined ? {} : { tcgplayer };
}

function linkOf(links: Record<string, unknown> | null | undefined, name: string): string | null {
  const value = links != null && Object.hasOwn(links, name) ? links[name] : null;
  return typeof value === "string" ? value : null;
}
