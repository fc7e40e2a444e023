import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../logger.ts";
import { ConfigError } from "../config/settings.ts";
import { startTracing } from "./start-tracing.ts";
import {
  currentCause,
  forCause,
  forNobody,
  forRequest,
  isTracing,
  startRequest,
  traced,
  tracedUntilNow,
  useTracer,
} from "./trace.ts";
import { readTracingConfig } from "./tracing-settings.ts";

const silent = createLogger({ name: "test", level: "silent" });
const requestId = "req_01h455vb4pex5vsknk084sn02q";
const stored = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const nobody = { requestId: null, traceparent: null };

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number; readonly message?: string };
}

/** An OTLP receiver that keeps what it is sent. */
async function startReceiver(status = 200): Promise<{ url: string; spans: SentSpan[] }> {
  const spans: SentSpan[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
      };
      spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, spans };
}

afterEach(() => useTracer(undefined));

describe("while no traces are recorded", () => {
  test("a request's id goes with its work, and into its lines", async () => {
    const lines: string[] = [];
    const logger = createLogger({
      name: "test",
      destination: { write: (line) => void lines.push(line) },
    });
    expect(startRequest("GET /cards", {})).toBeNull();
    await forRequest(requestId, null, () =>
      traced("step", {}, async (span) => {
        await Promise.resolve();
        expect(span).toBeNull();
        expect(currentCause()).toEqual({ requestId, traceparent: null });
        logger.info("within");
        logger.info({ requestId }, "within, and told twice");
        forNobody(() => expect(currentCause()).toEqual(nobody));
      }),
    );
    logger.info("without");
    expect(lines.map((line) => line.split(requestId).length - 1)).toEqual([1, 1, 0]);
    expect(currentCause()).toEqual(nobody);
  });

  test("a trace that was stored meanwhile is left alone", async () => {
    await forCause({ requestId, traceparent: stored }, "job", {}, async () => {
      expect(currentCause()).toEqual({ requestId, traceparent: null });
    });
  });
});

describe("while traces are recorded", () => {
  test("steps stand below each other, also beyond the process, and errors without their words", async () => {
    const receiver = await startReceiver();
    const config = { endpoint: receiver.url, headers: {}, ratio: 1 };
    const tracing = await startTracing("test", config, silent);
    const work = forCause({ requestId, traceparent: stored }, "job", {}, () =>
      traced("step", {}, async () => {
        tracedUntilNow("call", { startedAtMs: Date.now() - 5 });
        throw Object.assign(new Error("Robin's card is not there"), { code: "not_found" });
      }),
    );
    await expect(work).rejects.toThrow("Robin's card");
    // Nobody's work is no step of anything.
    await forNobody(() => traced("lonely", {}, async (span) => expect(span).toBeNull()));
    await tracing.close();
    expect(isTracing()).toBe(false);
    const [call, step, job] = receiver.spans;
    expect(receiver.spans).toHaveLength(3);
    expect([call?.name, step?.name, job?.name]).toEqual(["call", "step", "job"]);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(
      new Set(["0af7651916cd43dd8448eb211c80319c"]),
    );
    expect(job?.parentSpanId).toBe("b7ad6b7169203331");
    expect(step?.parentSpanId).toBe(job?.spanId);
    expect(call?.parentSpanId).toBe(step?.spanId);
    expect(step?.status).toEqual({ code: 2 });
    expect(JSON.stringify(receiver.spans)).not.toContain("Robin");
    expect(JSON.stringify(step)).toContain("not_found");
  });

  test("what is not chosen costs nothing further, and what was begun elsewhere goes on", async () => {
    const receiver = await startReceiver();
    const tracing = await startTracing(
      "test",
      { endpoint: receiver.url, headers: {}, ratio: 0 },
      silent,
    );
    expect(startRequest("GET /cards", {})).toBeNull();
    await forCause({ requestId, traceparent: stored }, "job", {}, () => Promise.resolve());
    await forCause({ requestId, traceparent: "00-nonsense" }, "job", {}, () => Promise.resolve());
    await tracing.close();
    expect(receiver.spans.map(({ parentSpanId }) => parentSpanId)).toEqual(["b7ad6b7169203331"]);
  });

  test("what a receiver does not take is told of, and disturbs nothing", async () => {
    const receiver = await startReceiver(400);
    const lines: string[] = [];
    const logger = createLogger({
      name: "test",
      destination: { write: (line) => void lines.push(line) },
    });
    const config = { endpoint: receiver.url, headers: {}, ratio: 1 };
    const tracing = await startTracing("test", config, logger);
    startRequest("GET /cards", {})?.end();
    await tracing.close();
    expect(lines.join("")).toContain("traces could not be sent, and are lost");
  });
});

describe("the settings", () => {
  test("without a receiver there are no traces", () => {
    expect(readTracingConfig({ OTEL_TRACES_SAMPLER_ARG: "0.5" })).toBeUndefined();
  });

  test("are those that OpenTelemetry has", () => {
    expect(
      readTracingConfig({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer abc==, x-team=cards",
        OTEL_TRACES_SAMPLER_ARG: ".25",
      }),
    ).toEqual({
      endpoint: "http://collector:4318",
      headers: { authorization: "Bearer abc==", "x-team": "cards" },
      ratio: 0.25,
    });
  });

  test.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://collector:4317" },
    { OTEL_EXPORTER_OTLP_HEADERS: "s3cret" },
    { OTEL_TRACES_SAMPLER_ARG: "2" },
    { OTEL_TRACES_SAMPLER_ARG: "1e-3" },
  ])("%o is refused without its value", (env) => {
    let thrown: unknown;
    try {
      readTracingConfig(env);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConfigError);
    expect(String(thrown)).not.toContain("s3cret");
  });
});
