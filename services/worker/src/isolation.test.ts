import { toUuid } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import { spawnWorker } from "./fixtures.ts";
import { setUp, slowReceiver, testIsolation, undelivered } from "./isolation-fixtures.ts";

// Those with the queue in MongoDB stand in the test of crashes: the server that all tests share is a
// slow one, and two files that load it at once would wait for each other.
describe("with the queue in postgres", () => {
  testIsolation("postgres");
});

/** Of an account so many deliveries may stand in the queue before another's. */
const mostBefore = 150;

test("ten thousand due for one endpoint: of them no more than stand in the queue go before another account's event", async () => {
  const installation = await setUp("postgres", 0);
  const { db } = installation;
  const slow = await slowReceiver(500);
  await installation.addEndpoint(slow.url);
  await installation.emit(1);
  await db.query(
    `with event as (
       insert into webhook_event (id, account_id, type, subject_id, body, created_at)
       select uuidv7(), account_id, type, subject_id, body, now() from webhook_event, generate_series(1, 10000)
       returning id, account_id)
     insert into webhook_delivery (account_id, event_id, endpoint_id, next_attempt_at, deadline_at, created_at)
     select event.account_id, event.id, e.id, now(), now() + interval '48 hours', now() from event, webhook_endpoint e`,
  );
  const worker = await spawnWorker(installation.config);
  onTestFinished(() => worker.kill());
  await waitFor(() => slow.most() > 0);
  const other = await startReceiver();
  onTestFinished(() => other.stop());
  const neighbour = await installation.addAccount();
  await neighbour.addEndpoint(other.url);
  const ended = async (): Promise<number> => {
    const [row] = await db.query<{ ended: number }>(
      "select count(*) as ended from webhook_attempt where account_id = $1",
      [toUuid(installation.accountId)],
    );
    return row?.ended ?? 0;
  };
  for (let event = 1; event <= 10; event += 1) {
    const before = await ended();
    await neighbour.emit(1);
    await other.waitFor(event, { deadlineMs: 60_000 });
    expect((await ended()) - before).toBeLessThanOrEqual(mostBefore);
  }
  expect((await db.query(`${undelivered} limit 5000`)).length).toBe(5_000);
}, 120_000);
