import { createHousekeeping, photoUrlsOf, workHandlers } from "@cardvault/core";
import type { EnginesOf, HousekeepingPhotos, Learner, Marketplaces } from "@cardvault/core";
import type { Database } from "@cardvault/db";
import type { Jobs } from "@cardvault/jobs";
import { createSecretBox } from "@cardvault/kit";
import type { Clock, Logger } from "@cardvault/kit";
import { createMailer } from "./mailer.ts";
import type { WorkerConfig } from "./settings.ts";

interface WorkParts {
  db: Database;
  clock: Clock;
  logger: Logger;
  photos?: HousekeepingPhotos | undefined;
  learner?: Learner | undefined;
  /** Whom jobs ask about cards. Without them such jobs are left to other workers. */
  engines?: EnginesOf | undefined;
  /** Where jobs publish. Without them such jobs are left to other workers. */
  marketplaces?: Marketplaces | undefined;
}

/** Whom jobs show cards to. A worker without a folder for pictures has nothing to show. */
function providersOf(
  { publicUrl, encryptionKeys }: WorkerConfig,
  { logger, photos, engines }: WorkParts,
) {
  if (photos === undefined || engines === undefined) return undefined;
  const photoUrls = photoUrlsOf(publicUrl, encryptionKeys);
  return { logger, pictureStore: photos.pictureStore, photoUrls, engines };
}

/** The marketplace is given addresses of pictures, and fetches them itself. */
function listingsOf(
  { publicUrl, encryptionKeys }: WorkerConfig,
  { logger, marketplaces }: WorkParts,
) {
  if (marketplaces === undefined) return undefined;
  const photoUrls = photoUrlsOf(publicUrl, encryptionKeys);
  return { logger, marketplaces, photoUrls, secretBox: createSecretBox(encryptionKeys) };
}

/** Makes these jobs run core's kinds. Call it before `jobs.start`. Answers the housekeeping, to be started. */
export function registerWork(
  jobs: Jobs,
  config: WorkerConfig,
  parts: WorkParts,
): ReturnType<typeof createHousekeeping> {
  const { publicUrl, smtpUrl, mailFrom } = config;
  const mailer =
    smtpUrl === undefined ? undefined : createMailer({ smtpUrl, from: mailFrom, publicUrl });
  const handlers = workHandlers({
    ...parts,
    publicUrl,
    providers: providersOf(config, parts),
    listings: listingsOf(config, parts),
    retention: {
      attemptsMs: config.retentionAttemptsMs,
      eventsMs: config.retentionEventsMs,
      jobItemsMs: config.retentionJobItemsMs,
    },
    mailer,
  });
  for (const [kind, handler] of handlers) jobs.register(kind, handler);
  return createHousekeeping({ ...parts, sendsMail: mailer !== undefined });
}
