import { randomUUID } from "node:crypto";
import { idempotencyKeepSeconds, VaultError } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import type { Database, Queryable, Transaction } from "../connection/database.ts";

/** One request with an `Idempotency-Key`; the key counts within account, method and path. */
export interface IdempotentRequest {
  accountId: string;
  method: string;
  path: string;
  key: string;
  /** SHA-256 of the body, by which another body under the same key is told. */
  requestHash: Buffer;
}

/** The first answer, which a repeat is given byte for byte. */
export interface IdempotentAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A key that one attempt holds until its deadline. After it another request may take it over. */
export interface IdempotencyReservation extends Omit<IdempotentRequest, "requestHash"> {
  owner: string;
}

export type IdempotencyOutcome =
  | { kind: "reserved"; reservation: IdempotencyReservation }
  | { kind: "stored"; answer: IdempotentAnswer }
  | { kind: "reused" }
  | { kind: "running"; retryAfterSeconds: number };

/** How long a request may run before another takes its key: longer than any request is let run. */
const holdSeconds = 60;

interface RecordRow {
  owner: string;
  request_hash: Buffer;
  deadline_at: Date;
  response_status: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
}

/**
 * Reservations and answers of requests with an `Idempotency-Key`. A reservation is committed before
 * its change begins, and the answer in the change's own transaction: a crash leaves both or neither.
 */
export function createIdempotencyStore(db: Database) {
  return {
    reserve: (request: IdempotentRequest, now: Date): Promise<IdempotencyOutcome> =>
      reserve(db, request, now),
    /** @throws VaultError `idempotency_in_progress` where another request has taken the key over. */
    recordIn: (
      tx: Transaction,
      reservation: IdempotencyReservation,
      answer: IdempotentAnswer,
    ): Promise<void> => record(tx, reservation, answer),
    /** Stores the answer of a request that changed nothing. */
    complete: (reservation: IdempotencyReservation, answer: IdempotentAnswer): Promise<void> =>
      record(db, reservation, answer),
    /** Forgets a reservation that has no answer: a repeat may fare better. */
    async release(reservation: IdempotencyReservation): Promise<void> {
      await db.query(
        `delete from idempotency_record where account_id = $1 and method = $2 and path = $3
           and key = $4 and owner = $5 and response_status is null`,
        reservationValues(reservation),
        "release_idempotency",
      );
    },
  };
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

/** Removes what is older than 24 hours. Returns how many records went. */
export async function sweepIdempotency(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(
    `delete from idempotency_record where created_at <= $1 returning 1`,
    [expiredBefore(now)],
    "sweep_idempotency",
  );
  return rows.length;
}

function expiredBefore(now: Date): Date {
  return new Date(now.getTime() - idempotencyKeepSeconds * 1_000);
}

/**
 * Takes the key where it is free: never used, expired, or held past its deadline by an attempt of the
 * same body that has no answer. One statement decides, so two requests at once never both hold it.
 */
async function reserve(
  db: Database,
  request: IdempotentRequest,
  now: Date,
): Promise<IdempotencyOutcome> {
  const { requestHash, ...place } = request;
  const reservation = { ...place, owner: randomUUID() };
  const values = [
    ...reservationValues(reservation),
    requestHash,
    new Date(now.getTime() + holdSeconds * 1_000),
    now,
    expiredBefore(now),
  ];
  const [taken] = await db.query(
    `insert into idempotency_record as r
       (account_id, method, path, key, owner, request_hash, deadline_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (account_id, method, path, key) do update
       set owner = excluded.owner, request_hash = excluded.request_hash,
         deadline_at = excluded.deadline_at, created_at = excluded.created_at,
         response_status = null, response_headers = null, response_body = null
       where r.created_at <= $9
         or (r.response_status is null and r.deadline_at <= $8 and r.request_hash = $6)
     returning 1`,
    values,
    "reserve_idempotency",
  );
  if (taken !== undefined) return { kind: "reserved", reservation };
  const [row] = await db.query<RecordRow>(
    `select owner, request_hash, deadline_at, response_status, response_headers, response_body
     from idempotency_record where account_id = $1 and method = $2 and path = $3 and key = $4`,
    values.slice(0, 4),
    "read_idempotency",
  );
  // Released between the two statements: the client is told to come again at once.
  if (row === undefined) return { kind: "running", retryAfterSeconds: 1 };
  if (!row.request_hash.equals(requestHash)) return { kind: "reused" };
  if (row.response_status === null) {
    const leftMs = row.deadline_at.getTime() - now.getTime();
    return { kind: "running", retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) };
  }
  return {
    kind: "stored",
    answer: {
      status: row.response_status,
      headers: row.response_headers ?? {},
      body: row.response_body ?? "",
    },
  };
}

async function record(
  db: Queryable,
  reservation: IdempotencyReservation,
  answer: IdempotentAnswer,
): Promise<void> {
  const rows = await db.query(
    `update idempotency_record set response_status = $6, response_headers = $7, response_body = $8
     where account_id = $1 and method = $2 and path = $3 and key = $4 and owner = $5
       and response_status is null
     returning 1`,
    [...reservationValues(reservation), answer.status, JSON.stringify(answer.headers), answer.body],
    "record_idempotency",
  );
  if (rows.length === 0) throw new VaultError("idempotency_in_progress", { retryAfterSeconds: 1 });
}

function reservationValues(reservation: IdempotencyReservation): unknown[] {
  const { accountId, method, path, key, owner } = reservation;
  return [toUuid(accountId), method, path, key, owner];
}
