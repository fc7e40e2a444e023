import { enqueueJob } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bulkHandlers } from "../bulk/handler.ts";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { runToEnd } from "../work/test-run.ts";

let house: House;
let first: Dealer;
let second: Dealer;
let operator: ReturnType<House["caller"]>;
beforeAll(async () => {
  house = await openHouse();
  first = await house.dealer("Harbour Cards");
  second = await house.dealer("Import Cards");
  // Somebody of neither account's.
  const { userId, name, email } = await house.person("Platform");
  operator = house.caller({
    kind: "person",
    userId,
    userName: name,
    userEmail: email,
    isOperator: true,
  });
});
afterAll(() => house.close());

async function startMove({ asOwner }: Dealer): Promise<string> {
  const { id } = await asOwner.cards.create({ title: "Serpent" });
  const job = await asOwner.bulk.start({
    selection: { ids: [id] },
    action: { type: "move", location: "A" },
  });
  return job.id;
}

async function fail(jobId: string): Promise<void> {
  await house.db.query(
    `update job set status = 'failed', finished_at = $2, error = '{"code": "no_progress", "message": "Gave up."}'
     where id = $1`,
    [toUuid(jobId), house.clock.now()],
  );
}

describe("operations.jobs", () => {
  test("200: the jobs of all accounts by page, by state, by kind and by account", async () => {
    const ids = [await startMove(first), await startMove(second), await startMove(first)];
    await fail(ids[1] ?? "");
    const installation = await house.db.transaction((tx) =>
      enqueueJob(
        tx,
        { kind: "webhook.retention", accountId: null, payload: {} },
        house.clock.now(),
      ),
    );
    const page = await operator.operations.jobs({ limit: 2 });
    expect(page.data.map(({ id }) => id)).toEqual([installation, ids[2]]);
    expect(page.data[0]?.account).toBeNull();
    const next = await operator.operations.jobs({ limit: 2, cursor: page.next_cursor ?? "" });
    expect(next).toMatchObject({ has_more: false, data: [{ id: ids[1] }, { id: ids[0] }] });
    const failed = await operator.operations.jobs({ status: ["failed"], kind: ["bulk.move"] });
    expect(failed.data).toMatchObject([
      { id: ids[1], account: { name: "Import Cards" }, error: { code: "no_progress" } },
    ]);
    const own = await operator.operations.jobs({ account_id: first.account.id });
    expect(own.data.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
    expect((await operator.operations.jobs({ account_id: "nonsense" })).data).toEqual([]);
  });

  test("400 invalid_cursor for another list's", async () => {
    const { next_cursor: cursor } = await operator.operations.jobs({ limit: 1 });
    const call = operator.operations.jobs({ status: ["failed"], cursor: cursor ?? "" });
    expect(await codeFrom(call)).toBe("invalid_cursor");
  });
});

describe("operations.job", () => {
  test("200: what became of its cards by reason, who asked for it, and no payload", async () => {
    const id = await startMove(first);
    const handler = new Map(bulkHandlers(house)).get("bulk.move");
    if (handler === undefined) throw new Error("No handler for the kind");
    await runToEnd(house, handler, id);
    const detail = await operator.operations.job({ id });
    expect(detail).toMatchObject({
      job: { status: "done", next_run_at: null },
      created_by: "Harbour Cards owner",
      outcomes: [{ outcome: "changed", code: null, count: 1 }],
    });
    expect(JSON.stringify(detail)).not.toContain("selection");
  });

  test.each(["job_01kjn2z6g0fgz9pqafd9r83gq3", "nonsense"])("404 not_found for %s", async (id) => {
    expect(await codeFrom(operator.operations.job({ id }))).toBe("not_found");
    expect(await codeFrom(operator.operations.retry({ id }))).toBe("not_found");
  });
});

describe("operations.cancel and operations.retry", () => {
  test("200: of any account, and its trail says that it was an operator", async () => {
    const id = await startMove(second);
    expect((await operator.operations.cancel({ id })).job.status).toBe("cancelled");
    expect(await codeFrom(operator.operations.cancel({ id }))).toBe("invalid_transition");
    const other = await startMove(second);
    await fail(other);
    expect((await operator.operations.retry({ id: other })).job).toMatchObject({
      status: "queued",
      error: null,
    });
    const { data } = await second.asOwner.accounts.trail({});
    expect(data.slice(0, 2)).toMatchObject([
      { action: "job.retried", actor: { kind: "operator" }, details: { subject: other } },
      { action: "job.cancelled", actor: { kind: "operator" }, details: { kind: "bulk.move" } },
    ]);
    await operator.operations.cancel({ id: other });
  });
});

test("operations.overview counts by kind: what is due, since when, and what failed", async () => {
  const url = "https://hooks.example.com/vault";
  await first.asOwner.webhooks.endpoints.create({ url });
  await first.asOwner.cards.create({ title: "Lantern" });
  house.clock.advance(60_000);
  const { kinds } = await operator.operations.overview();
  expect(kinds[0]).toMatchObject({
    kind: "webhook.delivery",
    open: 2,
    due: 2,
    running: 0,
    unrelayed: 2,
    failed_last_day: 0,
  });
  const moves = kinds.find(({ kind }) => kind === "bulk.move");
  expect(moves).toMatchObject({ open: 2, due: 2, paused: 0, failed_last_day: 1 });
  expect(Date.parse(moves?.oldest_due_at ?? "")).toBeLessThan(house.clock.now().getTime());
});

test("operations.accounts puts those with something wrong first", async () => {
  await startMove(second).then(fail);
  const { data, total } = await operator.operations.accounts();
  expect(total).toBe(2);
  expect(data).toMatchObject([
    { account: { name: "Import Cards" }, failed_jobs: 2, dropped_events: 0, is_suspended: false },
    { account: { name: "Harbour Cards" }, undelivered: 2, disabled_endpoints: 0 },
  ]);
});
