import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Account, Role } from "@cardvault/contract";
import type { VaultError } from "@cardvault/contract";
import { insertMember, openDatabase } from "@cardvault/db";
import type { Database, PersonRow } from "@cardvault/db";
import { createLogger } from "@cardvault/kit";
import { createTestDatabase, ManualClock } from "@cardvault/testkit";
import { createAccount } from "./accounts/create-account.ts";
import type { Access, Context, SessionPrincipal, TokenPrincipal } from "./context.ts";
import { errorOf } from "./errors.ts";
import { createCallerFactory } from "./procedures.ts";
import { appRouter } from "./router.ts";
import { createServices } from "./services.ts";
import type { CoreConfig, Services } from "./services.ts";
import { insertNewPerson } from "./sign-in/create-person.ts";

const createCaller = createCallerFactory(appRouter);
type Caller = ReturnType<typeof createCaller>;

/** An account with its owner, as tests meet it. */
export interface Dealer {
  account: Account;
  access: Access;
  owner: SessionPrincipal;
  /** Calls as the owner's session. */
  asOwner: Caller;
}

export interface House {
  services: Services;
  db: Database;
  clock: ManualClock;
  databaseUrl: string;
  caller(principal: Context["principal"], rest?: Partial<Context>): Caller;
  person(name: string): Promise<PersonRow>;
  dealer(name: string, account?: Partial<Account>): Promise<Dealer>;
  /** Another member of a dealer's account. */
  member(dealer: Dealer, name: string, role: Role): Promise<SessionPrincipal>;
  close(): Promise<void>;
}

export const publicUrl = "https://vault.example.com";

/** A service of the test's own: database, clock, folder for pictures. */
export async function openHouse(config: Partial<CoreConfig> = {}): Promise<House> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "cardvault-core-"));
  const clock = new ManualClock();
  const logger = createLogger({ name: "test", level: "silent" });
  const db = await openDatabase({ url: database.url, logger });
  const services = await createServices({
    db,
    databaseUrl: database.url,
    clock,
    logger,
    encryptionKeys: [{ id: "test", key: Buffer.alloc(32, 7) }],
    config: {
      publicUrl,
      photoFolder: folder,
      isPlainHttp: false,
      allowsLoopbackReceivers: false,
      ...config,
    },
  });

  const caller: House["caller"] = (principal, rest = {}) =>
    createCaller({ services, principal, requestId: "req_01kjn2z6g0fgz9pqafd9r83gq3", ...rest });

  const person: House["person"] = (name) =>
    insertNewPerson(
      db,
      { name, email: `${name.toLowerCase().replaceAll(" ", ".")}@example.com`, passwordHash: "-" },
      clock.now(),
    );

  return {
    services,
    db,
    clock,
    databaseUrl: database.url,
    caller,
    person,
    async dealer(name, wanted = {}) {
      const { userId, email } = await person(`${name} owner`);
      const account = await createAccount(
        services,
        { kind: "operator", id: null },
        { name, environment: "live", currency: "USD", ownerId: userId, ...wanted },
      );
      const owner = sessionOf(account, { userId, name, email }, "owner");
      const { environment, currency, id: accountId } = account;
      const access = {
        accountId,
        environment,
        currency,
        actor: { kind: "member", id: userId },
        via: "web",
      } as const;
      return { account, access, owner, asOwner: caller(owner) };
    },
    async member(dealer, name, role) {
      const made = await person(name);
      const { userId } = made;
      await insertMember(db, dealer.account.id, { userId, role, createdAt: clock.now() });
      return sessionOf(dealer.account, made, role);
    },
    async close() {
      await services.close();
      await db.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function sessionOf(account: Account, person: PersonRow, role: Role): SessionPrincipal {
  return {
    kind: "session",
    userId: person.userId,
    userName: person.name,
    userEmail: person.email,
    accountId: account.id,
    environment: account.environment,
    currency: account.currency,
    role,
    isOperator: false,
    isSuspended: false,
  };
}

/** A token's principal with these scopes. */
export function tokenOf(dealer: Dealer, scopes: TokenPrincipal["scopes"]): TokenPrincipal {
  const { accountId, environment, currency } = dealer.access;
  const keyId = "key_01kjn2z6g0fgz9pqafd9r83gq3";
  return { kind: "token", accountId, environment, currency, keyId, scopes, limits: {} };
}

/** The public error of a call that must fail. */
export async function errorFrom(call: Promise<unknown>): Promise<VaultError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in outcome) return errorOf(outcome.error);
  throw new Error(`The call succeeded with ${JSON.stringify(outcome.value)}`);
}

/** The code of the error of a call that must fail. */
export async function codeFrom(call: Promise<unknown>): Promise<VaultError["code"]> {
  return (await errorFrom(call)).code;
}
