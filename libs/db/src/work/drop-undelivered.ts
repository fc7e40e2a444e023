import { toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/**
 * Drops what is still to be delivered to an endpoint that was disabled or removed, visibly and with
 * that reason. An attempt in flight is left to end: it may yet deliver, and its failure is dropped
 * once it is recorded. What a transaction in flight adds a moment later is dropped when it is claimed.
 * @returns how many were dropped
 */
export async function dropUndelivered(
  tx: Queryable,
  endpointId: string,
  reason: "endpoint_disabled" | "endpoint_removed",
  now: Date,
): Promise<number> {
  const [row] = await tx.query<{ dropped: number }>(
    `with dropped as (
       update webhook_delivery set status = 'dropped', drop_reason = $2, finished_at = $3, next_attempt_at = null,
         lease_token = null, lease_until = null
       where endpoint_id = $1 and status in ('pending', 'retrying') and (lease_until is null or lease_until <= $3)
       returning 1
     ) select count(*) as dropped from dropped`,
    [toUuid(endpointId, "whe"), reason, now],
    "delivery-drop-of-endpoint",
  );
  return row?.dropped ?? 0;
}
