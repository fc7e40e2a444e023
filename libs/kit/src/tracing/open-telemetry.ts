import { SpanKind, SpanStatusCode, ROOT_CONTEXT, TraceFlags, trace } from "@opentelemetry/api";
import type { Attributes, Context, SpanContext, Span as OtelSpan } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Span, SpanFacts, SpanOptions, Tracer } from "./trace.ts";
import type { TracingConfig } from "./tracing-settings.ts";

export interface ExportOptions extends TracingConfig {
  /** What the process is, as `service.name`. */
  readonly service: string;
  /** Told when spans were lost, and then not for a minute. */
  readonly onProblem: (error: Error) => void;
}

const scheduledDelayMillis = 2_000;
const exportTimeoutMillis = 5_000;
/** What waits beyond that is dropped: a receiver that is away must not cost memory. */
const maxQueueSize = 4_096;
const maxExportBatchSize = 512;
const problemEveryMs = 60_000;

/** Sends spans in batches, as JSON, by OTLP over HTTP. Loaded only where traces are recorded. */
export function createExportingTracer(options: ExportOptions): Tracer & { close(): Promise<void> } {
  const { service, endpoint, headers, ratio, onProblem } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportTimeoutMillis,
  });
  tellProblems(exporter, onProblem);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "process.pid": process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis,
        exportTimeoutMillis,
        maxQueueSize,
        maxExportBatchSize,
      }),
    ],
  });
  const tracer = provider.getTracer("cardvault");
  return {
    start: (name, parent, { kind, facts = {}, startedAtMs, link }) => {
      const linked = link === undefined ? undefined : contextOf(link);
      const span = tracer.startSpan(
        name,
        {
          kind: kindOf(kind),
          attributes: attributesOf(facts),
          ...(startedAtMs === undefined ? {} : { startTime: startedAtMs }),
          ...(linked === undefined ? {} : { links: [{ context: linked }] }),
        },
        parent === null ? ROOT_CONTEXT : under(parent),
      );
      return span.isRecording() ? recorded(span) : null;
    },
    close: () => provider.shutdown(),
  };
}

/** The library itself keeps silent about what it could not send. */
function tellProblems(exporter: SpanExporter, onProblem: (error: Error) => void): void {
  const send = exporter.export.bind(exporter);
  let quietUntilMs = 0;
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      const nowMs = Date.now();
      if (result.error !== undefined && nowMs >= quietUntilMs) {
        quietUntilMs = nowMs + problemEveryMs;
        onProblem(result.error);
      }
      done(result);
    });
}

function recorded(span: OtelSpan): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-01`,
    add: (facts) => void span.setAttributes(attributesOf(facts)),
    fail: (code) => {
      span.setAttribute("error.type", code);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: (atMs) => span.end(atMs),
  };
}

function kindOf(kind: SpanOptions["kind"]): SpanKind {
  switch (kind) {
    case "server":
      return SpanKind.SERVER;
    case "client":
      return SpanKind.CLIENT;
    case "producer":
      return SpanKind.PRODUCER;
    case "consumer":
      return SpanKind.CONSUMER;
    case undefined:
      return SpanKind.INTERNAL;
  }
}

function attributesOf(facts: SpanFacts): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(facts)) {
    if (value !== null && value !== undefined) attributes[name] = value;
  }
  return attributes;
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Undefined where a text is no `traceparent` of version 00. */
function contextOf(traceparent: string): SpanContext | undefined {
  const [, traceId, spanId, flags] = form.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true };
}

function under(traceparent: string): Context {
  const context = contextOf(traceparent);
  return context === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context);
}
