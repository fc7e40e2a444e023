import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Value = string | number | boolean;

/** A step of a trace, as a receiver of OTLP reads it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where a trace begins. */
  readonly parentSpanId: string;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly links: readonly string[];
  readonly isError: boolean;
}

/** An OTLP/HTTP receiver of traces that keeps all it is sent. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Every request as it came: its path, its headers and its body. */
  readonly raw: readonly string[];
  stop(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number | string;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
  };
}

/** Members of OTLP's JSON protocol that are read here. */
interface TracesRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes?: readonly Attribute[];
        readonly links?: readonly { readonly traceId: string }[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
}

const errorStatus = 2;

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const raw: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      raw.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`);
      const isTraces = request.method === "POST" && request.url === "/v1/traces";
      if (isTraces) spans.push(...spansOf(JSON.parse(body) as TracesRequest));
      response.writeHead(isTraces ? 200 : 404, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    raw,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function spansOf({ resourceSpans }: TracesRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)["service.name"]);
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map(({ name, traceId, spanId, parentSpanId = "", attributes = [], links = [], status }) => ({
        service,
        name,
        traceId,
        spanId,
        parentSpanId,
        attributes: valuesOf(attributes),
        links: links.map((link) => link.traceId),
        isError: status?.code === errorStatus,
      }));
  });
}

function valuesOf(attributes: readonly Attribute[]): Record<string, Value> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue ?? doubleValue),
    ]),
  );
}
