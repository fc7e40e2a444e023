export * from "./clock.ts";
export * from "./config/service-settings.ts";
export { countProcess } from "./process-metrics.ts";
export { eventsCommitted, jobRan, providerCalled } from "./signals.ts";
export type { Signal } from "./signals.ts";
export {
  boolean,
  ConfigError,
  duration,
  integer,
  list,
  oneOf,
  optional,
  origin,
  port,
  readSettings,
  required,
  setting,
  size,
  text,
  url,
  withDefault,
} from "./config/settings.ts";
export type { Setting, Settings, SettingValues } from "./config/settings.ts";
export * from "./http/addresses.ts";
export { guardedErrorCodes } from "./http/connector.ts";
export type { AllowAddress, GuardedErrorCode } from "./http/connector.ts";
export type {
  GuardedAnswer,
  GuardedFailure,
  GuardedResult,
  GuardedTimings,
} from "./http/exchange.ts";
export * from "./http/guarded-client.ts";
export * from "./http/receiver-url.ts";
export * from "./http/resolver.ts";
export * from "./ids.ts";
export * from "./logger.ts";
export * from "./secret-box.ts";
export * from "./shutdown.ts";
export { startTracing } from "./tracing/start-tracing.ts";
export type { RunningTracing } from "./tracing/start-tracing.ts";
export {
  currentCause,
  forCause,
  forNobody,
  forRequest,
  isTracing,
  startRequest,
  traced,
  tracedUntilNow,
} from "./tracing/trace.ts";
export type { Cause, Span, SpanFacts } from "./tracing/trace.ts";
export { readTracingConfig, tracingSettings } from "./tracing/tracing-settings.ts";
export type { TracingConfig } from "./tracing/tracing-settings.ts";
export { within } from "./within.ts";
