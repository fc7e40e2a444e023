import { randomBytes } from "node:crypto";
import { eventTypes, scopes } from "@cardvault/contract";
import {
  createAccount,
  createEndpoint,
  createKey,
  createPerson,
  operatorAccess,
  setLimits,
} from "@cardvault/core";
import type { Services } from "@cardvault/core";

/** As far as an operator can go: the limiter counts every request and refuses none. */
const mostRequests = 1_000_000;

export interface BenchAccount {
  readonly accountId: string;
  readonly token: string;
}

let ownerId: string | undefined;

/** A test account (its receivers may be on loopback) with raised limits and a key with every scope. */
export async function openAccount(services: Services, name: string): Promise<BenchAccount> {
  const password = randomBytes(18).toString("base64url");
  const email = "bench@vault.example";
  ownerId ??= (await createPerson(services, { name: "Bench", email, password })).userId;
  const account = await createAccount(
    services,
    { kind: "system", id: null },
    { name, environment: "test", currency: "USD", ownerId },
  );
  const access = await operatorAccess(services.db, account.id, "bench");
  await setLimits(services, access, { read: mostRequests, write: mostRequests, ai: mostRequests });
  const { token } = await createKey(services, access, { name: "Bench", scopes });
  return { accountId: account.id, token };
}

/** Registers a receiver of all events. Answers its id and its signing secret. */
export async function openEndpoint(
  services: Services,
  accountId: string,
  url: string,
): Promise<{ id: string; secret: string }> {
  const access = await operatorAccess(services.db, accountId, "bench");
  const made = await createEndpoint(services, access, { url, events: [...eventTypes] });
  return { id: made.endpoint.id, secret: made.secret };
}
