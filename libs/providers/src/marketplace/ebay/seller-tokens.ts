import * as z from "zod";
import { requestJson } from "../../call/http.ts";
import { ProviderError } from "../../call/provider-error.ts";
import type { Seller, SellerConsent } from "../port.ts";
import { problemOf } from "../problems.ts";
import type { EbayMarketplaceAccess } from "./access.ts";
import { EbayRefusal } from "./refusal.ts";

const accessAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().min(1) });
const consentAnswer = accessAnswer.extend({
  refresh_token: z.string().min(1).max(4_000),
  refresh_token_expires_in: z.number().min(1).max(1e10),
});
const errorAnswer = z.object({ error: z.string() });
/** A token is not used in its last minutes: the request that carries it takes time too. */
const earlyMs = 5 * 60_000;
const mostSellers = 1_000;

interface Kept {
  readonly refreshToken: string;
  readonly token: string;
  readonly until: number;
}

/** Access tokens of sellers, each used until shortly before it ends. In memory only. */
export class SellerTokens {
  readonly #access: EbayMarketplaceAccess;
  readonly #maxAnswerBytes: number;
  readonly #kept = new Map<string, Kept>();

  constructor(access: EbayMarketplaceAccess, maxAnswerBytes: number) {
    this.#access = access;
    this.#maxAnswerBytes = maxAnswerBytes;
  }

  /** @throws EbayRefusal `consent_revoked`: its owner has to agree again. */
  async get({ key, refreshToken }: Seller, signal: AbortSignal): Promise<string> {
    const kept = this.#kept.get(key);
    if (kept?.refreshToken === refreshToken && performance.now() < kept.until) return kept.token;
    const said = await this.#ask(
      { grant_type: "refresh_token", refresh_token: refreshToken },
      accessAnswer,
      () => new EbayRefusal("consent_revoked", []),
      signal,
    );
    this.#keep(key, refreshToken, said);
    return said.access_token;
  }

  /** eBay does not take it any more, whatever it said when it gave it. */
  forget({ key }: Seller): void {
    this.#kept.delete(key);
  }

  /** @throws EbayRefusal for a code that was used, has ended or was never given. */
  async exchange(code: string, signal: AbortSignal): Promise<SellerConsent> {
    const said = await this.#ask(
      { grant_type: "authorization_code", code, redirect_uri: this.#access.ruName },
      consentAnswer,
      () => new EbayRefusal("refused", [problemOf("code_invalid")]),
      signal,
    );
    const now = this.#access.now?.() ?? new Date();
    return {
      refreshToken: said.refresh_token,
      refreshTokenEndsAt: new Date(now.getTime() + said.refresh_token_expires_in * 1_000),
    };
  }

  #keep(key: string, refreshToken: string, said: z.output<typeof accessAnswer>): void {
    this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= mostSellers && oldest !== undefined) this.#kept.delete(oldest);
    const lastsMs = said.expires_in * 1_000 - earlyMs;
    if (lastsMs <= 0) return;
    const until = performance.now() + lastsMs;
    this.#kept.set(key, { refreshToken, token: said.access_token, until });
  }

  #ask<Schema extends z.ZodType>(
    form: Readonly<Record<string, string>>,
    schema: Schema,
    refusal: () => EbayRefusal,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const { baseUrl, clientId, key } = this.#access;
    return requestJson(
      {
        method: "POST",
        url: `${baseUrl}/identity/v1/oauth2/token`,
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${key}`).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams(form).toString(),
        maxAnswerBytes: this.#maxAnswerBytes,
        signal,
        errorOf: (status, _headers, text) => {
          if (status !== 400) return null;
          if (oauthErrorOf(text) === "invalid_grant") throw refusal();
          return new ProviderError("unauthorized", { detail: text });
        },
      },
      schema,
    );
  }
}

function oauthErrorOf(text: string): string | null {
  try {
    return errorAnswer.safeParse(JSON.parse(text)).data?.error ?? null;
  } catch {
    return null;
  }
}
