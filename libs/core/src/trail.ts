import { insertTrailEntry } from "@cardvault/db";
import type { Queryable } from "@cardvault/db";
import type { Access } from "./context.ts";

/** What the trail names. The word before the dot says what the subject is. */
export type TrailAction =
  | "account.created"
  | "account.test_created"
  | "account.exported"
  | "account.settings_changed"
  | "account.limits_changed"
  | "account.provider_budget_set"
  | "account.provider_cap_set"
  | "account.suspended"
  | "account.restored"
  | "key.created"
  | "key.rotated"
  | "key.revoked"
  | "member.invited"
  | "member.invitation_withdrawn"
  | "member.joined"
  | "member.role_changed"
  | "member.removed"
  | "member.reset_link_made"
  | "member.operator_made"
  | "member.operator_ended"
  | "endpoint.created"
  | "endpoint.updated"
  | "endpoint.removed"
  | "endpoint.secret_rotated"
  | "endpoint.secret_switched"
  | "endpoint.disabled"
  | "endpoint.recovery_started"
  | "marketplace.connected"
  | "marketplace.disconnected"
  | "marketplace.revoked"
  | "marketplace.setup_changed"
  | "marketplace.location_created"
  | "job.cancelled"
  | "job.retried";

/** Writes who did what, in the transaction that does it (contract, trail). Details hold no secret. */
export async function writeTrail(
  tx: Queryable,
  access: Pick<Access, "accountId" | "actor">,
  now: Date,
  action: TrailAction,
  subjectId: string | null,
  details: Record<string, unknown> = {},
): Promise<void> {
  await insertTrailEntry(tx, access.accountId, {
    actorKind: access.actor.kind,
    actorId: access.actor.id,
    action,
    subjectId,
    details,
    createdAt: now,
  });
}
