import { accountHeader } from "@cardvault/contract";
import type { Card, IdentifyAnswer, Job, UploadAnswer } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { quietPort } from "./ports.ts";
import { Program } from "./program.ts";
import { stepsOf, verified } from "./received.ts";
import { openShop } from "./shop.ts";
import type { Shop } from "./shop.ts";
import { openStack } from "./stack.ts";
import type { Stack, TestEnd } from "./stack.ts";

interface Sandbox {
  readonly stack: Stack;
  readonly shop: Shop;
  readonly session: Awaited<ReturnType<Shop["signIn"]>>;
  readonly secret: string;
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
  /** A card with a sample photo as its front, by the outcome that the simulators give it. */
  card(outcome: string): Promise<Card>;
  /** What the simulated image recognition does wrong for this shop. */
  fault(fault: object | null): Promise<void>;
}

/** api, worker and the simulated providers, a process each, and a shop whose receiver gets all events. */
async function openSandbox(end: TestEnd): Promise<Sandbox> {
  const sandboxUrl = `http://127.0.0.1:${await quietPort()}`;
  const environment = { SANDBOX_URL: sandboxUrl };
  const stack = await openStack(end, { store: "postgres", environment });
  const sandbox = new Program({
    file: "services/sandbox/src/main.ts",
    environment: { ...stack.environment, SANDBOX_PORT: new URL(sandboxUrl).port },
    readyUrl: `${sandboxUrl}/readyz`,
  });
  end.onTestFinished(async () => void (await sandbox.stop()));
  await Promise.all([stack.api.start(), stack.worker.start(), sandbox.start()]);
  const receiver = await startReceiver();
  end.onTestFinished(() => receiver.stop());
  const shop = await openShop(stack);
  const session = await shop.signIn();
  const { secret } = await shop.receive(receiver.url);
  return {
    stack,
    shop,
    session,
    secret,
    receiver,
    async card(outcome) {
      const photo = await fetch(`${sandboxUrl}/control/photos/${outcome}.jpg`);
      const form = new FormData();
      form.append("file", await photo.blob(), "front.jpg");
      const uploaded = await fetch(`${stack.url}/photos`, {
        method: "POST",
        headers: {
          cookie: session.cookie,
          origin: stack.publicUrl,
          [accountHeader]: shop.accountId,
        },
        body: form,
      });
      const { files } = (await uploaded.json()) as UploadAnswer;
      const [card] = await session.createCards([{}]);
      const attached = await session.call("photos.attach", {
        card_id: card?.id,
        photos: [{ photo_id: files[0]?.photo?.id, side: "front" }],
      });
      return attached.body.result?.data as Card;
    },
    async fault(fault) {
      const control = `${sandboxUrl}/control/faults`;
      const answer =
        fault === null
          ? await fetch(control, { method: "DELETE" })
          : await fetch(control, {
              method: "POST",
              body: JSON.stringify({ protocol: "cardsight", key: shop.accountId, ...fault }),
            });
      expect(answer.status).toBe(200);
    },
  };
}

const identify = ({ shop }: Sandbox, card: Card) =>
  shop.call<IdentifyAnswer>("POST", "/identify", { card_id: card.id });
const read = async ({ shop }: Sandbox, { id }: Card): Promise<Card> =>
  (await shop.call<Card>("GET", `/cards/${id}`)).body;

/** How often each card was identified, by the events that were written of it. */
async function timesIdentified({ stack }: Sandbox, cards: readonly Card[]): Promise<number[]> {
  const rows = await stack.services.db.query<{ events: number }>(
    `select count(e.id)::int as events from unnest($1::uuid[]) with ordinality as c (id, place)
     left join webhook_event e on e.subject_id = c.id and e.type = 'card.identified'
     group by c.id, c.place order by c.place`,
    [cards.map(({ id }) => toUuid(id, "card"))],
  );
  return rows.map(({ events }) => events);
}

/** Identifications that are under way, as they stand in the database. */
async function underWay({ stack }: Sandbox): Promise<number> {
  const rows = await stack.services.db.query(
    "select 1 from identification where status = 'running'",
  );
  return rows.length;
}

