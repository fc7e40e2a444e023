import type { Delivery, DeliveryAttempt, DeliveryStatus, DropReason } from "@cardvault/contract";
import { expectedDrop } from "@cardvault/domain";
import { toId } from "@cardvault/kit";

/** Of the aliases `d`, the delivery, and `w`, its endpoint. */
export const deliveryColumns = `d.id, d.event_id, d.endpoint_id, w.url, d.generation, d.status,
  d.drop_reason, d.attempts, d.next_attempt_at, d.deadline_at, d.created_at, d.finished_at,
  d.dismissed_at`;

export interface DeliveryRow {
  id: string;
  event_id: string;
  endpoint_id: string;
  url: string;
  generation: number;
  status: DeliveryStatus;
  drop_reason: DropReason | null;
  attempts: number;
  next_attempt_at: Date | null;
  deadline_at: Date;
  created_at: Date;
  finished_at: Date | null;
  dismissed_at: Date | null;
}

export interface AttemptResultRow {
  started_at: Date;
  status_code: number | null;
  error_code: string | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  total_ms: number;
}

export interface AttemptRow extends AttemptResultRow {
  delivery_id: string;
  number: number;
  response_headers: Record<string, string> | null;
  response_body: Buffer | null;
  response_truncated: boolean;
}

/** What an account sees of a delivery. */
export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: toId("dlv", row.id),
    event_id: toId("evt", row.event_id),
    endpoint_id: toId("whe", row.endpoint_id),
    endpoint_url: row.url,
    generation: row.generation,
    status: row.status,
    drop_reason: row.drop_reason,
    attempt_count: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    drops_at:
      row.next_attempt_at === null
        ? null
        : expectedDrop(row.attempts, row.next_attempt_at, row.deadline_at).toISOString(),
    ended_at: row.finished_at?.toISOString() ?? null,
    dismissed_at: row.dismissed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** When and how an attempt went: what every list of attempts shows. */
export function toAttemptResult(row: AttemptResultRow) {
  const whole = (milliseconds: number | null): number | null =>
    milliseconds === null ? null : Math.round(milliseconds);
  return {
    started_at: row.started_at.toISOString(),
    delivered: row.status_code !== null && row.status_code >= 200 && row.status_code <= 299,
    status_code: row.status_code,
    error: row.error_code,
    dns_ms: whole(row.dns_ms),
    connect_ms: whole(row.connect_ms),
    tls_ms: whole(row.tls_ms),
    first_byte_ms: whole(row.first_byte_ms),
    total_ms: Math.round(row.total_ms),
  };
}

/** What an account sees of an attempt. What is no UTF-8 in the answer is shown as well as can be. */
export function toAttempt(row: AttemptRow): DeliveryAttempt {
  return {
    number: row.number,
    ...toAttemptResult(row),
    response_headers: row.response_headers,
    response_body: row.response_body?.toString("utf8") ?? null,
    response_truncated: row.response_truncated,
  };
}
