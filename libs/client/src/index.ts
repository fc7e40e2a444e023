export { createVaultClient } from "./client.ts";
export type {
  Batch,
  Card,
  CardPatch,
  IdentifyAnswer,
  IdentifyRequest,
  Listing,
  PriceLookupAnswer,
  PriceLookupRequest,
  PublishDryRun,
  PublishRequest,
  VaultClient,
} from "./client.ts";
export { VaultApiError, VaultConnectionError } from "./errors.ts";
export type { ErrorDetail } from "./errors.ts";
export type { EventData, EventName, Money, VaultEvent, WorkflowStatus } from "./events.ts";
export type { Changes, ChangesOptions, ListOf, Page, PolledListOf } from "./lists.ts";
export type { CallOptions, ChangeOptions, ClientOptions } from "./request.ts";
export { verifyWebhook, WebhookVerificationError } from "./verify.ts";
export type { VerifyOptions, WebhookRefusal } from "./verify.ts";
