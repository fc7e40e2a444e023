import { listKeys, writeSuspension } from "@cardvault/db";
import type { Database } from "@cardvault/db";
import { waitFor } from "@cardvault/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { authenticateToken } from "./authenticate-token.ts";
import { createKey } from "./create-key.ts";
import { createPrincipalCache } from "./principal-cache.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { generateToken } from "./token.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

const makeKey = () =>
  createKey(house.services, dealer.access, { name: "till", scopes: ["cards:read"] });
const authenticate = (token: string, services = house.services) =>
  authenticateToken(services, `Bearer ${token}`, house.clock.now());

/** The database, with a count of the statements that went to it. */
function counted(db: Database): { db: Database; count: () => number } {
  let count = 0;
  const query: Database["query"] = (...statement) => {
    count += 1;
    return db.query(...statement);
  };
  return { db: { ...db, query }, count: () => count };
}

describe("a principal", () => {
  test("is the key's account, scopes and limits", async () => {
    const { key, token } = await makeKey();
    expect(await authenticate(token)).toEqual({
      kind: "token",
      accountId: dealer.account.id,
      environment: "live",
      currency: "USD",
      keyId: key.id,
      scopes: ["cards:read"],
      limits: { read: undefined, write: undefined, ai: undefined },
    });
  });

  test("the scheme is read in any case", async () => {
    const { token } = await makeKey();
    const { accountId } = await authenticateToken(
      house.services,
      `bearer  ${token} `,
      house.clock.now(),
    );
    expect(accountId).toBe(dealer.account.id);
  });
});

describe("401", () => {
  test.each([undefined, "", "Basic dXNlcg==", "Bearer", "Token abc"])(
    "missing_token for %j",
    async (header) => {
      const call = authenticateToken(house.services, header, house.clock.now());
      expect(await codeFrom(call)).toBe("missing_token");
    },
  );

  test("invalid_token for a typing error, without a statement", async () => {
    const { db, count } = counted(house.db);
    const { token } = await makeKey();
    const typed = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
    expect(await codeFrom(authenticate(typed, { ...house.services, db }))).toBe("invalid_token");
    expect(count()).toBe(0);
  });

  test("invalid_token for a well-formed token that nobody has", async () => {
    expect(await codeFrom(authenticate(generateToken("live")))).toBe("invalid_token");
  });

  test("revoked_token at once, though the principal was cached", async () => {
    const { key, token } = await makeKey();
    await authenticate(token);
    await revokeKey(house.services, dealer.access, { id: key.id });
    expect(await codeFrom(authenticate(token))).toBe("revoked_token");
  });

  test("expired_token from the moment that a rotation chose", async () => {
    const { key, token } = await makeKey();
    const made = await rotateKey(house.services, dealer.access, { id: key.id, old_ends: "1h" });
    house.clock.advance(3_599_999);
    expect((await authenticate(token)).keyId).toBe(key.id);
    house.clock.advance(1);
    expect(await codeFrom(authenticate(token))).toBe("expired_token");
    expect((await authenticate(made.token)).keyId).toBe(made.key.id);
  });
});

describe("403", () => {
  test("account_suspended", async () => {
    const other = await house.dealer("Suspended Cards");
    const { token } = await createKey(house.services, other.access, {
      name: "k",
      scopes: ["cards:read"],
    });
    await writeSuspension(house.db, other.account.id, { at: house.clock.now(), reason: "unpaid" });
    expect(await codeFrom(authenticate(token))).toBe("account_suspended");
  });
});

describe("the cache", () => {
  test("answers for five seconds without a statement, then looks again", async () => {
    const { db, count } = counted(house.db);
    const principals = createPrincipalCache(house.clock, () => true);
    const services = { ...house.services, db, principals };
    const { token } = await makeKey();
    await authenticate(token, services);
    const afterFirst = count();
    house.clock.advance(4_999);
    await authenticate(token, services);
    expect(count()).toBe(afterFirst);
    house.clock.advance(1);
    await authenticate(token, services);
    expect(count()).toBe(afterFirst + 1);
  });

  test("keeps nothing while nobody listens for revocations", async () => {
    const { db, count } = counted(house.db);
    const principals = createPrincipalCache(house.clock, () => false);
    const services = { ...house.services, db, principals };
    const { token } = await makeKey();
    await authenticate(token, services);
    const afterFirst = count();
    await authenticate(token, services);
    expect(count()).toBe(afterFirst + 1);
  });

  test("a revocation in another process is heard of", async () => {
    const { key, token } = await makeKey();
    await authenticate(token);
    const elsewhere = createPrincipalCache(house.clock, () => true);
    await revokeKey({ ...house.services, principals: elsewhere }, dealer.access, { id: key.id });
    const code = await waitFor(() => codeFrom(authenticate(token)));
    expect(code).toBe("revoked_token");
  });

  test("a look-up that was under way during a revocation is not kept", async () => {
    const cache = createPrincipalCache(house.clock, () => true);
    const { token } = await makeKey();
    const principal = await authenticate(token);
    const before = cache.generation();
    cache.clear();
    cache.set(Buffer.from("hash"), principal, null, before);
    expect(cache.get(Buffer.from("hash"))).toBeUndefined();
  });
});

test("the last use is written at most once a minute", async () => {
  const { key, token } = await makeKey();
  const lastUse = async () => {
    const keys = await listKeys(house.db, dealer.account.id, house.clock.now());
    return keys.find(({ id }) => id === key.id)?.last_used_at;
  };
  const firstUse = house.clock.now().toISOString();
  await authenticate(token);
  expect(await waitFor(lastUse)).toBe(firstUse);
  house.clock.advance(59_999);
  await authenticate(token);
  expect(await lastUse()).toBe(firstUse);
  house.clock.advance(1);
  const secondUse = house.clock.now().toISOString();
  await authenticate(token);
  await waitFor(async () => (await lastUse()) === secondUse);
});
