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
import { errorOfStatus, ProviderError } from "../call/provider-error.ts";
import { cleanText } from "../fields.ts";
import type { CardImage, IdentifyHints } from "../ports.ts";
import type { GenerativeAccess } from "./access.ts";
import { instructions, readCard } from "./schema.ts";

const maxAnswerTokens = 1_200;

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

/**
 * One question to the model.
 * @throws ProviderError in our own codes; what our own `fetch` threw as it is
 */
export async function askModel(
  access: GenerativeAccess,
  fetchBounded: typeof fetch,
  image: CardImage,
  { game }: IdentifyHints,
  signal: AbortSignal,
) {
  const hint = cleanText(game, 60);
  try {
    const { output, usage } = await generateText({
      model: modelOf(access, fetchBounded),
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
