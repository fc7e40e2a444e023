import { newId, toUuid } from "@cardvault/kit";
import { withClient } from "../stack/with-client.ts";
import type { House, HouseAccount } from "./house.ts";
import type { PaceSettings } from "./producer.ts";

const rowsPerStatement = 5_000;

const statement = `
with event as (
  insert into webhook_event (id, account_id, type, subject_id, body, created_at)
  select n.id, s.account_id, s.type, s.subject_id, replace(s.body, $3, n.text_id), s.created_at
  from unnest($1::uuid[], $2::text[]) as n (id, text_id), webhook_event s where s.id = $4
  returning id, account_id
)
insert into webhook_delivery (account_id, event_id, endpoint_id, next_attempt_at, deadline_at, created_at)
select event.account_id, event.id, e.id, now(), now() + interval '48 hours', now()
from event join webhook_endpoint e on e.account_id = event.account_id`;

/**
 * As many deliveries that are due, to the one endpoint of each of these accounts, as if that many
 * changes had been made while no worker ran. No worker may run meanwhile.
 */
export async function seedDue(
  house: House,
  accounts: readonly HouseAccount[],
  count: number,
): Promise<void> {
  // A change of each account gives the body that the others are copies of, but for their ids.
  await house.producer.ask("accounts", accounts);
  const each: PaceSettings = { perSecond: accounts.length, seconds: 1 };
  await house.producer.ask("pace", each);
  await withClient(house.stack.databaseUrl, async (client) => {
    for (const [index, { accountId }] of accounts.entries()) {
      const { rows } = await client.query<{ id: string; body: string }>(
        "select id, body from webhook_event where account_id = $1 order by id desc limit 1",
        [toUuid(accountId, "acc")],
      );
      const [sample] = rows;
      if (sample === undefined) throw new Error("A change made no event");
      const { id: sampleId } = JSON.parse(sample.body) as { id: string };
      const share = Math.floor(count / accounts.length) + (index < count % accounts.length ? 1 : 0);
      for (let left = share - 1; left > 0; left -= rowsPerStatement) {
        const ids = Array.from({ length: Math.min(left, rowsPerStatement) }, () => newId("evt"));
        await client.query(statement, [ids.map((id) => toUuid(id)), ids, sampleId, sample.id]);
      }
    }
    await client.query("vacuum analyze webhook_event, webhook_delivery");
    await client.query("checkpoint");
  });
}
