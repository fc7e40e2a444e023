import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  Output,
} from "ai";
import type { LanguageModel } from "ai";
import { openLine } from "../adapter.ts";
import type { Access } from "../adapter.ts";
import { boundedFetch } from "../call/bounded-fetch.ts";
import { callProvider } from "../call/call-provider.ts";
import type { CallHouse } from "../call/call-provider.ts";
import { errorOfStatus, ProviderError } from "../call/provider-error.ts";
import { cleanConfidence, cleanText, gradingOf, identificationOf } from "../fields.ts";
import type { CardImage, GenerativeAi, IdentifyHints, RecognisedCard } from "../ports.ts";
import { instructions, readCard } from "./schema.ts";
import type { ReadCard } from "./schema.ts";

export const generativeProviders = ["google", "anthropic", "openai_compatible"] as const;
export type GenerativeProvider = (typeof generativeProviders)[number];

export interface GenerativeAccess extends Access {
  readonly provider: GenerativeProvider;
  readonly model: string;
  /** In US cents for a million tokens; null where it is not known. */
  readonly inputCents?: number | null | undefined;
  readonly outputCents?: number | null | undefined;
}

const maxAnswerTokens = 1_200;

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
        const { output, usage } = await ask(modelOf(access, fetchBounded), image, hints, trySignal);
        return {
          found: foundIn(output),
          model: access.model,
          costMicros: costOf(access, usage.inputTokens, usage.outputTokens),
        };
      }),
  };
}

function modelOf(access: GenerativeAccess, fetchBounded: typeof fetch): LanguageModel {
  const { baseUrl, key, model } = access;
  const common = { apiKey: key, fetch: fetchBounded };
  switch (access.provider) {
    case "google":
      return createGoogleGenerativeAI({ ...common, baseURL: `${baseUrl}/v1beta` })(model);
    case "anthropic":
      return createAnthropic({ ...common, baseURL: `${baseUrl}/v1` })(model);
    case "openai_compatible":
      return createOpenAICompatible({
        ...common,
        name: "openai_compatible",
        baseURL: `${baseUrl}/v1`,
        supportsStructuredOutputs: true,
      })(model);
  }
}

async function ask(
  model: LanguageModel,
  image: CardImage,
  { game }: IdentifyHints,
  signal: AbortSignal,
) {
  const hint = cleanText(game, 60);
  try {
    const { output, usage } = await generateText({
      model,
      output: Output.object({ schema: readCard, name: "card" }),
      instructions,
      messages: [
        {
          role: "user",
          content: [
            {
              type: "text",
              text:
                hint === null
                  ? "Which card is this?"
                  : `Which card is this? Its owner says the game is: ${hint}`,
            },
            { type: "file", data: image.bytes, mediaType: image.type },
          ],
        },
      ],
      temperature: 0,
      maxOutputTokens: maxAnswerTokens,
      // Tries and pauses are counted in one place.
      maxRetries: 0,
      abortSignal: signal,
    });
    return { output, usage };
  } catch (error) {
    throw errorOf(error);
  }
}

/** What the SDK threw, in our codes. Its own message can hold what the provider wrote. */
function errorOf(error: unknown): unknown {
  if (NoObjectGeneratedError.isInstance(error) || NoOutputGeneratedError.isInstance(error)) {
    const detail = NoObjectGeneratedError.isInstance(error) ? error.text : undefined;
    return new ProviderError("malformed_answer", { detail, cause: error.cause });
  }
  if (!APICallError.isInstance(error)) return error;
  // What our own fetch threw stands within.
  if (error.statusCode === undefined) return error;
  const detail = error.responseBody ?? "";
  if (error.statusCode < 300) return new ProviderError("malformed_answer", { detail });
  const headers = new Headers(error.responseHeaders);
  if (/insufficient_quota|credit balance|billing/iu.test(detail)) {
    return new ProviderError("quota", { detail });
  }
  if (error.statusCode === 400) {
    const isKey = /api[ _]key/iu.test(detail);
    const isImage = !isKey && /image|inline_?data|media/iu.test(detail);
    return new ProviderError(isKey ? "unauthorized" : isImage ? "invalid_image" : "refused", {
      detail,
    });
  }
  // Anthropic's word for being overloaded.
  if (error.statusCode === 529) return new ProviderError("unavailable", { detail });
  return errorOfStatus(error.statusCode, headers, detail);
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
