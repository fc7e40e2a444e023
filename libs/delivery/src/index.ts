export { countOpenBreakers } from "./endpoint-health.ts";
export { registerDelivery } from "./register-delivery.ts";
export type { AttemptEvent, DeliveryOptions, RunningDelivery } from "./register-delivery.ts";
export { deliveryHeaders, userAgent } from "./request.ts";
export type { SignedMessage } from "./request.ts";
export { createTestSender } from "./send-test.ts";
export type { TestRecord, TestSenderOptions } from "./send-test.ts";
export { standardSignature, vaultSignature } from "./signature.ts";
