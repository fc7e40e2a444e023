/**
 * Of each endpoint at most so many due deliveries are in the queue. The others wait in PostgreSQL, so
 * that a flood at one endpoint leaves the lanes that it shares to others; they follow within moments.
 */
const perEndpoint = 50;
/** An account with many such endpoints has at most this, but for a few of each. */
const perAccount = 150;
const fewest = 10;
/** Relayed of one endpoint by one statement: another's first comes before this one's many. */
export const mostAtOnce = 25;
/** Two: the probe, and one more in case that it is gone. */
const probes = 2;

const unrelayed = "(enqueued_at is null)::int = 1 and status in ('pending', 'retrying')";
const isFree = "(relay_until is null or relay_until <= $1)";

/**
 * Ids of deliveries to be relayed, and whether there are `more` that only wait for room. `$1` is now, and
 * `$3` until when a retry must be due to be put into the queue. Deliveries that are due later, and
 * stand outside the queue, were taken out of it: their endpoint has many.
 * It goes from endpoint to endpoint by the index, however many wait at each.
 */
export function deliveryWindow(batchSize: number): string {
  return `with recursive endpoint (id) as (
    (select endpoint_id from webhook_delivery where ${unrelayed} order by endpoint_id limit 1)
    union all
    select (select endpoint_id from webhook_delivery where ${unrelayed} and endpoint_id > endpoint.id
      order by endpoint_id limit 1)
    from endpoint where endpoint.id is not null
  ), fair as (
    select e.id, h.phase, h.probe_at,
      least(${perEndpoint}, greatest(${fewest}, ${perAccount} / count(*) over (partition by e.account_id))) as most
    from endpoint join webhook_endpoint e on e.id = endpoint.id
      left join webhook_endpoint_health h on h.endpoint_id = e.id
  ), room as materialized (
    select id, least(${mostAtOnce}, greatest(0,
        case when coalesce(phase, 'closed') = 'closed' then most when probe_at <= $1 then ${probes} else 0 end
        - (select count(*) from (select 1 from webhook_delivery where endpoint_id = fair.id and (enqueued_at is null)::int = 0
            and status in ('pending', 'retrying') and next_attempt_at <= $1 limit ${perEndpoint}) as queued)
        - (select count(*) from (select relay_until from webhook_delivery where endpoint_id = fair.id and ${unrelayed}
            order by next_attempt_at, id limit ${perEndpoint * 2}) as first where relay_until > $1))) as places,
      coalesce(phase, 'closed') = 'closed' as is_closed
    from fair
  ), next as materialized (
    select due.id from room cross join lateral (
      select id from webhook_delivery where endpoint_id = room.id and ${unrelayed} and ${isFree} and next_attempt_at <= $3
      order by next_attempt_at, id limit room.places for update skip locked) as due
    limit ${batchSize}
  )`;
}

/** Whether an endpoint has due deliveries beyond its room. */
export const hasMore = `exists (
  select 1 from room where is_closed and exists (
    select 1 from webhook_delivery where endpoint_id = room.id and ${unrelayed} and ${isFree} and next_attempt_at <= $1
    order by next_attempt_at, id offset room.places limit 1))`;
