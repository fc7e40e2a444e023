export { countListening } from "./connection/count-listening.ts";
export { grantServiceRole } from "./connection/grant-role.ts";
export { migrate } from "./connection/migrate.ts";
export { openDatabase } from "./connection/database.ts";
export type {
  Database,
  OpenDatabaseOptions,
  Queryable,
  Transaction,
} from "./connection/database.ts";
export type { Subscription } from "./connection/listener.ts";
export {
  findAccount,
  findLimits,
  findMembership,
  findSettings,
  findTestAccount,
  insertAccount,
  listAllAccounts,
  listMemberships,
  lockAccount,
  writeLimits,
  writeSettings,
  writeSuspension,
} from "./people/accounts.ts";
export type { AccountSettings, Membership, NewAccount, StoredLimits } from "./people/accounts.ts";
export {
  findKey,
  findKeyByHash,
  insertKey,
  listKeys,
  writeKeyEnd,
  writeLastUse,
  writeRevocation,
} from "./people/keys.ts";
export type { KeyFacts, NewKey } from "./people/keys.ts";
export {
  deleteInvitation,
  deleteMember,
  findOpenInvitation,
  insertInvitation,
  insertMember,
  listInvitations,
  listMembers,
  markAccepted,
  writeRole,
} from "./people/members.ts";
export type { NewInvitation, OpenInvitation } from "./people/members.ts";
export {
  deleteOperator,
  findPersonByEmail,
  insertOperator,
  insertPerson,
  isOperator,
  readPersonNames,
  writePersonName,
} from "./people/persons.ts";
export type { PersonRow } from "./people/persons.ts";
export { deleteOtherSessions, deleteSession, listSessions } from "./people/sessions.ts";
export type { SessionRow } from "./people/sessions.ts";
export { exportAccountRows } from "./export/export-account.ts";
export type { ExportRow } from "./export/export-row.ts";
export { exportTables, notExported } from "./export/export-tables.ts";
export {
  deleteAccountItself,
  deleteAccountRows,
  removalSteps,
  shutOutOfAccount,
} from "./removal/delete-account.ts";
export {
  addRemoved,
  findRemovals,
  finishRemoval,
  insertRemoval,
  listRemovals,
  listRemovedSince,
} from "./removal/removals.ts";
export type { Removal } from "./removal/removals.ts";
export { countTrail, insertTrailEntry, listTrail } from "./people/trail.ts";
export type { NewTrailEntry, TrailRow } from "./people/trail.ts";
export { dropUndelivered } from "./work/drop-undelivered.ts";
export { findBatchId, listIdleBatches } from "./work/job-batches.ts";
export {
  insertJobItems,
  listJobItems,
  markJobItems,
  findJobsWithItems,
  hasChangedItems,
  readChangedItems,
  readNextItems,
} from "./work/job-items.ts";
export type { ItemMark } from "./work/job-items.ts";
export { insertJobPatches, readJobPatches } from "./work/job-patches.ts";
export {
  causeOf,
  changeJob,
  enqueueJob,
  findJobByKey,
  countJobs,
  listJobs,
  listSuspendedJobs,
  readJob,
  workChannel,
} from "./work/jobs.ts";
export type { JobChange, JobRow, NewJobRow } from "./work/jobs.ts";
export { readRequestEffects } from "./work/request-effects.ts";
export {
  listAccountHealth,
  listEveryJob,
  readOperatorJob,
  readWorkKinds,
} from "./work/operations.ts";
export type { OperatorJobRow } from "./work/operations.ts";
export {
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  markEndpointRemoved,
  writeEndpoint,
} from "./webhooks/endpoints.ts";
export type { StoredEndpoint } from "./webhooks/endpoints.ts";
export {
  deliveryStateColumns,
  deliveryStateFrom,
  dismissDropped,
  lockDeliveryPlace,
  newDeliveryAnswer,
  writeRedelivery,
} from "./webhooks/deliveries.ts";
export type { DeliveryPlace, DeliveryStateRow } from "./webhooks/deliveries.ts";
export { countAttempts, listAttempts } from "./webhooks/attempt-log.ts";
export { countDeliveries, getDelivery, listDeliveries } from "./webhooks/delivery-log.ts";
export { countEvents, findMissing, listMissing, readStampTime } from "./webhooks/missing.ts";
export type { EventPosition, MissingRow } from "./webhooks/missing.ts";
export {
  countUnreadNotices,
  findNoticeMail,
  insertNotice,
  listNotices,
  markNoticesRead,
  readUnmailedNotices,
} from "./webhooks/notices.ts";
export type { NewNotice, NoticeMail } from "./webhooks/notices.ts";
export {
  forgetFailures,
  readDisabledSince,
  readEndpointStandings,
  readEndpointsToCheck,
  writeEndpointOutcomes,
} from "./webhooks/outcomes.ts";
export type { CheckedEndpoint, EndpointStanding } from "./webhooks/outcomes.ts";
export {
  findDeliveryPlaces,
  lockLatestGenerations,
  lockReceiver,
  writeResends,
} from "./webhooks/resend.ts";
export type { Resend } from "./webhooks/resend.ts";
export {
  deleteAttempts,
  deleteEvents,
  deleteJobItems,
  deleteOldNotices,
  hasRetentionJobSince,
  tryHousekeeping,
} from "./webhooks/retention.ts";
export type { Removed } from "./webhooks/retention.ts";
export { listEndpointTimeline } from "./webhooks/timeline.ts";
export { changeAccount, readAccountStamp } from "./change/change-account.ts";
export type { AccountUnit, ChangeAccountOptions } from "./change/change-account.ts";
export type { ChangedAccount } from "./change/change-place.ts";
export { bySystem } from "./change/change-recorder.ts";
export type { ChangeOrigin } from "./change/change-recorder.ts";
export type { NewPhoto } from "./change/photo-repository.ts";
export type { CardPhoto } from "./change/photo-repository.ts";
export type { NewEvent } from "./change/outbox.ts";
export { findBatches, getBatch, listBatches } from "./read/batches.ts";
export { getCard, listBatchCards, listCards } from "./read/cards.ts";
export type { PhotoUrl } from "./read/cards.ts";
export { listCardAnchors, listCardIds } from "./read/card-ids.ts";
export { listCardRows } from "./read/card-rows.ts";
export { readTotals } from "./read/card-totals.ts";
export { readDashboard } from "./read/dashboard.ts";
export { getListing, listListings } from "./read/listings.ts";
export { readPricedCards } from "./read/priced-cards.ts";
export type { PricedRow } from "./read/priced-cards.ts";
export { readSelectedIds } from "./read/selection.ts";
export { countDropped, findDroppedPlaces, listDropped, readNextDropped } from "./read/dropped.ts";
export type { DroppedPlace } from "./read/dropped.ts";
export { countListedEvents, getEvent, listEvents } from "./read/events.ts";
export { findCardChange, listCardHistory, readJobChanges } from "./read/history.ts";
export type { StoredChange } from "./read/history.ts";
export { liveChannel, readAccountChanges, readLiveDigests, readLiveState } from "./read/live.ts";
export type { AccountChanges, LiveState } from "./read/live.ts";
export { countCards, readOverview } from "./read/overview.ts";
export { findNearCards, writeLearnedHashes } from "./photos/learned-hashes.ts";
export type { LearnedHash, NearCard } from "./photos/learned-hashes.ts";
export {
  findAccountsToLearn,
  readUnlearnedPhotos,
  writeLearnerPosition,
} from "./photos/learner-positions.ts";
export type { LearnerPosition, UnlearnedPhoto } from "./photos/learner-positions.ts";
export {
  countImportCards,
  deletePhotoImport,
  findImportDuplicates,
  findImportFiles,
  findStaleImports,
  getPhotoImport,
  insertImportFiles,
  insertPhotoImport,
  listPhotoImports,
  lockPhotoImport,
  markImported,
  nextImportGroups,
  readImportFiles,
  readImportHashes,
  writeArrangement,
  writeImportPhotos,
  writePhotoImport,
} from "./photos/photo-imports.ts";
export type { ImportedPhoto, PhotoImportFileRow, PhotoImportRow } from "./photos/photo-imports.ts";
export {
  deleteUnattachedPhotos,
  findPhotoFile,
  findSimilarCard,
  insertLoosePhotos,
  listCardPhotoFiles,
} from "./photos/photos.ts";
export type { CardPhotoFile } from "./photos/photos.ts";
export {
  beginPicture,
  findStoredPicture,
  loosenPictures,
  removePicture,
  settleKnownPictures,
  settlePicture,
  takeLoosePictures,
} from "./photos/pictures.ts";
export type { NewPicture, PicturePlace, PictureRow } from "./photos/pictures.ts";
export {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  writeView,
} from "./read/views.ts";
export type { Viewer } from "./read/views.ts";
export { createIdempotencyStore, sweepIdempotency } from "./work/idempotency.ts";
export type {
  IdempotencyOutcome,
  IdempotencyReservation,
  IdempotencyStore,
  IdempotentAnswer,
  IdempotentRequest,
} from "./work/idempotency.ts";
export {
  countCatalogue,
  findCatalogueByNumber,
  searchCatalogue,
} from "./catalogue/read-catalogue.ts";
export type { CatalogueFinding, CatalogueScope } from "./catalogue/read-catalogue.ts";
export {
  beginCatalogueImport,
  writeCatalogueCards,
  writeCatalogueImport,
} from "./catalogue/write-catalogue.ts";
export type { CatalogueImportState, CatalogueRow } from "./catalogue/write-catalogue.ts";
export { listProviderOutcomes, writeProviderOutcome } from "./providers/provider-outcomes.ts";
export type { ProviderOutcomes } from "./providers/provider-outcomes.ts";
export { holdProvider, takeProviderTurn } from "./providers/provider-turns.ts";
export {
  deleteSandboxRecords,
  listSandboxRecords,
  lockSandboxKey,
  readSandboxRecord,
  takeSandboxTurn,
  writeSandboxRecord,
} from "./providers/sandbox-records.ts";
export {
  beginIdentification,
  findIdentification,
  finishIdentification,
  interruptIdentification,
  latestIdentifications,
  listIdentifications,
  markIdentificationUndone,
  requireNotIdentifying,
} from "./identify/identifications.ts";
export type { IdentificationRow } from "./identify/identifications.ts";
export { listPriceQuotes, writePriceQuotes } from "./identify/price-quotes.ts";
export {
  addProviderUsage,
  listProviderUsage,
  readProviderBudget,
  writeProviderBudget,
} from "./identify/provider-usage.ts";
export type { ProviderCall } from "./identify/provider-usage.ts";
export {
  listProviderCaps,
  reserveProviderCall,
  settleProviderCall,
  writeProviderCap,
} from "./identify/provider-spend.ts";
export {
  countReviews,
  findLastDecision,
  findReviewHolder,
  listDecisionTimes,
  lockNextReviews,
  markDecisionUndone,
  releaseReviewLocks,
  renewReviewLocks,
  writeReviewDecision,
} from "./identify/reviews.ts";
export type { ReviewQueue } from "./identify/reviews.ts";
export {
  addOutcomes,
  deleteImport,
  getImport,
  insertImport,
  listImports,
  lockImport,
  sweepImports,
  writeImport,
} from "./imports/imports.ts";
export type { Counts, ImportReading, ImportRow } from "./imports/imports.ts";
export { importPartBytes, insertImportPart, readImportPart } from "./imports/import-parts.ts";
export {
  claimImportKeys,
  clearImportRows,
  insertImportRows,
  listImportRows,
  markImportRows,
  readRowCards,
  readRowsToImport,
  readRowsToUndo,
} from "./imports/import-rows.ts";
export type { CheckedRow, ImportRowProblem, RowMark, StagedRow } from "./imports/import-rows.ts";
export { matchCards } from "./imports/match-cards.ts";
export type { CardIdentity, CardMarks, CardMatch } from "./imports/match-cards.ts";
export { deleteMapping, findMapping, listMappings, saveMapping } from "./imports/saved-mappings.ts";
export {
  readCostCards,
  hasCostShares,
  readCostShares,
  writeCostShares,
} from "./batches/cost-shares.ts";
export type { CostCardRow, CostShare } from "./batches/cost-shares.ts";
export { countUnfinished, readBatchProgress, readCompletionCheck } from "./batches/progress.ts";
export { countTakenSkus, readIdsWithoutSku, readSkuSamples } from "./batches/sku-samples.ts";
export { listPlaces, lockPlace, removePlace, renamePlaces, savePlace } from "./locations/places.ts";
export { readLocationTree, suggestLocations } from "./locations/tree.ts";
export { findScannedCards, findScannedPlace, scannedCard } from "./scans/find-scanned.ts";
export {
  findHandSale,
  findHandSaleOfRequest,
  hasCard,
  insertHandSale,
  listHandSales,
  markSaleVoid,
} from "./scans/hand-sales.ts";
export {
  findLastEffect,
  findRunLocation,
  findScan,
  insertRun,
  insertScan,
  listRuns,
  listScans,
  markScanUndone,
  readRun,
  scanAnswers,
} from "./scans/runs.ts";
export type { StoredScan } from "./scans/runs.ts";
export { knownToCatalogue } from "./identify/catalogue-knows.ts";
export { eachSelectedCard } from "./read/export-cards.ts";
export { readLabelCards, readLabelPlaces } from "./locations/label-subjects.ts";
export type { LabelCard } from "./locations/label-subjects.ts";
export {
  findPublication,
  insertPublication,
  listUntendedListings,
  readBulkListings,
  settleWanted,
  shiftPublicationDeadlines,
  wantRevision,
  wantWithdrawal,
  writePublication,
} from "./marketplace/publication.ts";
export type {
  AskedListing,
  GivenTerms,
  NewPublication,
  Publication,
  PublicationStep,
  UntendedListing,
  WantedRevision,
} from "./marketplace/publication.ts";
export {
  findLatestCardId,
  isExternalListingKnown,
  lookAtAccount,
  readListingPhotos,
} from "./marketplace/look-at-account.ts";
export type { AccountLook } from "./marketplace/look-at-account.ts";
export {
  countOpenListings,
  deleteConnection,
  findConnection,
  insertConsent,
  insertSandboxConnection,
  markConnectionRestored,
  markConnectionRevoked,
  takeConsent,
  writeChoices,
  writeConnection,
} from "./marketplace/connection.ts";
export type {
  AskedConsent,
  NewConnection,
  SellerChoices,
  StoredConnection,
} from "./marketplace/connection.ts";
export { readTemplates, writeTemplates } from "./marketplace/publication-templates.ts";
export type { KnownTemplates, TemplateOwner } from "./marketplace/publication-templates.ts";
export {
  findOrderLine,
  insertOrderLine,
  readOrderLines,
  updateOrderLine,
} from "./sales/order-lines.ts";
export type { OrderLineRow } from "./sales/order-lines.ts";
export { countLedger, findSale, listSales } from "./sales/ledger.ts";
export { summariseSales } from "./sales/summary.ts";
export { countSales, listSalesListings } from "./sales/sales-listings.ts";
export { listToPull, markPulled } from "./sales/to-pull.ts";
export {
  beginSync,
  beginSyncs,
  claimSync,
  endSync,
  makeSyncDue,
  readSync,
  renewSync,
  saveOrdersUntil,
  syncChannel,
} from "./marketplace/sync-state.ts";
export type { ClaimedSync, SyncRow } from "./marketplace/sync-state.ts";
export {
  clearSeenEnded,
  insertFoundPublication,
  markSeenEnded,
  markSynced,
  matchCard,
  matchExternalIds,
  matchSkus,
  readClosedToSync,
  readListingsToSync,
  readSeenEnded,
  saveClosedPosition,
} from "./marketplace/sync-listings.ts";
export type { ListingToSync, MatchRow } from "./marketplace/sync-listings.ts";
export {
  clearDifferences,
  findDifference,
  readOnTheirWay,
  writeDifferences,
} from "./marketplace/differences.ts";
export type { SeenDifference } from "./marketplace/differences.ts";
