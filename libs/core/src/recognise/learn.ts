import {
  findAccountsToLearn,
  readUnlearnedPhotos,
  writeLearnedHashes,
  writeLearnerPosition,
} from "@cardvault/db";
import type { Database, UnlearnedPhoto } from "@cardvault/db";
import type { Clock, Logger } from "@cardvault/kit";
import type { PictureStore } from "@cardvault/photos";
import { RecogniserBusyError } from "@cardvault/recogniser";
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

/** Photos of a round, some hundredths of a second each. */
const photosAtOnce = 50;
const accountsAtOnce = 200;
const cardsOfPage = 500;
/** Most cards of most accounts have nothing to teach: they cost a look and no more. */
const mostPages = 40;

/**
 * Teaches each account's recogniser the fronts of its cards that a person has identified, or looked at in
 * review and accepted. What only a provider has said is not learned: a mistake of its would become a
 * rule. A card that is identified anew needs no learning: what its looks mean is read from the card.
 *
 * Where it goes on is stored for each account, so a process that was away for however long, or dies in
 * the middle, has missed no card. Several may do it at once; then some photos are looked at twice.
 */
export function createLearner(options: LearnerOptions): Learner {
  const { db, logger } = options;
  return {
    async once() {
      let learned = 0;
      for (const accountId of await findAccountsToLearn(db, accountsAtOnce)) {
        if (learned >= photosAtOnce) break;
        try {
          learned += await learnAccount(options, accountId, photosAtOnce - learned);
        } catch (error) {
          // The store or the recogniser is away: the account waits where it is.
          logger.warn({ err: error, accountId }, "learning goes on later");
        }
      }
      return learned;
    },
  };
}

/** @returns how many photos were learned, about `most` of them */
async function learnAccount(
  options: LearnerOptions,
  accountId: string,
  most: number,
): Promise<number> {
  const { db, clock } = options;
  let learned = 0;
  for (let page = 0; page < mostPages; page += 1) {
    const { photos, end, isLast } = await readUnlearnedPhotos(db, accountId, cardsOfPage);
    for (const [place, photo] of photos.entries()) {
      if (await learnPhoto(options, accountId, photo)) learned += 1;
      const isCardDone = photos[place + 1]?.cardId !== photo.cardId;
      if (learned >= most && isCardDone) {
        await writeLearnerPosition(db, accountId, photo.at, clock.now());
        return learned;
      }
    }
    await writeLearnerPosition(db, accountId, end, clock.now());
    if (isLast) break;
  }
  return learned;
}

/** @returns false for a photo that is gone or cannot be decoded, and never will be */
async function learnPhoto(
  { db, clock, logger, pictureStore, recogniser }: LearnerOptions,
  accountId: string,
  { photoId, cardId, contentHash }: UnlearnedPhoto,
): Promise<boolean> {
  const bytes = await pictureStore.get(derivedKey({ accountId, contentHash }, "full"));
  if (bytes === null) return false;
  const hash = await recogniser.hash(bytes).then(
    ([upright]) => upright,
    (error: unknown) => {
      if (error instanceof RecogniserBusyError) throw error;
      logger.warn({ err: error, photoId }, "a photo could not be learned");
      return null;
    },
  );
  if (hash === null) return false;
  await writeLearnedHashes(db, accountId, [{ photoId, cardId, hash }], clock.now());
  return true;
}
