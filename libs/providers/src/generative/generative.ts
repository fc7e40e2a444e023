import { openLine } from "../adapter.ts";
import { boundedFetch } from "../call/bounded-fetch.ts";
import { callProvider } from "../call/call-provider.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { cleanConfidence, gradingOf, identificationOf } from "../fields.ts";
import type { GenerativeAi, RecognisedCard } from "../ports.ts";
import type { GenerativeAccess } from "./access.ts";
import { readCard } from "./schema.ts";
import type { ReadCard } from "./schema.ts";

/** A model that reads a card's picture, through the AI SDK. */
export function createGenerative(house: CallHouse, access: GenerativeAccess): GenerativeAi {
  const line = openLine(house, access.provider, access);
  return {
    provider: access.provider,
    identify: (image, hints = {}, signal) =>
      callProvider(line.house, line.rules, line.slots, signal, async (trySignal) => {
        const fetchBounded = boundedFetch({
          maxAnswerBytes: line.rules.maxAnswerBytes,
          signal: trySignal,
        });
        // The SDKs are loaded with the first picture: most processes never show one to a model.
        const { askModel } = await import("./ask-model.ts");
        const { output, usage } = await askModel(access, fetchBounded, image, hints, trySignal);
        return {
          found: foundIn(output),
          model: access.model,
          costMicros: costOf(access, usage.inputTokens, usage.outputTokens),
        };
      }),
  };
}

function foundIn(read: ReadCard) {
  const identification = identificationOf({
    title: read.title,
    game: read.game,
    set: read.set,
    setCode: read.set_code,
    number: read.number,
    year: read.year,
    subject: read.subject,
    team: read.team,
    manufacturer: read.manufacturer,
    variant: read.variant,
    rarity: read.rarity,
    language: read.language,
    printRun: read.print_run,
    serialNumber: read.serial_number,
    isRookie: read.is_rookie,
    isAutograph: read.is_autograph,
    isMemorabilia: read.is_memorabilia,
  });
  if (!read.is_trading_card || (identification.title === null && identification.set === null)) {
    return { outcome: "no_match" as const, candidates: [] };
  }
  const candidate: RecognisedCard = {
    identification,
    confidence: cleanConfidence(read.confidence),
    externalIds: {},
    grading: gradingOf({
      grader: read.grader,
      grade: read.grade,
      certNumber: read.cert_number,
    }),
    imageUrl: null,
    unreadable: read.unreadable.filter((name) => name in readCard.shape).slice(0, 20),
  };
  const outcome = identification.title === null ? ("set_level" as const) : ("matched" as const);
  return { outcome, candidates: [candidate] };
}

/** A cent for a million tokens is a hundredth of a millionth of a dollar a token. */
function costOf(
  { inputCents, outputCents }: GenerativeAccess,
  inputTokens: number | undefined,
  outputTokens: number | undefined,
): number | null {
  if (inputCents == null || outputCents == null) return null;
  if (inputTokens === undefined || outputTokens === undefined) return null;
  return Math.ceil((inputTokens * inputCents + outputTokens * outputCents) / 100);
}
