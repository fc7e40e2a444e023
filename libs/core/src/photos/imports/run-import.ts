import {
  changeAccount,
  countImportCards,
  lockPhotoImport,
  markImported,
  nextImportGroups,
  writePhotoImport,
} from "@cardvault/db";
import type { AccountUnit, Database, ImportedPhoto } from "@cardvault/db";
import { createCard } from "@cardvault/domain";
import type { BatchState } from "@cardvault/domain";
import { newId } from "@cardvault/kit";
import type { Clock } from "@cardvault/kit";
import * as z from "zod";
import { settleBatch } from "../../bulk/settle-batches.ts";
import type { WorkContext, WorkHandler, WorkOutcome } from "../../work/handler.ts";

export const photoImportKind = "photos.import";

const payloadSchema = z.object({ import_id: z.string() });

/** Cards in one commit: less than a tenth of a second, so that others of the account come in between. */
const cardsAtOnce = 25;

interface Needs {
  db: Database;
  clock: Clock;
}

/**
 * Makes the cards of an import of photos: imported, with the batch's defaults and a SKU each, fronts and
 * backs attached. Card, photos and the mark on the files are one commit, so whatever kills the worker, a
 * file becomes one card's and no card is made twice.
 */
export function photoImportHandler(needs: Needs): WorkHandler {
  return {
    run: (context) => runChunk(needs, context),
    async ended({ accountId, batchId }) {
      if (accountId !== null && batchId !== null) await settleBatch(needs, { accountId, batchId });
    },
  };
}

function runChunk({ db, clock }: Needs, { job, saveProgress }: WorkContext): Promise<WorkOutcome> {
  const { import_id: importId } = payloadSchema.parse(job.payload);
  const accountId = job.accountId ?? "";
  const actor = { kind: job.createdBy === null ? "system" : "member", id: job.createdBy } as const;
  const by = { actor, via: "import", jobId: job.id } as const;
  return changeAccount(db, { accountId, clock, by }, async (unit): Promise<WorkOutcome> => {
    const { tx } = unit;
    const found = await lockPhotoImport(tx, accountId, importId);
    const photos = await nextImportGroups(tx, importId, cardsAtOnce);
    const groups = [...Map.groupBy(photos, ({ group }) => group).values()];
    if (groups.length > 0) {
      await makeCards(unit, await unit.batches.get(found.batchId), importId, groups);
    }
    const { made, left } = await countImportCards(tx, importId);
    const progress = { total: made + left, done: made, changed: made, skipped: 0, failed: 0 };
    await saveProgress(tx, progress);
    if (left > 0) return { type: "chunk", progress };
    await writePhotoImport(tx, importId, { status: "done" }, clock.now());
    return { type: "done", progress };
  });
}

/** @throws VaultError `batch_complete` */
async function makeCards(
  unit: AccountUnit,
  batch: BatchState,
  importId: string,
  groups: readonly ImportedPhoto[][],
): Promise<void> {
  const made: { position: number; cardId: string }[] = [];
  const photos = [];
  for (const group of groups) {
    const { state, events } = createCard(
      {
        id: newId("card"),
        sku: await unit.counters.nextSku({ batchCode: batch.code, game: batch.defaults.game }),
        batch,
        fields: {},
        accountCurrency: unit.account.currency,
      },
      unit.stamp,
    );
    await unit.cards.create(state);
    unit.emit(...events);
    for (const { position, photoId, side } of group) {
      const cardId = state.id;
      made.push({ position, cardId });
      photos.push({ id: photoId, cardId, side, position: side === "front" ? 0 : 1 });
    }
  }
  // The photos' rows name the cards.
  await unit.tx.em.flush();
  await unit.photos.attach(photos, importId);
  await markImported(unit.tx, importId, made);
}
