import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportAccount } from "./accounts/export-account.ts";
import { operatorAccess } from "./accounts/operator-access.ts";
import { setLimits } from "./accounts/set-limits.ts";
import { restoreAccount, suspendAccount } from "./accounts/suspend-account.ts";
import { setProviderCap } from "./identify/set-provider-cap.ts";
import { appRouter } from "./router.ts";
import { makeOperator } from "./sign-in/make-operator.ts";
import { makeResetLink } from "./sign-in/make-reset-link.ts";
import { openHouse } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";
import type { TrailAction } from "./trail.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

/** A procedure or command, what the trail says of it, and the table that it writes; none where it only deletes. */
interface Case {
  path: string;
  action: TrailAction;
  table: string | null;
  /** What has to be there before. Answers what the call needs of it. */
  before?: () => Promise<string>;
  run: (given: string) => Promise<unknown>;
}

const owner = () => dealer.asOwner;
const url = "https://hooks.example.com/vault";
const newKey = async () => (await owner().keys.create({ name: "till" })).key.id;
const newEndpoint = async () => (await owner().webhooks.endpoints.create({ url })).endpoint.id;
const newMember = async () => (await house.member(dealer, serialName(), "member")).userId;
const newJob = async () => {
  const id = await newEndpoint();
  const since = "2026-01-01T00:00:00Z";
  return (await owner().webhooks.endpoints.recover({ id, since })).id;
};
let serial = 0;
const serialName = (): string => {
  serial += 1;
  return `Person ${serial}`;
};
const emailOf = (name: string): string => `${name.toLowerCase().replaceAll(" ", ".")}@example.com`;
const operators = () => house.caller({ ...dealer.owner, isOperator: true });
const access = () => operatorAccess(house.db, dealer.account.id, "root");
const root = { kind: "operator", id: "root" } as const;

const procedures: Case[] = [
  {
    path: "keys.create",
    action: "key.created",
    table: "api_key",
    run: () => newKey(),
  },
  {
    path: "keys.rotate",
    action: "key.rotated",
    table: "api_key",
    before: newKey,
    run: (id) => owner().keys.rotate({ id }),
  },
  {
    path: "keys.revoke",
    action: "key.revoked",
    table: "api_key",
    before: newKey,
    run: (id) => owner().keys.revoke({ id }),
  },
  {
    path: "webhooks.endpoints.create",
    action: "endpoint.created",
    table: "webhook_endpoint",
    run: () => newEndpoint(),
  },
  {
    path: "webhooks.endpoints.update",
    action: "endpoint.updated",
    table: "webhook_endpoint",
    before: newEndpoint,
    run: (id) => owner().webhooks.endpoints.update({ id, enabled: false }),
  },
  {
    path: "webhooks.endpoints.delete",
    action: "endpoint.removed",
    table: "webhook_endpoint",
    before: newEndpoint,
    run: (id) => owner().webhooks.endpoints.delete({ id }),
  },
  {
    path: "webhooks.endpoints.rotate",
    action: "endpoint.secret_rotated",
    table: "webhook_endpoint",
    before: newEndpoint,
    run: (id) => owner().webhooks.endpoints.rotate({ id }),
  },
  {
    path: "webhooks.endpoints.switchNow",
    action: "endpoint.secret_switched",
    table: "webhook_endpoint",
    before: async () => {
      const id = await newEndpoint();
      await owner().webhooks.endpoints.rotate({ id });
      return id;
    },
    run: (id) => owner().webhooks.endpoints.switchNow({ id }),
  },
  {
    path: "webhooks.endpoints.recover",
    action: "endpoint.recovery_started",
    table: "job",
    before: newEndpoint,
    run: (id) => owner().webhooks.endpoints.recover({ id, since: "2026-01-01T00:00:00Z" }),
  },
  {
    path: "accounts.members.invite",
    action: "member.invited",
    table: "invitation",
    run: () => owner().accounts.members.invite({ email: emailOf(serialName()) }),
  },
  {
    path: "accounts.members.withdraw",
    action: "member.invitation_withdrawn",
    table: null,
    before: async () => {
      const email = emailOf(serialName());
      return (await owner().accounts.members.invite({ email })).invitation.id;
    },
    run: (id) => owner().accounts.members.withdraw({ id }),
  },
  {
    path: "signIn.acceptInvitation",
    action: "member.joined",
    table: "member",
    before: async () => {
      const { link } = await owner().accounts.members.invite({ email: emailOf(serialName()) });
      return new URL(link).hash.replace("#token=", "");
    },
    run: (token) =>
      house
        .caller(null)
        .signIn.acceptInvitation({ token, name: "Kim", password: "correct horse battery" }),
  },
  {
    path: "accounts.members.setRole",
    action: "member.role_changed",
    table: "member",
    before: newMember,
    run: (id) => owner().accounts.members.setRole({ user_id: id, role: "owner" }),
  },
  {
    path: "accounts.members.remove",
    action: "member.removed",
    table: null,
    before: newMember,
    run: (id) => owner().accounts.members.remove({ user_id: id }),
  },
  {
    path: "accounts.settings.update",
    action: "account.settings_changed",
    table: "account",
    run: () => owner().accounts.settings.update({ name: "Harbour Cards and More" }),
  },
  {
    path: "accounts.createTest",
    action: "account.test_created",
    table: "member",
    run: () => owner().accounts.createTest({}),
  },
  {
    path: "identifications.setBudget",
    action: "account.provider_budget_set",
    table: "account",
    run: () => owner().identifications.setBudget({ budget_micros: 1_000_000 }),
  },
  {
    path: "operations.cancel",
    action: "job.cancelled",
    table: "job",
    before: newJob,
    run: (id) => operators().operations.cancel({ id }),
  },
  {
    path: "operations.retry",
    action: "job.retried",
    table: "job",
    before: async () => {
      const id = await newJob();
      await house.db.query(
        `update job set status = 'failed', finished_at = now(), next_run_at = null where id = $1`,
        [toUuid(id)],
      );
      return id;
    },
    run: (id) => operators().operations.retry({ id }),
  },
];

