import {
  CatalogueCard,
  CatalogueImport,
  ProviderOutcome,
  ProviderTurn,
  SandboxRecord,
} from "./catalogue.ts";
import { Batch, Card, Listing, Photo } from "./inventory.ts";
import { MarketplaceConnection, MarketplaceConsent } from "./marketplace.ts";
import { ListingPublication, ListingTemplate } from "./publications.ts";
import {
  Account,
  AccountClock,
  ApiKey,
  Invitation,
  Member,
  PlatformOperator,
  TrailEntry,
} from "./people.ts";
import { AccountRemoval } from "./removals.ts";
import { InventoryView } from "./views.ts";
import { BatchCostShare, HandSale, KnownPlace, Scan, ScanRun } from "./places.ts";
import { Notice, WebhookEndpointOutcomes } from "./notices.ts";
import { ListingDifference, MarketplaceOrderLine, MarketplaceSync } from "./sales.ts";
import { LearnedHash, LearnerPosition, PhotoImport, PhotoImportFile, Picture } from "./photos.ts";
import {
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointHealth,
  WebhookEndpointSlots,
  WebhookEvent,
} from "./webhooks.ts";
import { CardChange } from "./history.ts";
import {
  Identification,
  PriceQuote,
  ProviderCap,
  ProviderUsage,
  ReviewDecision,
  ReviewLock,
} from "./identification.ts";
import {
  CardImport,
  CardImportKey,
  CardImportPart,
  CardImportRow,
  ImportMappingRow,
} from "./imports.ts";
import { IdempotencyRecord, Job, JobItem, JobPatch, RateWindow } from "./work.ts";

/** Every table of the public schema but `card_count` and `card_word`, which the database itself keeps. */
export const entities = [
  Account,
  AccountRemoval,
  AccountClock,
  Member,
  PlatformOperator,
  Invitation,
  ApiKey,
  TrailEntry,
  Batch,
  Card,
  Photo,
  Picture,
  PhotoImport,
  PhotoImportFile,
  LearnedHash,
  LearnerPosition,
  Listing,
  WebhookEndpoint,
  WebhookEndpointHealth,
  WebhookEndpointSlots,
  WebhookEndpointOutcomes,
  WebhookEvent,
  WebhookDelivery,
  WebhookAttempt,
  Notice,
  Job,
  JobItem,
  JobPatch,
  CardChange,
  Identification,
  ReviewLock,
  ReviewDecision,
  PriceQuote,
  ProviderCap,
  ProviderUsage,
  InventoryView,
  KnownPlace,
  ScanRun,
  Scan,
  HandSale,
  BatchCostShare,
  MarketplaceConnection,
  MarketplaceConsent,
  ListingPublication,
  ListingTemplate,
  MarketplaceOrderLine,
  MarketplaceSync,
  ListingDifference,
  CardImport,
  CardImportPart,
  CardImportRow,
  CardImportKey,
  ImportMappingRow,
  IdempotencyRecord,
  RateWindow,
  CatalogueCard,
  CatalogueImport,
  ProviderTurn,
  ProviderOutcome,
  SandboxRecord,
];
