import { hasCostShares, readCostShares, writeCostShares } from "@cardvault/db";
import type { CostShare, Database } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import type { CardState } from "@cardvault/domain";
import type { CardStep, CardWork } from "../bulk/card-work.ts";
import { planCost } from "./plan-cost.ts";
import type { CostOrder } from "./plan-cost.ts";

interface Place {
  accountId: string;
  batchId: string;
  jobId: string;
}

const sharesAtOnce = 5_000;

/**
 * Gives cards their shares of a batch's cost. All shares are written down before the first card is given
 * one, so a job that is run again after a crash gives what it meant to give.
 */
export function costWork(db: Database, place: Place, order: CostOrder): CardWork {
  let isPlanned = false;
  return {
    prepare: async (cardIds) => {
      isPlanned ||= await hasCostShares(db, place.jobId, place.batchId);
      if (!isPlanned) await writePlan(db, place, order);
      isPlanned = true;
      return readCostShares(db, place.jobId, cardIds);
    },
    begin: (unit, _, prepared) => {
      const shares = prepared as ReadonlyMap<string, CostShare>;
      const { currency } = unit.account;
      return Promise.resolve((card) =>
        giveShare(card, shares.get(card.id), place.batchId, (amount) =>
          decideCard(
            card,
            {
              type: "edit",
              patch: { purchasePrice: { amount, currency } },
              accountCurrency: currency,
            },
            unit.stamp,
          ),
        ),
      );
    },
  };
}

function giveShare(
  card: CardState,
  share: CostShare | undefined,
  batchId: string,
  give: (amount: number) => Extract<CardStep, { type: "apply" }>["outcome"],
): CardStep {
  if (share === undefined) return skip("cost_kept", "It keeps its cost, or takes no part.");
  if (card.batchId !== batchId) return skip("not_in_batch", "It has left the batch.");
  const cost = card.purchasePrice?.amount ?? null;
  if (cost !== share.found && cost !== share.amount) {
    return skip("cost_kept", "Its cost has been set by hand meanwhile.");
  }
  return { type: "apply", outcome: give(share.amount) };
}

function skip(code: string, message: string): CardStep {
  return { type: "skip", remark: { code, message } };
}

/** One commit, or none of it; the account's clock is not needed. */
async function writePlan(db: Database, place: Place, order: CostOrder): Promise<void> {
  await db.transaction(async (tx) => {
    const { given } = await planCost(tx, place.accountId, place.batchId, order);
    for (let start = 0; start < given.length; start += sharesAtOnce) {
      await writeCostShares(
        tx,
        place,
        given.slice(start, start + sharesAtOnce).map(({ card, amount }) => ({
          cardId: card.id,
          found: card.cost,
          amount,
        })),
      );
    }
  });
}
