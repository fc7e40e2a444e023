import { eventTypes } from "@cardvault/contract";
import type { EventType, WebhookEndpoint } from "@cardvault/contract";
import { toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";

/** An endpoint as it is stored. The secrets are sealed, the endpoint's id their associated data. */
export interface StoredEndpoint {
  id: string;
  url: string;
  description: string | null;
  events: readonly EventType[];
  enabled: boolean;
  disabledReason: WebhookEndpoint["disabled_reason"];
  disabledAt: Date | null;
  sealedSecret: string;
  sealedNextSecret: string | null;
  secretSwitchAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const columns = `id, url, description, event_types as events, enabled,
  disabled_reason as "disabledReason", disabled_at as "disabledAt", secret as "sealedSecret",
  next_secret as "sealedNextSecret", secret_switch_at as "secretSwitchAt",
  created_at as "createdAt", updated_at as "updatedAt"`;

type Row = Omit<StoredEndpoint, "events"> & { events: EventType[] | null };

function endpointFrom(row: Row): StoredEndpoint {
  return { ...row, id: toId("whe", row.id), events: row.events ?? eventTypes };
}

/** The endpoints of an account that are not removed, the first made first. */
export async function listEndpoints(db: Queryable, accountId: string): Promise<StoredEndpoint[]> {
  const rows = await db.query<Row>(
    `select ${columns} from webhook_endpoint where account_id = $1 and deleted_at is null
     order by created_at, id`,
    [toUuid(accountId)],
  );
  return rows.map(endpointFrom);
}

/** Null where the account has no such endpoint, or it is removed. */
export async function findEndpoint(
  db: Queryable,
  accountId: string,
  endpointId: string,
): Promise<StoredEndpoint | null> {
  return find(db, accountId, endpointId, "");
}

/** As {@link findEndpoint}, and locked until the transaction ends. */
export async function lockEndpoint(
  tx: Queryable,
  accountId: string,
  endpointId: string,
): Promise<StoredEndpoint | null> {
  return find(tx, accountId, endpointId, "for update");
}

async function find(
  db: Queryable,
  accountId: string,
  endpointId: string,
  lock: "" | "for update",
): Promise<StoredEndpoint | null> {
  const [row] = await db.query<Row>(
    `select ${columns} from webhook_endpoint
     where account_id = $1 and id = $2 and deleted_at is null ${lock}`,
    [toUuid(accountId), toUuid(endpointId)],
  );
  return row === undefined ? null : endpointFrom(row);
}

export async function insertEndpoint(
  tx: Queryable,
  accountId: string,
  endpoint: StoredEndpoint,
): Promise<void> {
  await tx.query(
    `insert into webhook_endpoint (account_id, id, url, description, event_types, enabled,
       disabled_reason, disabled_at, secret, next_secret, secret_switch_at, updated_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [...valuesOf(accountId, endpoint), endpoint.createdAt],
  );
}

/** Writes everything but when it was made. */
export async function writeEndpoint(
  tx: Queryable,
  accountId: string,
  endpoint: StoredEndpoint,
): Promise<void> {
  await tx.query(
    `update webhook_endpoint set url = $3, description = $4, event_types = $5, enabled = $6,
       disabled_reason = $7, disabled_at = $8, secret = $9, next_secret = $10,
       secret_switch_at = $11, updated_at = $12
     where account_id = $1 and id = $2`,
    valuesOf(accountId, endpoint),
  );
}

function valuesOf(accountId: string, endpoint: StoredEndpoint): unknown[] {
  return [
    toUuid(accountId),
    toUuid(endpoint.id),
    endpoint.url,
    endpoint.description,
    // Null is all of them, also those that are not there yet.
    endpoint.events.length === eventTypes.length ? null : endpoint.events,
    endpoint.enabled,
    endpoint.disabledReason,
    endpoint.disabledAt,
    endpoint.sealedSecret,
    endpoint.sealedNextSecret,
    endpoint.secretSwitchAt,
    endpoint.updatedAt,
  ];
}

/** Removes an endpoint; its row stays for the log of its deliveries. */
export async function markEndpointRemoved(
  tx: Queryable,
  accountId: string,
  endpointId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `update webhook_endpoint set deleted_at = $3, enabled = false, updated_at = $3
     where account_id = $1 and id = $2`,
    [toUuid(accountId), toUuid(endpointId), now],
  );
}
