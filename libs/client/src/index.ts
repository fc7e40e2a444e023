export type { EventData, EventName, Money, VaultEvent, WorkflowStatus } from "./events.ts";
export { verifyWebhook, WebhookVerificationError } from "./verify.ts";
export type { VerifyOptions, WebhookRefusal } from "./verify.ts";
