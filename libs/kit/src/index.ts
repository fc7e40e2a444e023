export * from "./clock.ts";
export * from "./config/service-settings.ts";
export { countProcess } from "./process-metrics.ts";
export { eventsCommitted, providerCalled } from "./signals.ts";
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
