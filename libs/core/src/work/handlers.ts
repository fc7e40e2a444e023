import type { Database } from "@cardvault/db";
import type { Clock } from "@cardvault/kit";
import { photoImportHandler, photoImportKind } from "../photos/imports/run-import.ts";
import { bulkHandlers } from "../bulk/handler.ts";
import { providerHandlers } from "../identify/bulk/handlers.ts";
import type { CardNeeds } from "../identify/identify.ts";
import { importHandlers } from "../imports/handlers.ts";
import { listingHandlers } from "../marketplace/publish/handlers.ts";
import type { ListingNeeds } from "../marketplace/publish/listing-run.ts";
import type { WorkHandler } from "./handler.ts";
import { noticeMailHandler, noticeMailKind } from "./notice-mail.ts";
import type { Mailer } from "./notice-mail.ts";
import { recoverHandler, recoverKind } from "./recover.ts";
import { redeliverHandler, redeliverKind } from "./redeliver.ts";
import { retentionHandler, retentionKind } from "./retention.ts";
import type { Retention } from "./retention.ts";

export interface WorkHandlerOptions {
  db: Database;
  clock: Clock;
  publicUrl: string;
  retention: Retention;
  /** Without one no mail is sent, and none is asked for. */
  mailer?: Mailer | undefined;
  /** Without it cards are not identified or priced here. */
  providers?: Omit<CardNeeds, "db" | "clock"> | undefined;
  /** Without it nothing is published, revised or withdrawn here. */
  listings?: Omit<ListingNeeds, "db" | "clock"> | undefined;
}

/** What the worker runs of core's jobs, by kind. */
export function workHandlers(options: WorkHandlerOptions): ReadonlyMap<string, WorkHandler> {
  const listings = options.listings && { ...options, ...options.listings };
  const handlers = new Map<string, WorkHandler>([
    ...bulkHandlers({ ...options, marketplace: listings }),
    ...(listings === undefined ? [] : listingHandlers(listings)),
    ...importHandlers(options),
    [photoImportKind, photoImportHandler(options)],
    [recoverKind, recoverHandler(options)],
    [redeliverKind, redeliverHandler(options)],
    [retentionKind, retentionHandler(options)],
  ]);
  const { mailer, providers } = options;
  if (providers !== undefined) {
    for (const [kind, handler] of providerHandlers({ ...options, ...providers })) {
      handlers.set(kind, handler);
    }
  }
  if (mailer !== undefined) handlers.set(noticeMailKind, noticeMailHandler({ ...options, mailer }));
  return handlers;
}
