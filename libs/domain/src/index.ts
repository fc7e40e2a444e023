export * from "./account.ts";
export * from "./batch-cost.ts";
export * from "./location.ts";
export * from "./scan.ts";
export * from "./batch.ts";
export { createCard } from "./card/create.ts";
export type { NewCard } from "./card/create.ts";
export { decideCard, decideIdentification } from "./card/decide.ts";
export type { CardCommand } from "./card/decide.ts";
export type { CardOutcome } from "./card/draft.ts";
export type { CardPatch } from "./card/edit.ts";
export {
  fieldChangesBetween,
  fieldOf,
  gradingFrom,
  identificationNames,
  membersOf,
  written,
  writtenGrading,
} from "./card/fields.ts";
export type { CardField, CardMember, CardMembers, FieldChanges } from "./card/fields.ts";
export { gradingAfter, identifyFailed } from "./card/identification.ts";
export type {
  IdentificationBefore,
  IdentificationResult,
  ProviderIdentification,
} from "./card/identification.ts";
export { publishProblems, requirePublishable } from "./card/listing-effects.ts";
export { cardMoves, factsHold, stageByFacts } from "./card/moves.ts";
export type { CardMove, FactStage, MoveTrigger } from "./card/moves.ts";
export { reviewReasonTable } from "./card/review.ts";
export type { BatchMembership } from "./card/stages.ts";
export { identificationFieldNames, identificationOf, unknownIdentification } from "./card/state.ts";
export type {
  CardEffect,
  CardState,
  Grading,
  IdentificationFields,
  IdentificationPatch,
  MarketPrice,
  OpenListing,
} from "./card/state.ts";
export { canBeUndone, changedSince, withoutMembers } from "./card/undo.ts";
export type { UndoneChange } from "./card/undo.ts";
export {
  claimDelivery,
  deadlineOf,
  deferDelivery,
  dismissDelivery,
  dropForEndpoint,
  expectedDrop,
  maxAttempts,
  newDelivery,
  recordAttempt,
  waitAfter,
} from "./delivery/attempts.ts";
export type { AttemptOutcome, Claim, DeliveryOutcome } from "./delivery/attempts.ts";
export {
  breakerPhases,
  breakerUndelivered,
  closedBreaker,
  passBreaker,
  recordBreaker,
} from "./delivery/breaker.ts";
export type {
  AttemptSummary,
  BreakerPass,
  BreakerPhase,
  BreakerState,
} from "./delivery/breaker.ts";
export { redeliver } from "./delivery/redelivery.ts";
export type { EndpointState, Redelivery } from "./delivery/redelivery.ts";
export {
  deliveryMoves,
  isCountedAsDropped,
  isUndelivered,
  maxClaimsWithoutAttempt,
} from "./delivery/state.ts";
export type { DeliveryState, DeliveryTrigger } from "./delivery/state.ts";
export * from "./endpoint-health.ts";
export { checkAgainstCatalogue } from "./identify/catalogue-check.ts";
export type { CatalogueAnswer, CatalogueCard } from "./identify/catalogue-check.ts";
export { evidenceOf, rankFindings } from "./identify/rank.ts";
export type {
  FieldEvidence,
  Finding,
  IdentificationVerdict,
  RankedCandidate,
} from "./identify/rank.ts";
export { numberParts } from "./identify/same-card.ts";
export type { KnownFields } from "./identify/same-card.ts";
export * from "./job.ts";
export { priceByRule } from "./bulk/price-rule.ts";
export type { PricedCard, RulePrice } from "./bulk/price-rule.ts";
export { aspectsOf } from "./listing/aspects.ts";
export { cardCategories, categoryOf } from "./listing/category.ts";
export { listingProblems, marketplaceProblems } from "./listing/checks.ts";
export type { CategoryNeeds, ListingPlan, SellerStanding } from "./listing/checks.ts";
export { createListing } from "./listing/create.ts";
export type { NewListing } from "./listing/create.ts";
export { decideListing, decideListingAndCard } from "./listing/decide.ts";
export type { ListingOutcome } from "./listing/decide.ts";
export * from "./listing/state.ts";
export {
  mostTitleLength,
  renderDescription,
  fitTitle,
  renderTitle,
  templatePlaceholders,
  templateProblem,
  templatesOf,
} from "./listing/template.ts";
export type { ListingTemplates, TemplateCard } from "./listing/template.ts";
export type { DomainEvent, Outcome } from "./outcome.ts";
export { arrangement, editArrangement, settled, unsettled } from "./photos/arrange-import.ts";
export type { ArrangedFile, ArrangementEdit } from "./photos/arrange-import.ts";
export { pairingRules } from "./photos/pair-photos.ts";
export type { Pairing, PairingRule, PhotoGroup } from "./photos/pair-photos.ts";
export { suggestPrice } from "./prices/suggest.ts";
export type { PriceQuote, PriceSuggestion } from "./prices/suggest.ts";
export { lineChanges } from "./sale/order-lines.ts";
export type { LedgerLine, LineChange, OrderNow } from "./sale/order-lines.ts";
export * from "./secret-rotation.ts";
export * from "./sku.ts";
