import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accountHeader, scopes } from "@cardvault/contract";
import { createAccount, createKey, createPerson, operatorAccess, setLimits } from "@cardvault/core";
import { insertMember } from "@cardvault/db";
import { toUuid } from "@cardvault/kit";
import type { Stack } from "../stack/stack.ts";
import { seedInventory } from "./seed-inventory.ts";

/** The web interface lets a person make 1,200 requests a minute; the scenario makes more, as several. */
const people = 3;
const mostRequests = 1_000_000;

export interface InventoryAccount {
  readonly accountId: string;
  readonly token: string;
  readonly emails: readonly string[];
  readonly password: string;
  readonly cards: number;
}

/** The account that the folder has from an earlier run, or a new one that is seeded. */
export async function openInventory(stack: Stack, cards: number): Promise<InventoryAccount> {
  const file = join(stack.folder, "inventory.json");
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) {
    const account = JSON.parse(known) as InventoryAccount;
    if (account.cards === cards) return account;
    throw new Error(`${file} is about ${account.cards} cards: choose another folder, or remove it`);
  }
  console.log(`Writing ${cards} cards`);
  const begun = Date.now();
  const account = await makeAccount(stack, cards);
  const { databaseUrl } = stack;
  await seedInventory({ databaseUrl, accountId: account.accountId, cards });
  console.log(`  in ${Math.round((Date.now() - begun) / 1_000)} s`);
  await writeFile(file, JSON.stringify(account), { mode: 0o600 });
  return account;
}

async function makeAccount({ services }: Stack, cards: number): Promise<InventoryAccount> {
  const password = randomBytes(18).toString("base64url");
  const emails = Array.from({ length: people }, (_, index) => `bench-${index}@vault.example`);
  const made = [];
  for (const email of emails) {
    made.push(await createPerson(services, { name: "Bench", email, password }));
  }
  const system = { kind: "system", id: null } as const;
  const account = await createAccount(services, system, {
    name: "Bench",
    environment: "test",
    currency: "USD",
    ownerId: made[0]?.userId ?? "",
  });
  for (const { userId } of made.slice(1)) {
    const member = { userId, role: "member", createdAt: services.clock.now() } as const;
    await insertMember(services.db, account.id, member);
  }
  const access = await operatorAccess(services.db, account.id, "bench");
  await setLimits(services, access, { read: mostRequests, write: mostRequests, ai: mostRequests });
  const { token } = await createKey(services, access, { name: "Bench", scopes });
  return { accountId: account.id, token, emails, password, cards };
}

/** Asks the API as the pages and as clients do, and answers the parsed body. */
export interface Asking {
  /** A query procedure of the web interface. */
  query(procedure: string, input: unknown): Promise<unknown>;
  /** A documented route. */
  get(path: string): Promise<unknown>;
}

export async function openAsking(origin: string, account: InventoryAccount): Promise<Asking> {
  const { accountId, token, emails, password } = account;
  const cookies: string[] = [];
  for (const email of emails.slice(0, people)) cookies.push(await signIn(origin, email, password));
  let asked = 0;
  return {
    async query(procedure, input) {
      asked += 1;
      const cookie = cookies[asked % cookies.length] ?? "";
      const url = `${origin}/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
      const answer = (await ask(url, { cookie, origin, [accountHeader]: accountId })) as {
        result: { data: unknown };
      };
      return answer.result.data;
    },
    get: (path) => ask(`${origin}${path}`, { authorization: `Bearer ${token}` }),
  };
}

async function signIn(origin: string, email: string, password: string): Promise<string> {
  const response = await fetch(`${origin}/auth/sign-in/email`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Signing in was answered ${response.status}`);
  const lines = response.headers.getSetCookie();
  return lines.map((line) => line.split(";")[0] ?? "").join("; ");
}

async function ask(url: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${url.slice(0, 300)}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as unknown;
}

/** SKU and certificate number of some card, to search for. */
export async function someMarks(
  { services }: Stack,
  { accountId }: InventoryAccount,
): Promise<{ sku: string; certificate: string }> {
  const [row] = await services.db.query<{ sku: string; certificate: string }>(
    `select sku, cert_number as certificate from card
     where account_id = $1 and cert_number is not null order by cert_number limit 1`,
    [toUuid(accountId)],
  );
  return { sku: row?.sku ?? "", certificate: row?.certificate ?? "" };
}
