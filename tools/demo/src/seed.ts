import { randomBytes } from "node:crypto";
import { eventTypes, scopes, VaultError } from "@cardvault/contract";
import {
  createAccount,
  createEndpoint,
  createKey,
  createPerson,
  createServices,
} from "@cardvault/core";
import type { Access, CoreConfig, Services } from "@cardvault/core";
import { openDatabase } from "@cardvault/db";
import { createLogger, encryptionKeys, systemClock } from "@cardvault/kit";
import { demoInventory } from "./inventory.ts";
import { writeBatch } from "./write-inventory.ts";

/** How to get in. Shown by the start, and kept in a file that only its owner can read. */
export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** A card that is identified and waits for its first price. */
  readonly cardId: string;
  readonly webhookSecret: string;
}

export interface SeedDemoOptions {
  readonly databaseUrl: string;
  /** As in VAULT_ENCRYPTION_KEYS. */
  readonly encryptionKeys: string;
  /** The example receiver, on loopback. */
  readonly receiverUrl: string;
  readonly photoFolder: string;
}

const accountName = "Harbor Lane Cards";

/**
 * Makes the demonstration account: a test account with six batches of cards, a sign-in, a token and
 * the example receiver. Where an earlier try was killed on its way, each call makes a shop and a
 * sign-in of its own, so that nothing that somebody may have worked in is touched.
 */
export async function seedDemo(options: SeedDemoOptions): Promise<DemoAccount> {
  const db = await openDatabase({ url: options.databaseUrl, applicationName: "cardvault-demo" });
  const config: CoreConfig = {
    publicUrl: "http://localhost",
    photoFolder: options.photoFolder,
    isPlainHttp: true,
    allowsLoopbackReceivers: true,
  };
  const services = await createServices({
    db,
    databaseUrl: options.databaseUrl,
    clock: systemClock,
    logger: createLogger({ name: "demo", level: "warn" }),
    encryptionKeys: encryptionKeys().parse(options.encryptionKeys),
    config,
  });
  try {
    return await seed(services, options.receiverUrl);
  } finally {
    await services.close();
    await db.close();
  }
}

async function seed(services: Services, receiverUrl: string): Promise<DemoAccount> {
  const { db, clock } = services;
  const password = randomBytes(12).toString("base64url");
  const person = await firstFreePerson(services, password);
  const actor = { kind: "system", id: null } as const;
  const account = await createAccount(services, actor, {
    name: accountName,
    environment: "test",
    currency: "USD",
    ownerId: person.userId,
  });
  const unpriced: string[] = [];
  for (const batch of demoInventory()) {
    unpriced.push(...(await writeBatch(db, clock, account.id, batch)));
  }
  const access: Access = {
    accountId: account.id,
    environment: account.environment,
    currency: account.currency,
    actor,
    via: "command_line",
  };
  const { token } = await createKey(services, access, { name: "Demonstration", scopes });
  const { secret } = await createEndpoint(services, access, {
    url: receiverUrl,
    description: "The example receiver of the local start",
    events: [...eventTypes],
  });
  const [cardId] = unpriced;
  if (cardId === undefined) throw new Error("The demonstration shop has no card to price");
  return { email: person.email, password, token, cardId, webhookSecret: secret };
}

/** The first address that nobody has: a try that was killed may have left its person behind. */
async function firstFreePerson(services: Services, password: string) {
  for (let count = 1; ; count += 1) {
    const email = `robin${count === 1 ? "" : count}@harborlane.example`;
    try {
      return { ...(await createPerson(services, { name: "Robin Vale", email, password })), email };
    } catch (error) {
      if (!(error instanceof VaultError && error.code === "conflict")) throw error;
    }
  }
}
