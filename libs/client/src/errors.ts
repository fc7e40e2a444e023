/** One member of a request that is wrong, or one rule that is not met. */
export interface ErrorDetail {
  /** Where in the request, as `asking_price.amount`; empty for the whole of it. */
  readonly path: string;
  readonly message: string;
}

/** The service refused a request. `code` is stable and meant for programs; `message` is for people. */
export class VaultApiError extends Error {
  override readonly name = "VaultApiError";
  /** One of the closed table in the API description, as `card_not_found`. */
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;
  /** Names the request in the service's log: for whom one asks for help. */
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** How long the service asks to wait before the next try; undefined where it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    told: {
      code: string;
      status: number;
      requestId?: string | undefined;
      details?: readonly ErrorDetail[] | undefined;
      retryAfterMs?: number | undefined;
    },
  ) {
    super(message);
    this.code = told.code;
    this.status = told.status;
    this.requestId = told.requestId;
    this.details = told.details ?? [];
    this.retryAfterMs = told.retryAfterMs;
  }
}

/** No answer came, after every try. Whether a change was made is not known: repeat it under the same key. */
export class VaultConnectionError extends Error {
  override readonly name = "VaultConnectionError";
  /** The `Idempotency-Key` that the request had; undefined for a read. */
  readonly idempotencyKey: string | undefined;

  constructor(cause: unknown, idempotencyKey: string | undefined) {
    super("The Card Vault did not answer.", { cause });
    this.idempotencyKey = idempotencyKey;
  }
}
