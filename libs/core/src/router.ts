import { accountsRouter } from "./accounts/router.ts";
import { batchesRouter } from "./batches/router.ts";
import { bulkRouter } from "./bulk/router.ts";
import { cardsRouter } from "./cards/router.ts";
import { catalogueRouter } from "./catalogue/router.ts";
import { eventsRouter } from "./events/router.ts";
import { identificationsRouter } from "./identify/router.ts";
import { importsRouter } from "./imports/router.ts";
import { jobsRouter } from "./jobs/router.ts";
import { keysRouter } from "./keys/router.ts";
import { labelsRouter } from "./labels/router.ts";
import { listingsRouter } from "./listings/router.ts";
import { liveRouter } from "./live/router.ts";
import { locationsRouter } from "./locations/router.ts";
import { marketplaceRouter } from "./marketplace/router.ts";
import { noticesRouter } from "./notices/router.ts";
import { operationsRouter } from "./operations/router.ts";
import { photoImportsRouter } from "./photos/imports/router.ts";
import { photosRouter } from "./photos/router.ts";
import { pricesRouter } from "./prices/router.ts";
import { router } from "./procedures.ts";
import { providersRouter } from "./providers/router.ts";
import { reviewRouter } from "./review/router.ts";
import { salesRouter } from "./sales/router.ts";
import { sandboxRouter } from "./sandbox/router.ts";
import { scansRouter } from "./scans/router.ts";
import { signInRouter } from "./sign-in/router.ts";
import { skusRouter } from "./skus/router.ts";
import { viewsRouter } from "./views/router.ts";
import { webhooksRouter } from "./webhooks/router.ts";

/** Every procedure there is. Those with OpenAPI meta are the REST surface; no other is reachable with a token. */
export const appRouter = router({
  cards: cardsRouter,
  catalogue: catalogueRouter,
  providers: providersRouter,
  views: viewsRouter,
  batches: batchesRouter,
  listings: listingsRouter,
  marketplace: marketplaceRouter,
  photos: photosRouter,
  photoImports: photoImportsRouter,
  identifications: identificationsRouter,
  review: reviewRouter,
  prices: pricesRouter,
  locations: locationsRouter,
  labels: labelsRouter,
  sales: salesRouter,
  sandbox: sandboxRouter,
  scans: scansRouter,
  skus: skusRouter,
  keys: keysRouter,
  webhooks: webhooksRouter,
  events: eventsRouter,
  notices: noticesRouter,
  imports: importsRouter,
  jobs: jobsRouter,
  live: liveRouter,
  bulk: bulkRouter,
  accounts: accountsRouter,
  operations: operationsRouter,
  signIn: signInRouter,
});
export type AppRouter = typeof appRouter;
