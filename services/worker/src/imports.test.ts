import { waitFor } from "@cardvault/testkit";
import { changeJob } from "@cardvault/db";
import { toId, toUuid } from "@cardvault/kit";
import { expect, onTestFinished, test } from "vitest";
import { createInstallation, spawnWorker } from "./fixtures.ts";
import { stageImport } from "./import-fixtures.ts";

const rows = 6_000;
const kills = 3;

test("an import whose workers are killed three times: no card twice, none missing, every event once", async () => {
  const installation = await createInstallation("postgres");
  onTestFinished(() => installation.remove());
  const { db, config } = installation;
  const work = async () => {
    const worker = await spawnWorker(config);
    onTestFinished(() => worker.kill());
    return worker;
  };
  const staged = await stageImport(installation, rows);
  onTestFinished(() => staged.close());
  let worker = await work();
  await waitFor(async () => (await staged.read()).status === "checked", { deadlineMs: 60_000 });
  expect((await staged.read()).verdicts).toMatchObject({ valid: rows });

  await staged.start();
  for (let kill = 1; kill <= kills; kill += 1) {
    // Somewhere on the way, in the middle of whatever it is doing.
    const until = (rows * kill) / (kills + 2);
    await waitFor(async () => ((await staged.read()).outcomes.created ?? 0) > until, {
      deadlineMs: 120_000,
    });
    await worker.kill();
    expect((await staged.read()).status).toBe("importing");
    worker = await work();
  }
  await waitFor(async () => (await staged.read()).status === "imported", { deadlineMs: 120_000 });

  const account = toUuid(staged.accountId);
  const [made] = await db.query(
    `select count(*) as cards, count(distinct title) as titles, count(distinct sku) as skus, sum(quantity) as copies
     from card where account_id = $1`,
    [account],
  );
  expect(made).toEqual({ cards: rows, titles: rows, skus: rows, copies: rows * 2 });
  const events = await db.query(
    "select type, count(*) as events, count(distinct subject_id) as cards from webhook_event where account_id = $1 group by type order by type",
    [account],
  );
  expect(events).toEqual([
    { type: "card.identified", events: rows, cards: rows },
    { type: "card.priced", events: rows, cards: rows },
    { type: "card.workflow_status_changed", events: rows * 2, cards: rows },
  ]);
  expect((await staged.read()).outcomes).toEqual({ created: rows });
  const [job] = await db.query<{ id: string; progress: unknown }>(
    "select id, progress from job where kind = 'import.commit'",
  );
  expect(job?.progress).toMatchObject({ total: rows, done: rows, changed: rows, failed: 0 });
  // Ended: nothing more can happen to it.
  const ended = db.transaction((tx) =>
    changeJob(tx, {
      jobId: toId("job", job?.id ?? ""),
      command: { type: "cancel" },
      now: new Date(),
    }),
  );
  await expect(ended).rejects.toMatchObject({ code: "invalid_transition" });
}, 300_000);
