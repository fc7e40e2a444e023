import type { CardSightAI } from "cardsightai";
import { boundedFetch } from "../call/bounded-fetch.ts";
import { errorOfStatus, ProviderError } from "../call/provider-error.ts";
import type { Access, Line } from "../adapter.ts";

/**
 * A client of the SDK for one try. The SDK replaces a caller's signal by a timer of its own, and tells
 * neither headers nor bodies of errors as they came, so both are kept by the `fetch` that it is given.
 */
export async function withCardSight(
  access: Access,
  line: Line,
  signal: AbortSignal,
  ask: (client: CardSightAI) => Promise<{ data?: unknown }>,
): Promise<unknown> {
  const fetchBounded = boundedFetch({ maxAnswerBytes: line.rules.maxAnswerBytes, signal });
  let answered: Response | undefined;
  // Loaded with the first call: it takes 14 MB, and most processes never make one.
  const { CardSightAI: Client, CardSightAIError } = await import("cardsightai");
  const client = new Client({
    apiKey: access.key,
    baseUrl: access.baseUrl,
    timeout: access.deadlineMs,
    fetch: async (input, init) => {
      const response = await fetchBounded(input, init);
      answered = response.clone();
      return response;
    },
  });
  try {
    const { data } = await ask(client);
    return data;
  } catch (error) {
    if (error instanceof CardSightAIError && answered !== undefined) {
      throw errorOfAnswer(answered.status, answered.headers, await answered.text());
    }
    if (error instanceof SyntaxError) {
      throw new ProviderError("malformed_answer", { cause: error });
    }
    throw error;
  }
}

/** CardSight's own statuses: 400 is the picture, 408 and 503 pass, 500 does not by itself. */
function errorOfAnswer(status: number, headers: Headers, detail: string): ProviderError {
  if (status === 400) return new ProviderError("invalid_image", { detail });
  if (status === 403 && /quota|limit|plan/iu.test(detail)) {
    return new ProviderError("quota", { detail });
  }
  return errorOfStatus(status, headers, detail);
}
