import { AsyncLocalStorage } from "node:async_hooks";

/** Facts of a span: ids, names of closed lists and figures. Never a text that somebody typed, an address or a secret. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface SpanOptions {
  /** `internal` unless told. */
  readonly kind?: "server" | "client" | "producer" | "consumer" | undefined;
  readonly facts?: SpanFacts | undefined;
  /** Milliseconds since 1970, where it began before it was known. */
  readonly startedAtMs?: number | undefined;
  /** The `traceparent` of a trace of somebody else's that this one is to be found by. */
  readonly link?: string | undefined;
}

/** One step of a trace, from its start to `end`. */
export interface Span {
  /** As W3C's Trace Context writes it. */
  readonly traceparent: string;
  readonly traceId: string;
  add(facts: SpanFacts): void;
  /** It came to nothing; the code is of a closed list. Messages are not told: they may quote what was given. */
  fail(code: string): void;
  end(atMs?: number): void;
}

/** What makes spans. Null where the step is not among those that are recorded. */
export interface Tracer {
  /** @param parent a `traceparent`; null begins a trace */
  start(name: string, parent: string | null, options: SpanOptions): Span | null;
}

/** Which request some work is done for, and where its trace goes on. It is stored beside the work. */
export interface Cause {
  /** `req_…` */
  readonly requestId: string | null;
  readonly traceparent: string | null;
}

interface Current {
  readonly requestId: string | null;
  readonly span: Span | null;
}

const nothing: Current = { requestId: null, span: null };
const current = new AsyncLocalStorage<Current>();
let tracer: Tracer | undefined;

/** From now on steps become spans of this tracer; of none where it is undefined. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** What the running code works for. Both are null outside of a request and of the work that one has asked for. */
export function currentCause(): Cause {
  const { requestId, span } = current.getStore() ?? nothing;
  return { requestId, traceparent: span?.traceparent ?? null };
}

/** What every line of the log says of it. */
export function currentFacts(): { requestId?: string; traceId?: string } {
  const { requestId, span } = current.getStore() ?? nothing;
  return {
    ...(requestId === null ? {} : { requestId }),
    ...(span === null ? {} : { traceId: span.traceId }),
  };
}

/** Begins the trace of a request; null where none is recorded. Whoever begins it ends it. */
export function startRequest(name: string, options: SpanOptions): Span | null {
  return tracer?.start(name, null, options) ?? null;
}

/** What runs within it is done for this request. */
export function forRequest<T>(requestId: string, span: Span | null, work: () => T): T {
  return current.run({ requestId, span }, work);
}

/**
 * What runs within it is done for the request that once asked for it, as a step of the same trace where
 * that one was recorded; else for nobody, whatever has woken it.
 */
export function forCause<T>(
  { requestId, traceparent }: Cause,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const span = traceparent === null ? null : (tracer?.start(name, traceparent, options) ?? null);
  return current.run({ requestId, span }, () => ended(span, work));
}

/** What runs within it is done for nobody until it says for whom: a queue's timer was set by some other work. */
export function forNobody<T>(work: () => T): T {
  return current.run(nothing, work);
}

/** A step of the trace that is being recorded. Without one it is `work` and nothing more. */
export function traced<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return work(null);
  const { requestId, span: parent } = current.getStore() ?? nothing;
  if (parent === null) return work(null);
  const span = tracer.start(name, parent.traceparent, options);
  if (span === null) return work(null);
  return current.run({ requestId, span }, () => ended(span, () => work(span)));
}

/** A step that has ended already. Its parent is the step that is being recorded unless told. */
export function tracedUntilNow(
  name: string,
  options: SpanOptions & { readonly startedAtMs: number },
  parent = currentCause().traceparent,
): void {
  if (parent !== null) tracer?.start(name, parent, options)?.end();
}

async function ended<T>(span: Span | null, work: () => Promise<T>): Promise<T> {
  if (span === null) return work();
  try {
    return await work();
  } catch (error) {
    span.fail(codeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
