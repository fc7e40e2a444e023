import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maxLiveConnections, maxLiveIds } from "@cardvault/contract";
import { operatorAccess, suspendAccount } from "@cardvault/core";
import { deleteMember, insertMember, insertNotice } from "@cardvault/db";
import { newId, systemClock, toUuid } from "@cardvault/kit";
import { waitFor } from "@cardvault/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { follow, listen, signIn, startNeighbour } from "./live-fixtures.ts";
import type { ApiProcess, FollowOptions, Stream } from "./live-fixtures.ts";
import { openHouse } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let here: string;
let there: ApiProcess;
let dataFolder: string;
let dealer: Dealer;
let cookie: string;
let serial = 0;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), "cardvault-live-"));
  house = await openHouse();
  [here, there] = await Promise.all([listen(house), startNeighbour(house, dataFolder)]);
}, 60_000);
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Anna${serial}`);
  cookie = await signIn(house, dealer);
});
afterAll(async () => {
  await there.stop();
  await house.close();
  await rm(dataFolder, { recursive: true });
});

const followOwn = (origin: string, more: FollowOptions = {}): Promise<Stream> =>
  follow(origin, { cookie, accountId: dealer.account.id, ...more });
const price = (cardId: string, amount: number) =>
  dealer.asOwner.cards.update({ id: cardId, asking_price: { amount, currency: "USD" } });

describe("what happens is told", () => {
  test("a change in one process to those who follow in another, and in the same", async () => {
    const streams = await Promise.all([followOwn(here), followOwn(there.origin)]);
    const [card] = dealer.cards;
    await Promise.all(streams.map((stream) => stream.told("connected")));
    await price(card.id, 1250);
    for (const stream of streams) {
      await stream.told("changed", ({ cards }) => cards.includes(card.id));
    }
    const batch = await dealer.asOwner.batches.create({ name: "Show" });
    for (const stream of streams) {
      await stream.told("changed", ({ batches }) => batches.includes(batch.id));
      expect(stream.errorCode()).toBeUndefined();
    }
  });

  test("what changed shortly before the begin as well: a page was loading meanwhile", async () => {
    const stream = await followOwn(here);
    expect(await stream.told("connected")).toMatchObject({ resumed: false });
    const { cards, batches } = await stream.told("changed");
    expect(new Set(cards)).toEqual(new Set(dealer.cards.map(({ id }) => id)));
    expect(batches).toContain(dealer.batch.id);
  });

  test("a commit of which no notification came", async () => {
    const stream = await followOwn(there.origin);
    await stream.told("connected");
    const [card] = dealer.cards;
    await stream.told("changed");
    const before = stream.said.length;
    await house.services.db.query(
      `with k as (update account_clock set last_change = last_change + interval '1 s' where account_id = $1 returning last_change)
       update card set notes = 'Silent', updated_at = k.last_change from k where id = $2`,
      [toUuid(dealer.account.id), toUuid(card.id)],
    );
    await waitFor(() => stream.said.length > before);
    expect(stream.messages().at(-1)).toMatchObject({ type: "changed", cards: [card.id] });
  });

  test("a job as it goes on, and what an account is told", async () => {
    const stream = await followOwn(there.origin);
    expect(await stream.told("connected")).toMatchObject({
      counters: { unread_notices: 0, dropped_events: 0 },
    });
    const { endpoint } = await dealer.asOwner.webhooks.endpoints.create({
      url: "https://hooks.example.com/vault",
    });
    const job = await dealer.asOwner.webhooks.endpoints.recover({
      id: endpoint.id,
      since: new Date(Date.now() - 60_000).toISOString(),
    });
    // The neighbour's clock is the machine's: by it, the house's was changed long ago.
    await house.services.db.query("update job set updated_at = now() where id = $1", [
      toUuid(job.id),
    ]);
    await stream.told("jobs", ({ jobs }) => jobs.some(({ id }) => id === job.id));
    await house.services.db.query(
      `update job set updated_at = now(), progress = '{"total": 9, "done": 5, "changed": 4, "skipped": 1, "failed": 0}' where id = $1`,
      [toUuid(job.id)],
    );
    await stream.told("jobs", ({ jobs }) =>
      jobs.some(({ id, progress }) => id === job.id && progress.done === 5),
    );
    const told = { accountId: dealer.account.id, message: "-", details: {}, onceKey: "-" };
    await house.services.db.transaction((tx) =>
      insertNotice(
        tx,
        { ...told, kind: "events_dropped", endpointId: endpoint.id },
        systemClock.now(),
      ),
    );
    await stream.told("counters", ({ counters }) => counters.unread_notices === 1);
  });
});

describe("a connection that was cut", () => {
  test("is resumed, here or there, while eight write: what is shown at the end is the newest", async () => {
    const cardIds = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { id } = await dealer.asOwner.cards.create({ title: `Card ${index}` });
        return id;
      }),
    );
    // As a page does: it asks again for what was named. Of a card that was asked for twice the newer counts.
    const shown = new Map<string, number>();
    const asking: Promise<void>[] = [];
    const ask = async (id: string): Promise<void> => {
      const { version } = await dealer.asOwner.cards.get({ id });
      shown.set(id, Math.max(version, shown.get(id) ?? 0));
    };
    const onMessage: FollowOptions["onMessage"] = (message) => {
      if (message.type === "changed") asking.push(...message.cards.map(ask));
    };
    let stream = await followOwn(here, { onMessage });
    await stream.told("connected");
    const writing = { isDone: false };
    const written = new Map<string, number>();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; turn < 15; turn += 1) {
        const id = cardIds[(writer + turn * 5) % cardIds.length] ?? "";
        const { version } = await price(id, 100 + writer * 100 + turn);
        written.set(id, Math.max(version, written.get(id) ?? 0));
      }
    });
    const cutting = (async () => {
      for (let cut = 0; !writing.isDone; cut += 1) {
        const count = stream.said.length;
        await waitFor(() => stream.said.length > count || writing.isDone);
        stream.cut();
        await stream.ended;
        const origin = cut % 2 === 0 ? there.origin : here;
        stream = await followOwn(origin, { onMessage, lastEventId: stream.lastEventId() });
        expect(await stream.told("connected")).toMatchObject({ resumed: true });
      }
    })();
    await Promise.all(writers);
    writing.isDone = true;
    await cutting;
    await waitFor(async () => {
      await Promise.all(asking);
      return [...written].every(([id, version]) => shown.get(id) === version);
    });
    expect(written.size).toBe(cardIds.length);
  }, 60_000);

  test("hears nothing twice that it had heard", async () => {
    const first = await followOwn(here);
    await first.told("changed");
    first.cut();
    await first.ended;
    const [card, other] = dealer.cards;
    await price(other.id, 700);
    const second = await followOwn(there.origin, { lastEventId: first.lastEventId() });
    expect(await second.told("changed")).toEqual({
      type: "changed",
      cards: [other.id],
      batches: [],
      listings: [],
    });
    await price(card.id, 800);
    await second.told("changed", ({ cards }) => cards.includes(card.id));
  });

  test("that missed too much is told to ask for everything, and goes on from there", async () => {
    const first = await followOwn(here);
    await first.told("changed");
    first.cut();
    await first.ended;
    for (let count = 0; count <= maxLiveIds; count += 1) {
      await dealer.asOwner.cards.create({ title: `Rain ${count}` });
    }
    const second = await followOwn(there.origin, { lastEventId: first.lastEventId() });
    await second.told("reset");
    expect(second.messages().map(({ type }) => type)).not.toContain("changed");
    await price(dealer.cards[0].id, 900);
    const { cards } = await second.told("changed");
    expect(cards).toEqual([dealer.cards[0].id]);
  }, 60_000);

  test.each(["never", "2999-01-01T00:00:00.000Z", "-271821-04-20T00:00:00.000Z"])(
    "whose position is %s is told to ask for everything",
    async (lastEventId) => {
      const stream = await followOwn(here, { lastEventId });
      expect(await stream.told("connected")).toMatchObject({ resumed: false });
      await stream.told("reset");
    },
  );
});

describe("who may follow", () => {
  test("another account sees nothing, and its id answers like one that never was", async () => {
    const ben = await house.dealer(`Ben${serial}`);
    const bens = await follow(here, {
      cookie: await signIn(house, ben),
      accountId: ben.account.id,
    });
    await bens.told("changed");
    const before = bens.said.length;
    await price(dealer.cards[0].id, 1_000);
    await ben.asOwner.cards.update({ id: ben.cards[0].id, notes: "Mine" });
    await waitFor(() => bens.said.length > before);
    expect(bens.messages().at(-1)).toMatchObject({ cards: [ben.cards[0].id] });
    expect(JSON.stringify(bens.said)).not.toContain(dealer.cards[0].id);
    for (const accountId of [ben.account.id, newId("acc"), "acc_x", undefined]) {
      const refused = await followOwn(here, { accountId });
      await refused.ended;
      expect(refused.errorCode()).toBe("not_found");
      expect(refused.messages()).toEqual([]);
    }
  });

  test("nobody without a session", async () => {
    const stream = await followOwn(here, { cookie: undefined });
    await stream.ended;
    expect(stream.errorCode()).toBe("sign_in_required");
  });

  test("a membership that ends, ends the stream in every process", async () => {
    const clerk = await house.dealer(`Clerk${serial}`);
    const userId = clerk.access.actor.id ?? "";
    const since = { role: "member", createdAt: systemClock.now() } as const;
    await insertMember(house.services.db, dealer.account.id, { userId, ...since });
    const clerks = { cookie: await signIn(house, clerk), accountId: dealer.account.id };
    const streams = await Promise.all([follow(here, clerks), follow(there.origin, clerks)]);
    await Promise.all(streams.map((stream) => stream.told("connected")));
    await dealer.asOwner.accounts.members.setRole({ user_id: userId, role: "owner" });
    await Promise.all(streams.map((stream) => stream.told("access")));
    await dealer.asOwner.accounts.members.remove({ user_id: userId });
    await Promise.all(streams.map(({ ended }) => ended));
    expect(streams.map((stream) => stream.errorCode())).toEqual(["not_found", "not_found"]);
  });

  test("a sign-out ends the stream, and a suspension is told", async () => {
    const stream = await followOwn(there.origin);
    await stream.told("connected");
    const access = await operatorAccess(house.services.db, dealer.account.id, "test");
    await suspendAccount(house.services, access, "Unpaid");
    await stream.told("access");
    await house.app.inject({
      method: "POST",
      url: "/auth/sign-out",
      headers: { origin: "https://vault.example.com", cookie },
    });
    await stream.ended;
    expect(stream.errorCode()).toBe("sign_in_required");
  });

  test("a right that was lost without a word of it ends the stream too", async () => {
    const strict = await openHouse({}, { recheckMs: 50 });
    onTestFinished(() => strict.close());
    const origin = await listen(strict);
    const owner = await strict.dealer("Cleo");
    const stream = await follow(origin, {
      cookie: await signIn(strict, owner),
      accountId: owner.account.id,
    });
    await stream.told("connected");
    await deleteMember(strict.services.db, owner.account.id, owner.access.actor.id ?? "");
    await stream.ended;
    expect(stream.errorCode()).toBe("not_found");
  });

  test("a person has so many connections, and one more when one of them has ended", async () => {
    const held = await Promise.all(
      Array.from({ length: maxLiveConnections }, () => followOwn(here)),
    );
    await Promise.all(held.map((stream) => stream.told("connected")));
    const refused = await followOwn(here);
    await refused.ended;
    expect(refused.errorCode()).toBe("rate_limit_exceeded");
    const before = house.services.live.connections();
    held[0]?.cut();
    await waitFor(() => house.services.live.connections() < before);
    const again = await followOwn(here);
    await again.told("connected");
  });
});

test("a process that ends says so to all who follow, and they go on at another", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cardvault-live-"));
  const ending = await startNeighbour(house, folder);
  const stream = await followOwn(ending.origin);
  await stream.told("changed");
  expect(await ending.stop()).toBe(0);
  await stream.ended;
  expect(stream.errorCode()).toBe("service_unavailable");
  await price(dealer.cards[1].id, 1_500);
  const next = await followOwn(here, { lastEventId: stream.lastEventId() });
  expect(await next.told("changed")).toMatchObject({ cards: [dealer.cards[1].id] });
  await rm(folder, { recursive: true });
}, 60_000);
