import { findUnlearnedPhotos, writeLearnedHashes } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import type { PictureStore } from "@cardvault/photos";
import type { Recogniser } from "@cardvault/recogniser";
import { derivedKey } from "../photos/picture-files.ts";

export interface LearnerOptions {
  db: Database;
  clock: Clock;
  logger: Logger;
  pictureStore: PictureStore;
  recogniser: Recogniser;
}

/** Learns what cards look like, a bounded number at a time. */
export interface Learner {
  /** One round. @returns how many photos were learned */
  once(): Promise<number>;
}

/** A process that was away so long has missed nothing that is worth more. */
const lookBackMs = 30 * 24 * 60 * 60 * 1_000;
const atOnce = 50;

/**
 * Teaches each account's recogniser the fronts of its cards that a person has identified, or
 * looked at in review and accepted. What only a provider has said is not learned: a mistake of its would become a rule. A card that is identified anew needs no
 * learning: what its looks mean is read from the card.
 */
export function createLearner(options: LearnerOptions): Learner {
  const { db, clock, logger, pictureStore, recogniser } = options;
  let since = new Date(clock.now().getTime() - lookBackMs);
  return {
    async once() {
      const found = await findUnlearnedPhotos(db, since, atOnce);
      let learned = 0;
      for (const { accountId, photoId, cardId, contentHash, updatedAt } of found) {
        const bytes = await pictureStore.get(derivedKey({ accountId, contentHash }, "full"));
        if (bytes !== null) {
          try {
            const [hash] = await recogniser.hash(bytes);
            await writeLearnedHashes(db, accountId, [{ photoId, cardId, hash }], clock.now());
            learned += 1;
          } catch (error) {
            logger.warn({ err: error, photoId }, "a photo could not be learned");
          }
        }
        // Stamps ascend within an account only: a round may see some of another's again.
        if (found.length === atOnce && updatedAt > since) since = updatedAt;
      }
      return learned;
    },
  };
}
