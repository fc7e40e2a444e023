import { Migration0001Tables } from "./0001-tables.ts";
import { Migration0002JobStore } from "./0002-job-store.ts";
import { Migration0003SignIn } from "./0003-sign-in.ts";
import { Migration0004EndpointHealth } from "./0004-endpoint-health.ts";
import { Migration0005WebhookLog } from "./0005-webhook-log.ts";
import { Migration0006HistoryAndBulkJobs } from "./0006-history-and-bulk-jobs.ts";
import { Migration0007Inventory } from "./0007-inventory.ts";
import { Migration0008Imports } from "./0008-imports.ts";
import { Migration0009LocationsAndScans } from "./0009-locations-and-scans.ts";
import { Migration0010CatalogueAndProviders } from "./0010-catalogue-and-providers.ts";
import { Migration0011Photos } from "./0011-photos.ts";
import { Migration0012LiveUpdates } from "./0012-live-updates.ts";
import { Migration0013IdentificationAndPrices } from "./0013-identification-and-prices.ts";
import { Migration0014ProviderCaps } from "./0014-provider-caps.ts";
import { Migration0015JobPatches } from "./0015-job-patches.ts";
import { Migration0016MarketplaceConnection } from "./0016-marketplace-connection.ts";
import { Migration0017Publications } from "./0017-publications.ts";
import { Migration0018LearnerPositions } from "./0018-learner-positions.ts";
import { Migration0019Sales } from "./0019-sales.ts";
import { Migration0020Causes } from "./0020-causes.ts";
import { Migration0021AccountRemoval } from "./0021-account-removal.ts";

/**
 * Every migration in its order. A name is stored once it has run and never changes after a release.
 */
export const migrationsList = [
  { name: "0001-tables", class: Migration0001Tables },
  { name: "0002-job-store", class: Migration0002JobStore },
  { name: "0003-sign-in", class: Migration0003SignIn },
  { name: "0004-endpoint-health", class: Migration0004EndpointHealth },
  { name: "0005-webhook-log", class: Migration0005WebhookLog },
  { name: "0006-history-and-bulk-jobs", class: Migration0006HistoryAndBulkJobs },
  { name: "0007-inventory", class: Migration0007Inventory },
  { name: "0008-imports", class: Migration0008Imports },
  { name: "0009-locations-and-scans", class: Migration0009LocationsAndScans },
  { name: "0010-catalogue-and-providers", class: Migration0010CatalogueAndProviders },
  { name: "0011-photos", class: Migration0011Photos },
  { name: "0012-live-updates", class: Migration0012LiveUpdates },
  { name: "0013-identification-and-prices", class: Migration0013IdentificationAndPrices },
  { name: "0014-provider-caps", class: Migration0014ProviderCaps },
  { name: "0015-job-patches", class: Migration0015JobPatches },
  { name: "0016-marketplace-connection", class: Migration0016MarketplaceConnection },
  { name: "0017-publications", class: Migration0017Publications },
  { name: "0018-learner-positions", class: Migration0018LearnerPositions },
  { name: "0019-sales", class: Migration0019Sales },
  { name: "0020-causes", class: Migration0020Causes },
  { name: "0021-account-removal", class: Migration0021AccountRemoval },
];
