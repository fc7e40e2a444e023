import { destination as pinoDestination, pino, stdSerializers, stdTimeFunctions } from "pino";
import type { DestinationStream, Logger } from "pino";
import { redactLine } from "./redact.ts";
import { currentFacts } from "./tracing/trace.ts";

export type { Logger } from "pino";

/** The names of the levels, the quietest last but one. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  /** Which program writes; stands in every line as `service`. */
  name: string;
  level?: LogLevel | undefined;
  /** Where the lines go; standard output unless told. */
  destination?: DestinationStream | undefined;
}

/**
 * A logger of structured lines: one JSON object a line, with `level` by name, `time` in ISO 8601,
 * `service`, `pid`, `msg` and, for errors, `err`; and, where it is written for a request or for work that
 * one has asked for, `requestId` and the `traceId`. What a line carries of secrets is taken out as
 * the last step before it is written, so that it holds for bindings of children, serializers of
 * others and messages alike.
 */
export function createLogger({ name, level = "info", destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service: name, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorMembers },
      mixin: currentFacts,
      hooks: { streamWrite: redactLine },
    },
    destination ?? pinoDestination({ fd: 1, sync: true }),
  );
}

/**
 * An error as pino shows it, less what libraries hang on it: a driver's error carries its whole
 * connection, with all that one is configured with.
 */
function errorMembers(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return Object.fromEntries(
    Object.entries(stdSerializers.err(error)).filter(([, value]) => isPlain(value)),
  );
}

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value);
}