test("applied, review, both failed: answered to a token, written, and told to a receiver", async (context) => {
  const sandbox = await openSandbox(context);
  const applied = await sandbox.card("applied");
  const review = await sandbox.card("low_confidence");
  const failed = await sandbox.card("both_failed");

  const sure = await identify(sandbox, applied);
  expect([sure.status, sure.body.identified]).toEqual([200, true]);
  const { title, set, number } = sure.body.identification ?? {};
  expect(await read(sandbox, applied)).toMatchObject({
    status: "identified",
    workflow_status: "identified",
    identified_by: "image_recognition",
    title,
    set,
    number,
  });

  const unsure = await identify(sandbox, review);
  expect([unsure.status, unsure.body.identified]).toEqual([200, false]);
  expect(unsure.body.candidates.length).toBeGreaterThan(0);
  expect(await read(sandbox, review)).toMatchObject({
    status: "imported",
    needs_review: true,
    review_reason: "low_confidence",
  });

  const none = await identify(sandbox, failed);
  expect([none.status, none.body]).toMatchObject([
    422,
    { error: { code: "identification_failed" } },
  ]);
  expect(await read(sandbox, failed)).toMatchObject({
    status: "imported",
    needs_review: true,
    review_reason: "providers_failed",
  });

  const received = verified(await sandbox.receiver.waitFor(3), sandbox.secret);
  expect(stepsOf(received, applied.id)).toEqual([
    { event: "card.identified", title, set, number },
    { event: "card.workflow_status_changed", from: "imported", to: "identified" },
  ]);
  expect(stepsOf(received, failed.id)).toEqual([
    {
      event: "identify.failed",
      photo_url: null,
      attempts: [
        // The local recogniser, and the simulated one.
        { provider: "image_recognition", reason: "no_match" },
        { provider: "image_recognition", reason: "no_match" },
        { provider: "generative_ai", reason: "no_match" },
      ],
    },
  ]);
  expect(stepsOf(received, review.id)).toEqual([]);
}, 120_000);

test("api killed while a provider is asked: the card is as it was, and free once the lease is over", async (context) => {
  const sandbox = await openSandbox(context);
  const { stack } = sandbox;
  const card = await sandbox.card("applied");
  await sandbox.fault({ fault: "slow", delay_ms: 60_000 });
  const cutOff = identify(sandbox, card).then(
    ({ status }) => status,
    () => "cut off",
  );
  await waitFor(async () => (await underWay(sandbox)) === 1);
  await stack.api.kill();
  expect(await cutOff).toBe("cut off");
  await stack.api.start();
  await sandbox.fault(null);

  expect(await read(sandbox, card)).toEqual(card);
  const held = await identify(sandbox, card);
  expect([held.status, held.body]).toMatchObject([
    409,
    { error: { code: "identification_in_progress" } },
  ]);
  // The lease is over when its time is: 75 s, which nobody waits for here.
  await stack.services.db.query(
    "update identification set lease_until = now() where status = 'running'",
  );
  expect(await identify(sandbox, card)).toMatchObject({ status: 200, body: { identified: true } });
  expect(await read(sandbox, card)).toMatchObject({
    status: "identified",
    version: card.version + 1,
  });
  expect(await timesIdentified(sandbox, [card])).toEqual([1]);
  expect(
    await stack.services.db.query("select status from identification order by started_at"),
  ).toEqual([{ status: "interrupted" }, { status: "applied" }]);
}, 120_000);

test("a worker killed in the middle of a bulk identification: every card is done, each once", async (context) => {
  const sandbox = await openSandbox(context);
  const { stack, session } = sandbox;
  const cards: Card[] = [];
  for (let index = 0; index < 6; index += 1) cards.push(await sandbox.card("applied"));
  await sandbox.fault({ fault: "slow", delay_ms: 60_000 });
  const started = await session.call("bulk.start", {
    selection: { ids: cards.map(({ id }) => id) },
    action: { type: "identify" },
  });
  const job = started.body.result?.data as Job | undefined;
  await waitFor(async () => (await underWay(sandbox)) > 1, { deadlineMs: 30_000 });
  await stack.worker.kill();
  await sandbox.fault(null);
  // The dead run's lease is over; those of its cards are not.
  await stack.services.db.query("update job set lease_until = now() where lease_until is not null");
  await stack.worker.start();

  const progress = await waitFor(
    async () => {
      const [row] = await stack.services.db.query<{ status: string; progress: object }>(
        "select status, progress from job where id = $1",
        [toUuid(job?.id ?? "", "job")],
      );
      return row?.status === "done" && row.progress;
    },
    { deadlineMs: 120_000 },
  );
  expect(progress).toMatchObject({ total: 6, done: 6, changed: 6, failed: 0, skipped: 0 });
  expect(await timesIdentified(sandbox, cards)).toEqual([1, 1, 1, 1, 1, 1]);
  for (const card of cards) {
    const now = await read(sandbox, card);
    expect(now).toMatchObject({ status: "identified", version: card.version + 1 });
  }
  expect(await underWay(sandbox)).toBe(0);
}, 180_000);
