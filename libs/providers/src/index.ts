export * from "./ports.ts";
export { createMemoryTurns } from "./call/turns.ts";
export type { ProviderRate, ProviderTurns } from "./call/turns.ts";
export type { CallHouse, CallOutcome } from "./call/call-provider.ts";
export { providerSettings, readProvidersConfig, spendingAt } from "./config.ts";
export type { ProvidersConfig, ProviderSpending } from "./config.ts";
export { createProviders } from "./create-providers.ts";
export type { Providers, ProviderSet } from "./create-providers.ts";
