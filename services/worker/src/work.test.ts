import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createHousekeeping } from "@cardvault/core";
import { enqueueJob, insertMember, insertPerson, workChannel } from "@cardvault/db";
import { systemClock, toId, toUuid } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { createInstallation, silent, spawnWorker } from "./fixtures.ts";
import type { Installation } from "./fixtures.ts";
import { startWorker } from "./worker.ts";

async function setUp(): Promise<Installation> {
  const installation = await createInstallation("postgres");
  onTestFinished(() => installation.remove());
  return installation;
}

async function accountOf({ db }: Installation): Promise<string> {
  const [account] = await db.query<{ id: string }>("select id from account");
  return toId("acc", account?.id ?? "");
}

/** A mail server that keeps what it is sent. */
async function startMailServer() {
  const mails: { to: string[]; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, session, done) {
      text(stream).then(
        (raw) => {
          mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
          done();
        },
        (error: unknown) => done(error as Error),
      );
    },
  });
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { mails, url: `smtp://127.0.0.1:${port}` };
}

test("a notice is mailed to the account's owners by the configured server", async () => {
  const installation = await setUp();
  const { db, config } = installation;
  const server = await startMailServer();
  const accountId = await accountOf(installation);
  const email = "owner@example.com";
  const userId = "robin";
  const person = { userId, name: "Robin", email, passwordHash: "-" };
  await insertPerson(db, { ...person, createdAt: new Date() });
  await insertMember(db, accountId, { userId, role: "owner", createdAt: new Date() });
  const { id } = await installation.addEndpoint("https://hooks.example.com/vault");
  await db.query(
    "update webhook_endpoint set enabled = false, disabled_reason = 'gone', disabled_at = now() where id = $1",
    [toUuid(id)],
  );
  const worker = await startWorker(
    { ...config, metricsPort: undefined, smtpUrl: server.url, mailFrom: "vault@example.com" },
    { logger: silent },
  );
  onTestFinished(() => worker.stop());
  const parts = { db, clock: systemClock, logger: silent };
  await createHousekeeping({ ...parts, sendsMail: true }).once();
  const [mail] = await waitFor(() => server.mails.length > 0 && server.mails);
  expect(mail?.to).toEqual([email]);
  expect(mail?.raw).toContain("From: vault@example.com");
  expect(mail?.raw).toContain("Subject: A webhook endpoint has been disabled: Shop");
  await waitFor(async () => {
    const jobs = await db.query<{ status: string }>(
      "select status from job where kind = 'notice.mail'",
    );
    return jobs.length === 1 && jobs[0]?.status === "done";
  });
  expect(server.mails).toHaveLength(1);
});

test("a recovery survives the worker that is killed in it: every dropped event arrives", async () => {
  const installation = await setUp();
  const { db, config } = installation;
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const { id: endpointId } = await installation.addEndpoint(receiver.url);
  const events = await installation.emit(900);
  await db.query(
    `update webhook_delivery set status = 'dropped', drop_reason = 'deadline', attempts = 7,
       next_attempt_at = null, finished_at = now()`,
  );
  const accountId = await accountOf(installation);
  const until = new Date(Date.now() + 60_000).toISOString();
  const since = "2020-01-01T00:00:00.000Z";
  const payload = { endpoint_id: endpointId, since, until, include: "failed" };
  const jobRow = { kind: "webhook.recover", accountId, payload, subjectId: endpointId };
  await enqueueJob(db, jobRow, new Date());
  db.notify(workChannel);

  const first = await spawnWorker(config);
  onTestFinished(() => first.kill());
  await waitFor(async () => {
    const made = await db.query("select 1 from webhook_delivery where generation = 2 limit 1");
    return made.length > 0;
  });
  await first.kill();
  const second = await spawnWorker(config);
  onTestFinished(() => second.kill());
  await waitFor(
    async () => {
      const [row] = await db.query<{ delivered: number }>(
        "select count(*) as delivered from webhook_delivery where generation = 2 and status = 'delivered'",
      );
      return row?.delivered === events.length;
    },
    { deadlineMs: 60_000 },
  );
  const [job] = await db.query<{ status: string; progress: object }>(
    "select status, progress from job where kind = 'webhook.recover'",
  );
  expect(job).toMatchObject({ status: "done", progress: { done: 900, changed: 900 } });
  const arrived = new Set(receiver.requests.map(({ headers }) => headers["webhook-id"]));
  expect(arrived).toEqual(new Set(events));
}, 90_000);
