import { VaultError } from "@cardvault/contract";
import type { Job, Role } from "@cardvault/contract";
import type { JobCommand } from "@cardvault/domain";
import { listingJobKinds } from "../listings/listing-jobs.ts";
import type { Services } from "../services.ts";
import { recoverKind } from "../work/recover.ts";
import { commandJob } from "./command-job.ts";
import { jobAnswer } from "./job-answer.ts";

/** Who may begin such a job is who may end it. */
function isOwnersOnly(kind: string): boolean {
  return kind === recoverKind;
}

/** Stopped by itself it would leave a listing publishing for ever, or for sale after its last copy is gone. */
function isOfListing(kind: string): boolean {
  return (listingJobKinds as readonly string[]).includes(kind);
}

/**
 * What a person asks of a job: it is cancelled or paused between two chunks and keeps what was committed,
 * goes on, or, once it has failed, is tried again.
 * @throws VaultError `not_found`; `not_permitted`; `invalid_transition` where its state does not allow it.
 */
export async function changeOwnJob(
  services: Pick<Services, "db" | "clock">,
  { accountId, role }: { accountId: string; role: Role },
  id: string,
  command: JobCommand,
): Promise<Job> {
  const job = await commandJob(services, id, command, (_tx, found) => {
    if (found.accountId !== accountId) throw new VaultError("not_found");
    if (isOwnersOnly(found.kind) && role !== "owner") throw new VaultError("not_permitted");
    if (isOfListing(found.kind) && command.type !== "retry") {
      const message = "It is the listing that is ended, or whose publishing is cancelled.";
      throw new VaultError("invalid_transition", { message });
    }
  });
  return jobAnswer(job);
}
