import * as z from "zod";
import { openLine } from "../adapter.ts";
import type { Access } from "../adapter.ts";
import { callProvider } from "../call/call-provider.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { checkAnswer } from "../call/http.ts";
import { ProviderError } from "../call/provider-error.ts";
import { cleanIds, gradingOf, identificationOf, loose, looseList } from "../fields.ts";
import type { ImageRecognition, RecognisedCard } from "../ports.ts";
import { withCardSight } from "./cardsight-client.ts";

const named = z.object({ name: loose, value: loose }).partial();

const grading = z.object({
  company: z.object({ name: loose }).nullish().catch(null),
  grade: z.object({ value: loose }).nullish().catch(null),
  qualifier: z.object({ code: loose }).nullish().catch(null),
});

const card = z.object({
  id: loose,
  segmentId: loose,
  releaseId: loose,
  setId: loose,
  year: loose,
  manufacturer: loose,
  releaseName: loose,
  setName: loose,
  name: loose,
  number: loose,
  numberedTo: z.unknown().optional(),
  attributes: looseList(z.union([z.string(), z.object({ name: z.string() })])),
  parallel: z
    .object({ id: loose, name: loose, numberedTo: z.unknown().optional() })
    .nullish()
    .catch(null),
  fields: looseList(named),
});
type Card = z.output<typeof card>;

const detection = z.object({
  confidence: z.enum(["High", "Medium", "Low"]),
  card: card.nullish(),
  grading: grading.nullish().catch(null),
});

/** Everything but the list may be missing. Source: providers' own OpenAPI document, by its SDK. */
const answer = z.object({ success: z.boolean().nullish(), detections: z.array(detection).max(50) });

/** CardSight says a range: 90 to 100, 75 to 89, 50 to 74 of a hundred. */
const confidenceOf = { High: 0.95, Medium: 0.82, Low: 0.62 } as const;
const mostCandidates = 5;
/** CardSight's segments, by the games and sports that a hint may name. */
const segments = ["baseball", "basketball", "football", "hockey", "soccer", "pokemon", "magic"];

/** Image recognition by CardSight AI, through its own SDK. */
export function createCardSight(house: CallHouse, access: Access): ImageRecognition {
  const line = openLine(house, "cardsight", access);
  return {
    provider: "cardsight",
    identify: (image, hints = {}, signal) =>
      callProvider(line.house, line.rules, line.slots, signal, async (trySignal) => {
        const file = new File([new Uint8Array(image.bytes)], `card.${extensionOf(image.type)}`, {
          type: image.type,
        });
        const segment = segmentOf(hints.game);
        const said = await withCardSight(access, line, trySignal, (client) =>
          segment === undefined
            ? client.identify.card(file)
            : client.identify.cardBySegment(segment, file),
        );
        return { found: foundIn(said), costMicros: access.callCostMicros };
      }),
  };
}

function foundIn(said: unknown) {
  const { success, detections } = checkAnswer(said, answer);
  if (success === false) throw new ProviderError("unavailable", { detail: "success: false" });
  const candidates = detections
    .flatMap((it): Candidate[] => (it.card == null ? [] : [candidateOf(it.card, it)]))
    .sort((one, other) => other.found.confidence - one.found.confidence)
    .slice(0, mostCandidates);
  const exact = candidates.some(({ isExact }) => isExact);
  const outcome =
    candidates.length === 0
      ? ("no_match" as const)
      : exact
        ? ("matched" as const)
        : ("set_level" as const);
  // A card that is known comes before a set that is.
  const ranked = candidates.toSorted((one, other) => Number(other.isExact) - Number(one.isExact));
  return { outcome, candidates: ranked.map(({ found }) => found) };
}

interface Candidate {
  readonly isExact: boolean;
  readonly found: RecognisedCard;
}

function candidateOf(
  said: Card,
  { confidence, grading: slab }: z.output<typeof detection>,
): Candidate {
  const attributes = said.attributes.map((it) => (typeof it === "string" ? it : it.name));
  const has = (pattern: RegExp): boolean => attributes.some((name) => pattern.test(name));
  const field = (pattern: RegExp): string | null =>
    said.fields.find(({ name }) => pattern.test(name ?? ""))?.value ?? null;
  const isExact = said.id !== null;
  const found: RecognisedCard = {
    identification: identificationOf({
      title: isExact ? said.name : null,
      game: field(/^game$/iu),
      set: said.setName ?? said.releaseName,
      number: said.number,
      year: said.year,
      subject: isExact ? said.name : null,
      team: field(/^team$/iu),
      manufacturer: said.manufacturer,
      variant: said.parallel?.name,
      rarity: field(/^rarity$/iu),
      printRun: said.parallel?.numberedTo ?? said.numberedTo,
      isRookie: has(/^(rc|rookie)/iu),
      isAutograph: has(/^auto/iu),
      isMemorabilia: has(/^(mem|relic|patch|jersey)/iu),
    }),
    confidence: confidenceOf[confidence],
    externalIds: cleanIds({ cardsight: said.id, cardsight_set: said.setId }),
    grading: gradingOf({
      grader: slab?.company?.name,
      grade: slab?.grade?.value,
      qualifier: slab?.qualifier?.code,
    }),
    imageUrl: null,
    unreadable: [],
  };
  return { isExact, found };
}

function segmentOf(game: string | undefined): string | undefined {
  const plain =
    game
      ?.normalize("NFKD")
      .replaceAll(/\P{ASCII}/gu, "")
      .toLowerCase() ?? "";
  return segments.find((segment) => plain.startsWith(segment));
}

function extensionOf(type: string): string {
  return type.replace(/^image\//, "").replaceAll(/[^a-z0-9]/g, "");
}
