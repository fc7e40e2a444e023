import { batch, batchCreateInput } from "@cardvault/contract";
import type { Batch, BatchCreate } from "@cardvault/contract";
import { changeAccount, getBatch } from "@cardvault/db";
import type { AccountUnit } from "@cardvault/db";
import { decideBatch } from "@cardvault/domain";
import type { BatchState } from "@cardvault/domain";
import { newId } from "@cardvault/kit";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { batchPatchFrom } from "./batch-patch.ts";

/**
 * Makes an open batch. Without a code it is given the account's next one.
 * @throws VaultError `validation_failed`; `conflict` for a code that another batch has.
 */
function createBatch(
  { db, clock }: Pick<Services, "db" | "clock">,
  access: Access,
  input: BatchCreate,
): Promise<Batch> {
  const { accountId } = access;
  return changeAccount(db, { accountId, clock, by: access }, async (unit) => {
    const { id } = await newBatch(unit, input);
    return getBatch(unit.tx, accountId, id);
  });
}

/** The same within another change. */
export async function newBatch(unit: AccountUnit, input: BatchCreate): Promise<BatchState> {
  const code = input.code ?? (await unit.counters.nextBatchCode());
  const blank = emptyBatch(newId("batch"), code, input.name);
  const accountCurrency = unit.account.currency;
  const command = { type: "edit", patch: batchPatchFrom(input), accountCurrency } as const;
  const { state } = decideBatch(blank, command, unit.stamp);
  unit.batches.create(state);
  await unit.tx.em.flush();
  return state;
}

function emptyBatch(id: string, code: string, name: string): BatchState {
  return {
    id,
    code,
    name,
    status: "open",
    source: null,
    description: null,
    defaults: {
      set: null,
      game: null,
      condition: null,
      language: null,
      location: null,
      priceFloor: null,
    },
    costBasis: null,
    acquiredAt: null,
    completedAt: null,
    cardCount: 0,
    jobCount: 0,
    membershipJobCount: 0,
  };
}

export const createBatchProcedure = session()
  .input(batchCreateInput)
  .output(batch)
  .mutation(({ ctx, input }) => createBatch(ctx.services, ctx.access, input));
