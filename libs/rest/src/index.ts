export { registerRest } from "./register-rest.ts";
export { operationsOf } from "./operations.ts";
export type { Operation } from "./operations.ts";
export { repairTarget } from "./target.ts";
export { addressKey } from "./client-address.ts";
export { parseJsonBody } from "./body.ts";
export { errorBody, errorHeaders, isTurnedAway, restErrorOf } from "./errors.ts";
export type {
  IdempotencyStore,
  IdempotentRequest,
  Reservation,
  ReserveOutcome,
  RestCall,
  RestOptions,
  StoredAnswer,
  VersionOneEnd,
} from "./options.ts";
export { openApiDocument } from "./document.ts";
export { errorCodesOf } from "./document-parts.ts";
export { registerDocs } from "./register-docs.ts";
export { registerGuides } from "./register-guides.ts";
export { inputShape } from "./fields.ts";
