import type { ProviderFailureCode } from "../ports.ts";

/** Failures after which the same request may succeed. */
const passing: ReadonlySet<ProviderFailureCode> = new Set(["rate_limited", "unavailable"]);

/**
 * What an adapter throws within a call; `callProvider` makes a result of it. Its `cause` and `detail` are
 * for the log: they can hold what the provider wrote.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderFailureCode;
  readonly retryAfterMs: number | null;
  /** Whether the provider says that the same request may succeed later. */
  readonly isPassing: boolean;
  /** The beginning of what the provider wrote. */
  readonly detail: string | undefined;

  constructor(
    code: ProviderFailureCode,
    options: {
      retryAfterMs?: number | null | undefined;
      isPassing?: boolean | undefined;
      detail?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(`The provider failed: ${code}.`, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.isPassing = options.isPassing ?? passing.has(code);
    this.detail = options.detail?.slice(0, 500);
  }
}

/** What an HTTP status means where a provider's documentation says nothing else. */
export function errorOfStatus(status: number, headers: Headers, detail: string): ProviderError {
  const retryAfterMs = retryAfter(headers);
  const options = { retryAfterMs, detail };
  if (status === 429) return new ProviderError("rate_limited", options);
  if (status === 401 || status === 403) return new ProviderError("unauthorized", options);
  if (status === 402) return new ProviderError("quota", options);
  if (status === 413 || status === 415 || status === 422) {
    return new ProviderError("invalid_image", options);
  }
  if (status === 408 || status >= 500) return new ProviderError("unavailable", options);
  return new ProviderError("refused", options);
}

/** `Retry-After` in milliseconds, as seconds or a date (RFC 9110, section 10.2.3); null where it is neither. */
export function retryAfter(headers: Headers, now = Date.now()): number | null {
  const given = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1_000;
  // A date begins with its day's name; JavaScript takes nearly anything for one.
  const at = /^[A-Z][a-z]{2}/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
