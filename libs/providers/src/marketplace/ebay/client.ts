import type * as z from "zod";
import { openLine } from "../../adapter.ts";
import type { Line } from "../../adapter.ts";
import { callProvider } from "../../call/call-provider.ts";
import type { CallHouse } from "../../call/call-provider.ts";
import { requestJson } from "../../call/http.ts";
import type { JsonRequest } from "../../call/http.ts";
import { ProviderError } from "../../call/provider-error.ts";
import type { ProviderFailure, ProviderFailureCode } from "../../ports.ts";
import type {
  MarketplaceFailure,
  MarketplaceFailureCode,
  MarketplaceResult,
  Seller,
  SellerConsent,
} from "../port.ts";
import { problemOf } from "../problems.ts";
import { ebaySites } from "./access.ts";
import type { EbayMarketplaceAccess } from "./access.ts";
import { EbayRefusal, errorOfAnswer } from "./refusal.ts";
import { SellerTokens } from "./seller-tokens.ts";

/** The same call may succeed later. What was done is not known where eBay answered nonsense. */
const passing: ReadonlySet<ProviderFailureCode> = new Set([
  "timeout",
  "rate_limited",
  "unavailable",
  "malformed_answer",
  "cancelled",
]);

interface SellRequest {
  readonly method?: JsonRequest["method"];
  /** With its query, as it stands behind the base URL. */
  readonly path: string;
  readonly body?: object | undefined;
}

/** Sends one request of a seller and parses its answer; an answer without a body is undefined. */
export type Send = <Schema extends z.ZodType>(
  request: SellRequest,
  schema: Schema,
) => Promise<z.output<Schema>>;

/** Requests to eBay in one call each: one deadline, its tries and its pauses over all of them. */
export class EbayClient {
  readonly #line: Line;
  readonly #access: EbayMarketplaceAccess;
  readonly #tokens: SellerTokens;

  constructor(house: CallHouse, access: EbayMarketplaceAccess) {
    this.#line = openLine(house, "ebay", access);
    this.#access = access;
    this.#tokens = new SellerTokens(access, this.#line.rules.maxAnswerBytes);
  }

  /** What `work` finds with a seller's requests. It begins again where eBay was away: all of it can be repeated. */
  ask<Found extends object>(
    seller: Seller,
    signal: AbortSignal | undefined,
    work: (send: Send) => Promise<Found>,
  ): Promise<MarketplaceResult<Found>> {
    let hasRenewed = false;
    const onRefusedToken = (): boolean => {
      this.#tokens.forget(seller);
      // Once: a second new token would not be taken either.
      const isPassing = !hasRenewed;
      hasRenewed = true;
      return isPassing;
    };
    return this.#call(signal, (trySignal) =>
      work(async (request, schema) => {
        const token = await this.#tokens.get(seller, trySignal);
        return this.#send(request, schema, token, trySignal, onRefusedToken);
      }),
    );
  }

  /** What a consent's code is exchanged for. */
  exchange(
    code: string,
    signal: AbortSignal | undefined,
  ): Promise<MarketplaceResult<SellerConsent>> {
    return this.#call(signal, (trySignal) => this.#tokens.exchange(code, trySignal));
  }

  #send<Schema extends z.ZodType>(
    { method = "GET", path, body }: SellRequest,
    schema: Schema,
    token: string,
    signal: AbortSignal,
    onRefusedToken: () => boolean,
  ): Promise<z.output<Schema>> {
    const { baseUrl, marketplaceId } = this.#access;
    const { language } = ebaySites[marketplaceId];
    return requestJson(
      {
        method,
        url: `${baseUrl}${path}`,
        headers: {
          authorization: `Bearer ${token}`,
          "accept-language": language,
          "x-ebay-c-marketplace-id": marketplaceId,
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", "content-language": language }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        maxAnswerBytes: this.#line.rules.maxAnswerBytes,
        signal,
        errorOf: (status, _headers, text) =>
          status === 401
            ? new ProviderError("unauthorized", { isPassing: onRefusedToken(), detail: text })
            : errorOfAnswer(status, text),
      },
      schema,
    );
  }

  async #call<Found extends object>(
    signal: AbortSignal | undefined,
    attempt: (signal: AbortSignal) => Promise<Found>,
  ): Promise<MarketplaceResult<Found>> {
    const { house, rules, slots } = this.#line;
    const result = await callProvider<{ answer: Found | EbayRefusal }>(
      house,
      rules,
      slots,
      signal,
      async (trySignal) => {
        try {
          return { found: { answer: await attempt(trySignal) } };
        } catch (error) {
          // An answer like any other: eBay works, and is not asked again.
          if (error instanceof EbayRefusal) return { found: { answer: error } };
          throw error;
        }
      },
    );
    if (!result.ok) return failureOf(result);
    const { answer, report } = result;
    if (!(answer instanceof EbayRefusal)) return { ...answer, ok: true, report };
    const { code, problems, errorIds, detail } = answer;
    house.logger.info(
      { provider: rules.provider, code, errorIds, detail },
      "a marketplace refused",
    );
    return { ok: false, code, isPassing: false, retryAfterMs: null, problems, report };
  }
}

function failureOf({ code, retryAfterMs, report }: ProviderFailure): MarketplaceFailure {
  const own: MarketplaceFailureCode = code === "invalid_image" ? "refused" : code;
  const problems = own === "refused" ? [problemOf("refused")] : [];
  return { ok: false, code: own, isPassing: passing.has(code), retryAfterMs, problems, report };
}
