export { accessOf } from "./context.ts";
export type {
  Access,
  AccountLimits,
  Actor,
  Context,
  PersonPrincipal,
  Principal,
  SessionPrincipal,
  TokenPrincipal,
} from "./context.ts";
export { errorOf } from "./errors.ts";
export { createCallerFactory, requireScopes } from "./procedures.ts";
export type { DocumentedMeta, Meta } from "./procedures.ts";
export { appRouter } from "./router.ts";
export type { AppRouter } from "./router.ts";
// What identifies and prices: wired by the processes.
export { EngineError } from "./identify/engines.ts";
export type {
  EngineAnswer,
  EnginePicture,
  Engines,
  EnginesOf,
  IdentificationEngine,
  PricedThing,
  PriceEngine,
} from "./identify/engines.ts";
export { openEngines } from "./identify/open-engines.ts";
export type { OpenEngines } from "./identify/open-engines.ts";
export { answerConsent } from "./marketplace/connect-answer.ts";
export { openMarketplace } from "./marketplace/open-marketplace.ts";
export { openMarketplaces } from "./marketplace/open-marketplaces.ts";
export type { Marketplaces } from "@cardvault/providers";
export { exportJobItems } from "./jobs/items-csv.ts";
export { setProviderCap } from "./identify/set-provider-cap.ts";
export { providerNames, readProvidersConfig } from "@cardvault/providers";
export type { ProvidersConfig } from "@cardvault/providers";
export { photoUrlsOf } from "./services.ts";
export { createServices } from "./services.ts";
export type { CoreConfig, CreateServicesOptions, Services } from "./services.ts";
// What the operator's command line and the demonstration do, by the same use cases as the procedures.
export { operatorAccess } from "./accounts/operator-access.ts";
export { exportAccount } from "./accounts/export-account.ts";
export { removeAccount } from "./accounts/remove-account.ts";
export type { RemovalProgress } from "./accounts/remove-account.ts";
export { setLimits } from "./accounts/set-limits.ts";
export { restoreAccount, suspendAccount } from "./accounts/suspend-account.ts";
export { readDropped } from "./events/list-dropped.ts";
export { redeliverEvent } from "./events/redeliver-event.ts";
export { revokeKey } from "./keys/revoke-key.ts";
export { createAccount } from "./accounts/create-account.ts";
export { createKey } from "./keys/create-key.ts";
export { makeOperator } from "./sign-in/make-operator.ts";
export { makeResetLink } from "./sign-in/make-reset-link.ts";
export { createPerson } from "./sign-in/create-person.ts";
export { readEndpointHealth } from "./webhooks/endpoints/endpoint-health.ts";
export { recoverEndpoint } from "./webhooks/endpoints/recover-endpoint.ts";
export { updateEndpoint } from "./webhooks/endpoints/update-endpoint.ts";
export { createEndpoint } from "./webhooks/endpoints/create-endpoint.ts";
export { labelDocument } from "./labels/label-document.ts";
export { fetchPhoto } from "./photos/fetch-photo.ts";
export type { FetchedPhoto } from "./photos/fetch-photo.ts";
export { keepPicture } from "./photos/keep-picture.ts";
export { derivedKey } from "./photos/picture-files.ts";
export { readOriginals, readPicture } from "./photos/read-picture.ts";
export type { OriginalPhoto } from "./photos/read-picture.ts";
export { requireOpenImport } from "./photos/imports/open-import.ts";
export { uploadsFolderOf } from "./photos/uploads-folder.ts";
export { uploadPhoto } from "./photos/upload-photo.ts";
export { localEngine } from "./recognise/local-engine.ts";
export { createLearner } from "./recognise/learn.ts";
export type { Learner } from "./recognise/learn.ts";
export { createPictureProcessor, maxPictureBytes } from "@cardvault/photos";
export { createMemoryLimiter } from "./limits/memory-limiter.ts";
export { tokenWindow } from "./limits/limiter.ts";
export { createPostgresLimiter } from "./limits/postgres-limiter.ts";
export type { Limiter, Taken, TakeInput } from "./limits/limiter.ts";
// What the worker runs of ours.
export { workHandlers } from "./work/handlers.ts";
export { createHousekeeping } from "./work/housekeeping.ts";
export type { HousekeepingPhotos } from "./work/housekeeping.ts";
export { openPictures } from "./photos/open-pictures.ts";
export type { Mailer } from "./work/notice-mail.ts";
export type { SendTestEvent, TestEvent, TestOutcome } from "./webhooks/test-sender.ts";
// What the API process and the REST adapter make requests' contexts from.
export { authenticateToken } from "./keys/authenticate-token.ts";
export { foreignOrigin } from "./sign-in/sign-in.ts";
export { sessionPrincipal } from "./sign-in/session-principal.ts";
export { trpcCodeOf } from "./errors.ts";
// Which cards there are: what the operator's command line, the sandbox and identification use.
export { catalogueSources } from "./catalogue/card-list.ts";
export type { CatalogueSource } from "./catalogue/card-list.ts";
export { importCatalogue } from "./catalogue/import-catalogue.ts";
export type { CatalogueImportProgress } from "./catalogue/import-catalogue.ts";
export { matchCatalogue } from "./catalogue/match-catalogue.ts";
export type { CatalogueQuestion } from "./catalogue/match-catalogue.ts";
export { provideInventedCatalogue } from "./catalogue/provide-invented.ts";
// Lists: what the API process takes in and gives out as files.
export { receiveImport } from "./imports/receive-import.ts";
export { exportCards, exportFile } from "./exports/export-cards.ts";
export { createProviderHouse } from "./providers/provider-house.ts";
// Sales: the ledger as a file, and what the worker reads of marketplaces.
export { exportSales } from "./sales/export-sales.ts";
export { createMarketplaceSync } from "./marketplace/sync-loop.ts";
export type { MarketplaceSync } from "./marketplace/sync-loop.ts";
