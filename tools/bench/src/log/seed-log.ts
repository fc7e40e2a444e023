import { toUuid } from "@cardvault/kit";
import { withClient } from "../stack/with-client.ts";

export interface SeedLogOptions {
  readonly databaseUrl: string;
  readonly accountId: string;
  readonly endpointIds: readonly string[];
  /** About so many. */
  readonly attempts: number;
  /** They lie within so many days until now. */
  readonly days: number;
}

/** Nine of ten deliveries succeed at once, most others at the second attempt, and a few are dropped. */
const attemptsPerDelivery = 1.125;

// Everything goes by remainders of the number, so that every run has the same log but for its times.
// The later, the higher the number; endpoints 0 and 10 are those that fail.
const rowsStatement = `
create temp table bench_log as
select n, uuidv7(at - now()) as event_id, uuidv7(at - now()) as delivery_id, at,
  ($3::uuid[])[1 + n % array_length($3::uuid[], 1)] as endpoint_id,
  case when n % 5000 = 0 then 'batch.completed' when n % 3 = 0 then 'card.priced' else 'card.workflow_status_changed' end as type,
  case when n % 200 = 0 then 7 when n % 10 = 0 then 2 else 1 end as attempts
from (select n, date_trunc('milliseconds', now() - ($1 - n) * ($2 * interval '1 day' / $1)) as at
  from generate_series(1, $1::int) n) numbered`;

const eventStatement = `
insert into webhook_event (id, account_id, type, body, created_at)
select event_id, $1, type, json_build_object('id', event_id, 'event', type, 'filling', repeat('x', 300)), at
from bench_log order by n`;

const deliveryStatement = `
insert into webhook_delivery (id, account_id, event_id, endpoint_id, status, drop_reason, deadline_at, created_at,
  finished_at, attempts, enqueued_at, last_status_code)
select delivery_id, $1, event_id, endpoint_id, case when attempts = 7 then 'dropped' else 'delivered' end,
  case when attempts = 7 then 'attempts_exhausted' end, at + interval '48 hours', at, at + interval '1 s', attempts, at,
  case when attempts = 7 then 503 else 204 end
from bench_log order by n`;

// What fails gets no answer, one of the receiver's fault, or one of ours; some of these are rare.
const attemptStatement = `
insert into webhook_attempt (id, account_id, delivery_id, endpoint_id, number, started_at, status_code, error_code,
  connect_ms, first_byte_ms, total_ms, response_headers, response_body, event_type)
select uuidv7(started_at - now()), $1, delivery_id, endpoint_id, number, started_at,
  case when number = attempts and attempts < 7 then 204 when n % 30 = 0 then null when n % 7000 = 0 then 404 else 503 end,
  case when number = attempts and attempts < 7 then null when n % 9000 = 0 then 'tls' when n % 30 = 0 then 'timeout' end,
  1, 12, 14, '{"content-type": "text/plain", "server": "bench"}', 'accepted', type
from (select *, at + (number - 1) * interval '30 s' as started_at
  from bench_log cross join lateral generate_series(1, attempts) number) tried order by started_at`;

/** Fills an account's log straight into the tables. Answers how many attempts there are. */
export async function seedLog(options: SeedLogOptions): Promise<number> {
  const { databaseUrl, accountId, endpointIds, attempts, days } = options;
  const account = toUuid(accountId, "acc");
  const deliveries = Math.ceil(attempts / attemptsPerDelivery);
  return withClient(databaseUrl, async (client) => {
    const endpoints = endpointIds.map((id) => toUuid(id, "whe"));
    await client.query(rowsStatement, [deliveries, days, endpoints]);
    for (const statement of [eventStatement, deliveryStatement, attemptStatement]) {
      await client.query(statement, [account]);
    }
    await client.query("drop table bench_log");
    await client.query("vacuum analyze");
    await client.query("checkpoint");
    const { rows } = await client.query<{ count: string }>("select count(*) from webhook_attempt");
    return Number(rows[0]?.count);
  });
}
