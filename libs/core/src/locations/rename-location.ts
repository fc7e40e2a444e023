import { job, locationRenameInput, VaultError } from "@cardvault/contract";
import type { Job, LocationRename } from "@cardvault/contract";
import { findSettings, renamePlaces } from "@cardvault/db";
import { startBulkJob } from "../bulk/start-job.ts";
import type { Access } from "../context.ts";
import { session } from "../procedures.ts";
import type { Services } from "../services.ts";

/**
 * Renames a place, or merges it into one that exists. What is known of it is renamed at once, its cards by
 * a job, each with its history, so it can be undone as any other.
 * @throws VaultError `validation_failed` where it would change nothing
 */
async function renameLocation(
  services: Pick<Services, "db" | "clock">,
  access: Access,
  { from, to, within_too: withinToo }: LocationRename,
): Promise<Job> {
  if (from === to) {
    throw new VaultError("validation_failed", {
      details: [{ path: "to", message: "Must differ from the present one" }],
    });
  }
  const settings = await findSettings(services.db, access.accountId);
  if (settings === null) throw new VaultError("not_found");
  const separator = settings.locationSeparator;
  return startBulkJob(services, access, {
    kind: "location.rename",
    work: { type: "relocate", from, to, within_too: withinToo, separator },
    selection: {
      filter: { location: withinToo ? [from, `${from}${separator}*`] : [from] },
      except: [],
    },
    also: (tx, now) => renamePlaces(tx, access.accountId, { from, to, withinToo, separator }, now),
  });
}

export const renameLocationProcedure = session()
  .input(locationRenameInput)
  .output(job)
  .mutation(({ ctx, input }) => renameLocation(ctx.services, ctx.access, input));
