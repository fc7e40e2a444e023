import { createHash } from "node:crypto";
import { job, patchEachInput, VaultError } from "@cardvault/contract";
import type { Job, PatchEach } from "@cardvault/contract";
import { insertJobPatches } from "@cardvault/db";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";
import { patchEachKind } from "./bulk-job.ts";
import { startBulkJob } from "./start-job.ts";

/** Of very many cards that are not there the first are named. */
const mostNamed = 100;

/**
 * Begins a job that changes each card in its own way. The patches are stored with the job; one that the rules
 * refuse is its card's failure, and the others are done.
 * @throws VaultError `card_not_found` with the places of cards that are not the account's, and nothing is
 * begun; `idempotency_key_reused`
 */
function patchEach(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  { patches, idempotency_key: idempotencyKey }: PatchEach,
): Promise<Job> {
  const digest = createHash("sha256").update(JSON.stringify(patches)).digest("base64url");
  const rows = patches.map(({ id, patch, if_version: ifVersion = null }) => ({
    cardId: id,
    patch,
    ifVersion,
  }));
  return startBulkJob(services, access, {
    kind: patchEachKind,
    work: { type: "patch_each", digest },
    selection: { ids: patches.map(({ id }) => id) },
    idempotencyKey,
    also: async (tx, _now, jobId) => {
      const missing = new Set(await insertJobPatches(tx, jobId, rows));
      if (missing.size === 0) return;
      const details = patches.flatMap(({ id }, index) =>
        missing.has(id)
          ? [{ path: `patches.${index}.id`, message: "There is no such card in this account" }]
          : [],
      );
      throw new VaultError("card_not_found", { details: details.slice(0, mostNamed) });
    },
  });
}

export const patchEachProcedure = session()
  .input(patchEachInput)
  .output(job)
  .mutation(({ ctx, input }) => patchEach(ctx.services, ctx.access, input));
