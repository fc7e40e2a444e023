import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account, Batch, Card, Scope } from "@cardvault/contract";
import { scopes as allScopes } from "@cardvault/contract";
import {
  appRouter,
  createAccount,
  createCallerFactory,
  createKey,
  createMemoryLimiter,
  createPerson,
  createServices,
} from "@cardvault/core";
import type { Access, CreateServicesOptions, Services, SessionPrincipal } from "@cardvault/core";
import { openDatabase } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import { ManualClock, createTestDatabase, searchedLogger } from "@cardvault/testkit";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { createApp } from "./app.ts";
import type { AppOptions } from "./app.ts";

export const publicUrl = "https://vault.example.com";
export const password = "correct horse battery";

const createCaller = createCallerFactory(appRouter);

/** An account with an owner, a key that has every scope, a batch and two cards. */
export interface Dealer {
  account: Account;
  access: Access;
  email: string;
  token: string;
  keyId: string;
  asOwner: ReturnType<typeof createCaller>;
  batch: Batch;
  cards: [Card, Card];
}

export interface House {
  app: FastifyInstance;
  services: Services;
  clock: ManualClock;
  databaseUrl: string;
  dealer(name: string): Promise<Dealer>;
  /** Signs a dealer in, as the page does. @returns what a browser sends from then on */
  cookie(dealer: Pick<Dealer, "email">): Promise<string>;
  /** A further key of a dealer's account. */
  key(dealer: Dealer, scopes: readonly Scope[]): Promise<{ token: string; keyId: string }>;
  call(
    token: string | undefined,
    method: string,
    url: string,
    more?: InjectOptions,
  ): Promise<LightMyRequestResponse>;
  /** Every row of an account that a request of it could change, but for when a key was last used. */
  dump(dealer: Dealer): Promise<Record<string, unknown[]>>;
  close(): Promise<void>;
}

const changeableTables = [
  "account_clock",
  "batch",
  "card",
  "listing",
  "photo",
  "webhook_event",
  "webhook_delivery",
  "idempotency_record",
  "trail_entry",
  "card_count",
];

/** An API process without its port, on a database of its own. */
export async function openHouse(
  options: Partial<AppOptions> = {},
  live?: CreateServicesOptions["live"],
): Promise<House> {
  const database = await createTestDatabase();
  const photoFolder = await mkdtemp(join(tmpdir(), "cardvault-api-"));
  const clock = new ManualClock();
  const logger = searchedLogger("test", [password]);
  const db = await openDatabase({ url: database.url, logger });
  const services = await createServices({
    db,
    databaseUrl: database.url,
    clock,
    logger,
    encryptionKeys: [{ id: "test", key: Buffer.alloc(32, 7) }],
    live,
    config: { publicUrl, photoFolder, isPlainHttp: false, allowsLoopbackReceivers: false },
  });
  const app = await createApp({
    services,
    limiter: createMemoryLimiter(),
    addressLimiter: createMemoryLimiter(),
    trustProxy: false,
    ...options,
  });

  async function key(dealer: { access: Access }, scopes: readonly Scope[]) {
    const made = await createKey(services, dealer.access, { name: "Test", scopes });
    return { token: made.token, keyId: made.key.id };
  }

  return {
    app,
    services,
    clock,
    databaseUrl: database.url,
    key,
    async dealer(name) {
      const email = `${name.toLowerCase()}@example.com`;
      const { userId } = await createPerson(services, { name, email, password });
      const account = await createAccount(
        services,
        { kind: "operator", id: null },
        { name, environment: "live", currency: "USD", ownerId: userId },
      );
      const { environment, currency, id: accountId } = account;
      const access = {
        accountId,
        environment,
        currency,
        actor: { kind: "member", id: userId },
        via: "web",
      } as const;
      const principal: SessionPrincipal = {
        kind: "session",
        userId,
        userName: name,
        userEmail: email,
        accountId,
        environment,
        currency,
        role: "owner",
        isOperator: false,
        isSuspended: false,
      };
      const asOwner = createCaller({ services, principal, requestId: "req_test" });
      const batch = await asOwner.batches.create({ name: "Estate" });
      const cards: [Card, Card] = [
        await asOwner.cards.create({ batch_id: batch.id, title: "Charged Serpent" }),
        await asOwner.cards.create({ batch_id: batch.id }),
      ];
      const { token, keyId } = await key({ access }, allScopes);
      return { account, access, email, token, keyId, asOwner, batch, cards };
    },
    async cookie({ email }) {
      const signedIn = await app.inject({
        method: "POST",
        url: "/auth/sign-in/email",
        headers: { origin: publicUrl },
        payload: { email, password },
      });
      return [signedIn.headers["set-cookie"] ?? []]
        .flat()
        .map((one) => one.split(";")[0])
        .join("; ");
    },
    async call(token, method, url, { headers = {}, ...more } = {}) {
      return app.inject({
        method: method as "GET",
        url,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...more,
      });
    },
    async dump({ account }) {
      const dumped: Record<string, unknown[]> = {};
      for (const table of changeableTables) {
        dumped[table] = await db.query(
          `select to_jsonb(t) as row from ${table} t where account_id = $1 order by 1`,
          [toUuid(account.id)],
        );
      }
      // A dump of nothing would always be the same.
      if (dumped["card"]?.length !== 2) throw new Error("The account has two cards");
      return dumped;
    },
    async close() {
      await app.close();
      await services.close();
      await db.close();
      await database.drop();
      await rm(photoFolder, { recursive: true, force: true });
    },
  };
}
