import type * as z from "zod";
import { optional, parsed, readSettings, setting, url, withDefault } from "../config/settings.ts";

/** Where traces are sent to, and which part of them. */
export interface TracingConfig {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ratio: number;
}

/** Under the names that OpenTelemetry has for them. */
export const tracingSettings = {
  endpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "The receiver of traces, by OTLP over HTTP (port 4318 of a collector); no traces if not set.",
    optional(url("http", "https")),
  ),
  headers: setting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    "Headers for that receiver, as name=value with commas between them.",
    withDefault(headers(), () => ({})),
  ),
  ratio: setting(
    "OTEL_TRACES_SAMPLER_ARG",
    "Which part of the requests is traced, from 0 to 1.",
    withDefault(ratio(), () => 1),
  ),
} as const;

/**
 * Undefined where no traces are wanted.
 * @throws ConfigError that lists every problem and no value.
 */
export function readTracingConfig(
  env: Readonly<Record<string, string | undefined>>,
): TracingConfig | undefined {
  const { endpoint, ...rest } = readSettings(tracingSettings, env);
  return endpoint === undefined ? undefined : { endpoint, ...rest };
}

function headers(): z.ZodType<Readonly<Record<string, string>>> {
  return parsed<Readonly<Record<string, string>>>((given) => {
    const entries = given.split(",").map((part) => {
      const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([^\r\n]*?)\s*$/.exec(part) ?? [];
      return [name, value] as const;
    });
    const isGood = entries.every(([name]) => name !== undefined);
    return isGood
      ? { value: Object.fromEntries(entries) as Record<string, string> }
      : { problem: "must be headers like name=value, with commas between them." };
  });
}

function ratio(): z.ZodType<number> {
  return parsed((given) => {
    const value = /^(?:0|1|0?\.\d{1,9}|1\.0+)$/.test(given) ? Number(given) : Number.NaN;
    return value >= 0 && value <= 1
      ? { value }
      : { problem: "must be a number from 0 to 1, like 0.1." };
  });
}
