import { changeAccount, listIdleBatches } from "@cardvault/db";
import type { ChangeOrigin, Database } from "@cardvault/db";
import { decideBatch } from "@cardvault/domain";
import type { Clock } from "@cardvault/kit";

interface Needs {
  db: Database;
  clock: Clock;
}

interface Place {
  accountId: string;
  batchId: string;
}

const by: ChangeOrigin = { actor: { kind: "system", id: null }, via: "job" };
const atOnce = 100;

/** Opens a batch again on whose cards no job works any more. A job has ended, or was ended by hand. */
export async function settleBatch({ db, clock }: Needs, place: Place): Promise<void> {
  const [idle] = await listIdleBatches(db, place, 1);
  if (idle === undefined) return;
  const { accountId, batchId } = idle;
  await changeAccount(db, { accountId, clock, by }, async (unit) => {
    const batch = await unit.batches.get(batchId);
    // Another job may have begun since it was looked at, or somebody has completed it.
    if (batch.status !== "processing" || batch.jobCount > 0) return;
    const { state } = decideBatch(
      { ...batch, jobCount: 1 },
      { type: "job_finished", kind: "cards" },
      unit.stamp,
    );
    unit.batches.save(state);
  });
}

/** The same for every account, where a process died between a job's end and its batch. */
export async function settleBatches(needs: Needs): Promise<void> {
  for (const place of await listIdleBatches(needs.db, null, atOnce)) {
    await settleBatch(needs, place);
  }
}
