import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { GuardedError } from "./connector.ts";
import type { ConnectAttempt, GuardedErrorCode } from "./connector.ts";

/** How long each part took, in milliseconds; null for a part that was not reached, or not needed. */
export interface GuardedTimings {
  /** Null on a connection that was open already, as are the next two. */
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the moment the request was written to a connection until the answer's headers were there. */
  readonly firstByteMs: number | null;
  /** From the call to its result. */
  readonly totalMs: number;
  /** Whether the request went over a connection that an earlier one had opened. */
  readonly reusedConnection: boolean;
}

export interface GuardedAnswer {
  readonly ok: true;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The first bytes, at most as many as asked for. */
  readonly body: Buffer;
  /** Whether the body had more than that, or was not read to its end. */
  readonly truncated: boolean;
  /** Why the body was not read to its end, if it was not the cap. The status is the receiver's answer all the same. */
  readonly bodyErrorCode?: GuardedErrorCode | undefined;
  readonly timings: GuardedTimings;
}

export interface GuardedFailure {
  readonly ok: false;
  readonly errorCode: GuardedErrorCode;
  /** For the log only: an account that reads it would have a port scanner. */
  readonly cause: Error;
  readonly timings: GuardedTimings;
}

export type GuardedResult = GuardedAnswer | GuardedFailure;

interface ExchangeOptions {
  timeoutMs: number;
  maxResponseBytes: number;
  signal?: AbortSignal | undefined;
  /** The attempt whose connection is being handed over at this very moment, if any. */
  takeFreshAttempt: () => ConnectAttempt | undefined;
  onEnd: (exchange: Exchange) => void;
}

/** One request and its answer, under one deadline. It is a handler for undici's dispatch. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<GuardedResult>;
  /** The connection that is being opened for this request. */
  attempt: ConnectAttempt | undefined;

  readonly #options: ExchangeOptions;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #resolve: (result: GuardedResult) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #writtenMs: number | undefined;
  #firstByteMs: number | null = null;
  #isReused = false;
  #head: { status: number; headers: IncomingHttpHeaders } | undefined;
  #receivedBytes = 0;
  #ended = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#timer = setTimeout(() => {
      this.fail(new GuardedError("timeout", `No whole answer within ${options.timeoutMs} ms.`));
    }, options.timeoutMs);
    if (options.signal?.aborted === true) this.#onAbort();
    else options.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Ends with that error, or, once the headers are there, with the answer as far as it has come. */
  fail(error: GuardedError): void {
    this.#end(error);
    this.attempt?.giveUp(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#ended) {
      // It waited in a queue past its deadline. Nothing of it has been written.
      controller.abort(new GuardedError("timeout", "Ended before it was sent."));
      return;
    }
    this.#controller = controller;
    const fresh = this.#options.takeFreshAttempt();
    this.attempt = fresh;
    this.#isReused = fresh === undefined;
    this.#writtenMs = performance.now();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (this.#ended || status < 200) return;
    this.#firstByteMs = performance.now() - (this.#writtenMs ?? this.#startedMs);
    this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    const room = this.#options.maxResponseBytes - this.#receivedBytes;
    this.#receivedBytes += chunk.length;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    if (chunk.length <= room) return;
    this.#end();
    // The rest is not waited for: closing the connection is cheaper than reading what is not wanted.
    controller.abort(new GuardedError("aborted", "The answer is longer than wanted."));
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (isMisuse(error)) {
      this.#stop();
      this.#reject(error);
    } else {
      this.#end(error instanceof GuardedError ? error : guardedErrorOf(error));
    }
  }

  readonly #onAbort = (): void => {
    this.fail(new GuardedError("aborted", "The caller gave up."));
  };

  #stop(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#options.onEnd(this);
  }

  #end(error?: GuardedError): void {
    if (this.#ended) return;
    this.#stop();
    const timings: GuardedTimings = {
      dnsMs: this.attempt?.dnsMs ?? null,
      connectMs: this.attempt?.connectMs ?? null,
      tlsMs: this.attempt?.tlsMs ?? null,
      firstByteMs: this.#firstByteMs,
      totalMs: performance.now() - this.#startedMs,
      reusedConnection: this.#isReused,
    };
    if (this.#head === undefined) {
      const cause = error ?? new GuardedError("connection_closed", "No answer came.");
      this.#resolve({ ok: false, errorCode: cause.errorCode, cause, timings });
      return;
    }
    const isTooLong = this.#receivedBytes > this.#options.maxResponseBytes;
    const answer: GuardedAnswer = {
      ok: true,
      ...this.#head,
      body: Buffer.concat(this.#chunks),
      truncated: isTooLong || error !== undefined,
      ...(error === undefined ? {} : { bodyErrorCode: error.errorCode }),
      timings,
    };
    // undici takes one turn of the event loop until the connection can be used again. Whoever sends
    // the next request at once is to find it free, and not to open another.
    setImmediate(() => setImmediate(this.#resolve, answer));
  }
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A header or method that cannot be written is a mistake of the caller, and thrown to it. */
function isMisuse(error: Error): boolean {
  const code = codeOf(error);
  return code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED";
}

function guardedErrorOf(error: Error): GuardedError {
  const code = codeOf(error);
  const isInvalid =
    error.name === "HTTPParserError" ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" ||
    code === "UND_ERR_RES_EXCEEDED_MAX_SIZE";
  const errorCode = isInvalid ? "invalid_response" : "connection_closed";
  return new GuardedError(errorCode, error.message, { cause: error });
}