/** They need a marketplace that answers: `marketplace/connection.test.ts` reads the trail after each. */
const atMarketplaces = [
  "marketplace.connect",
  "marketplace.disconnect",
  "marketplace.saveSetup",
  "marketplace.createLocation",
];

/** Cards have a history of their own; the rest is work on them, a person's own sessions and what a page keeps. */
const withoutTrail =
  /^(?:batches|bulk|cards|events|imports|jobs|listings|locations|notices|photoImports|photos|prices|review|sales|sandbox|scans|skus|views)\./;
const noneEither = [
  "identifications.identify",
  "identifications.undo",
  "webhooks.endpoints.test",
  "signIn.rename",
  "signIn.endSession",
  "signIn.endOtherSessions",
];

const commands: Case[] = [
  {
    path: "account limits",
    action: "account.limits_changed",
    table: "account",
    run: async () => setLimits(house.services, await access(), { read: 600 }),
  },
  {
    path: "account spending",
    action: "account.provider_cap_set",
    table: "provider_cap",
    run: async () =>
      setProviderCap(house.services, await access(), { engine: "google", micros: 5 }),
  },
  {
    path: "account suspend",
    action: "account.suspended",
    table: "account",
    run: async () => suspendAccount(house.services, await access(), "unpaid"),
  },
  {
    path: "account restore",
    action: "account.restored",
    table: "account",
    run: async () => restoreAccount(house.services, await access()),
  },
  {
    path: "account export",
    action: "account.exported",
    table: null,
    before: () => mkdtemp(join(tmpdir(), "cardvault-trail-")),
    run: async (folder) => {
      await exportAccount(house.services, await access(), join(folder, "export"));
      await rm(folder, { recursive: true });
    },
  },
  {
    path: "person reset",
    action: "member.reset_link_made",
    table: null,
    before: async () => emailOf((await namedMember()).name),
    run: (email) => makeResetLink(house.services, root, email),
  },
  {
    path: "person operator",
    action: "member.operator_made",
    table: "platform_operator",
    before: async () => emailOf((await namedMember()).name),
    run: (email) => makeOperator(house.services, root, email, true),
  },
  {
    path: "person operator --remove",
    action: "member.operator_ended",
    table: null,
    before: async () => emailOf((await namedMember()).name),
    run: (email) => makeOperator(house.services, root, email, false),
  },
];

async function namedMember(): Promise<{ name: string }> {
  const name = serialName();
  await house.member(dealer, name, "member");
  return { name };
}

test("every procedure that changes something has an entry here, or a reason to have none", () => {
  const every = appRouter._def.procedures as unknown as Record<string, { _def: { type?: string } }>;
  const mutations = Object.keys(every).filter((path) => every[path]?._def.type === "mutation");
  const told = [...procedures.map(({ path }) => path), ...atMarketplaces, ...noneEither];
  expect(mutations.filter((path) => !withoutTrail.test(path)).toSorted()).toEqual(told.toSorted());
});

describe.each([...procedures, ...commands])("$path", ({ path, action, table, before, run }) => {
  test(`writes ${action} in the transaction that does it, and once`, async () => {
    const given = (await before?.()) ?? "";
    const account = toUuid(dealer.account.id);
    const [last] = await house.db.query<{ id: string }>(
      "select id from trail_entry where account_id = $1 order by id desc limit 1",
      [account],
    );
    await run(given);
    const entries = await house.db.query<{ action: string; actor_kind: string; xid: string }>(
      `select action, actor_kind, xmin::text as xid from trail_entry where account_id = $1 and id > $2`,
      [account, last?.id],
    );
    const kind = path.startsWith("operations.") || path.includes(" ") ? "operator" : "member";
    expect(entries).toMatchObject([{ action, actor_kind: kind }]);
    if (table === null) return;
    // The row as it stands was written by the transaction that wrote the entry.
    const written = await house.db.query(`select 1 from ${table} where xmin::text = $1`, [
      entries[0]?.xid,
    ]);
    expect(written.length).toBeGreaterThan(0);
  });
});
