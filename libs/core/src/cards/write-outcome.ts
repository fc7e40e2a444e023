import { enqueueJob, workChannel } from "@cardvault/db";
import type { AccountUnit, Database } from "@cardvault/db";
import type { CardOutcome } from "@cardvault/domain";
import type { Access } from "../context.ts";

/**
 * Fires the events of a change of a card, and makes jobs of what it asks of the marketplace, in the
 * change's own commit. The card itself is the caller's to save.
 */
export async function writeOutcome(
  db: Database,
  unit: AccountUnit,
  { actor }: Pick<Access, "actor">,
  { events, effects }: CardOutcome,
): Promise<void> {
  unit.emit(...events);
  for (const { type, ...payload } of effects) {
    const { accountId, tx, stamp } = unit;
    await enqueueJob(
      tx,
      { kind: type, accountId, payload, createdBy: actor.id ?? undefined },
      stamp,
    );
  }
  if (effects.length > 0) unit.tx.afterCommit(() => db.notify(workChannel));
}
