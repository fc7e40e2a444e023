import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, publicUrl } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { createPerson } from "./create-person.ts";
import { strangerLimit } from "./guess-limit.ts";
import { createSignIn } from "./sign-in.ts";
import { sessionPrincipal } from "./session-principal.ts";

let house: House;
let dealer: Dealer;
let serial = 0;
const password = "correct horse battery";

beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

type Sent = {
  body?: unknown;
  cookie?: string | undefined;
  origin?: string | null;
  address?: string;
};

/** A request under `/auth`, each from an address of its own unless told: the rate limit is per address. */
async function send(method: string, path: string, sent: Sent = {}, signIn = house.services.signIn) {
  const { body, cookie, origin = publicUrl } = sent;
  serial += 1;
  const headers = new Headers(origin === null ? {} : { origin });
  if (cookie !== undefined) headers.set("cookie", cookie);
  if (body !== undefined) headers.set("content-type", "application/json");
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const address = sent.address ?? `198.51.${Math.floor(serial / 250)}.${serial % 250}`;
  return signIn.handler(new Request(`${publicUrl}${path}`, init), address);
}

async function somebody() {
  serial += 1;
  const email = `person-${serial}@example.com`;
  return createPerson(house.services, { name: `Person ${serial}`, email, password });
}

async function signedIn(email: string): Promise<string> {
  const response = await send("POST", "/auth/sign-in/email", { body: { email, password } });
  expect(response.status).toBe(200);
  return cookiesOf(response);
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** Calls as the person of a cookie, in no account. */
async function callerOf(cookie: string) {
  const headers = new Headers({ cookie });
  return house.caller(await sessionPrincipal(house.services, headers, undefined));
}

const personOf = (cookie: string) => house.services.signIn.personOf(new Headers({ cookie }));

describe("POST /auth/sign-in/email", () => {
  test("200: a cookie that only this host gets, over TLS, out of reach of scripts", async () => {
    const { userId, email } = await somebody();
    const response = await send("POST", "/auth/sign-in/email", { body: { email, password } });
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-vault\.session_token=/);
    const attributes = cookie.toLowerCase().split("; ").slice(1);
    expect(attributes).toEqual(
      expect.arrayContaining(["path=/", "httponly", "secure", "samesite=lax"]),
    );
    expect(attributes.some((attribute) => attribute.startsWith("domain"))).toBe(false);
    expect((await personOf(cookiesOf(response)))?.userId).toBe(userId);
  });

  test("on a plain-HTTP start: without the prefix and Secure", async () => {
    const { email } = await somebody();
    const plain = await createSignIn({
      databaseUrl: house.databaseUrl,
      publicUrl,
      secret: "s".repeat(43),
      isPlainHttp: true,
      logger: house.services.logger,
      clock: house.services.clock,
      limiter: house.services.limiter,
    });
    const sent = { body: { email, password } };
    const response = await send("POST", "/auth/sign-in/email", sent, plain);
    const [cookie = ""] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^vault\.session_token=/);
    expect(cookie).not.toMatch(/secure/i);
    expect(cookie).toMatch(/httponly/i);
    await plain.close();
  });

  test("401 with the same body for a wrong password and an unknown address", async () => {
    const { email } = await somebody();
    const answers = await Promise.all(
      [email, "nobody@example.com"].map(async (address) => {
        const body = { email: address, password: "wrong horse battery" };
        const response = await send("POST", "/auth/sign-in/email", { body });
        return [response.status, await response.text()];
      }),
    );
    expect(answers[0]?.[0]).toBe(401);
    expect(answers[0]).toEqual(answers[1]);
  });

  test.each([null, "https://evil.example.com", "null", `${publicUrl}.evil.example`])(
    "403 from the origin %j",
    async (origin) => {
      const { email } = await somebody();
      const response = await send("POST", "/auth/sign-in/email", {
        origin,
        body: { email, password },
      });
      expect(response.status).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
    },
  );

  test("the session's token stands in the cookie alone, and not in what a script reads", async () => {
    const { email } = await somebody();
    const response = await send("POST", "/auth/sign-in/email", { body: { email, password } });
    const [{ token } = { token: "" }] = await house.db.query<{ token: string }>(
      `select token from auth."session" order by "createdAt" desc limit 1`,
    );
    expect(response.headers.getSetCookie().join()).toContain(token);
    expect(await response.text()).toBe("{}");
  });

  test("a cookie that was planted before is worth nothing afterwards", async () => {
    const [attacker, victim] = [await somebody(), await somebody()];
    for (const planted of [
      "__Host-vault.session_token=chosen.by-somebody",
      await signedIn(attacker.email),
      await signedIn(victim.email),
    ]) {
      const response = await send("POST", "/auth/sign-in/email", {
        cookie: planted,
        body: { email: victim.email, password },
      });
      const cookie = cookiesOf(response);
      expect(cookie).not.toContain(planted.split("=")[1]?.split(".")[0]);
      expect((await personOf(cookie))?.userId).toBe(victim.userId);
      // Neither the victim's nor the attacker's: it has ended on the server.
      expect(await personOf(planted)).toBeNull();
    }
  });

  test("guesses from many addresses are held up, and lock nobody out who was here before", async () => {
    const { email } = await somebody();
    const own = cookiesOf(await send("POST", "/auth/sign-in/email", { body: { email, password } }));
    const device = own.split("; ").find((cookie) => cookie.includes(".device=")) ?? "";
    const guess = (address: string, cookie?: string) =>
      send("POST", "/auth/sign-in/email", {
        cookie,
        body: { email: address, password: "wrong horse battery" },
      });
    for (const [address, before] of [
      [email, 1],
      ["nobody-at-all@example.com", 0],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: strangerLimit + 2 - before }, () => guess(address)),
      );
      const statuses = answers.map(({ status }) => status);
      // Known or not, it is answered alike.
      expect(statuses.filter((status) => status === 401)).toHaveLength(strangerLimit - before);
      expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    }
    const refused = await guess(email.toUpperCase());
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // A made-up mark, and the mark of somebody else's browser, are a stranger's.
    const other = await somebody();
    const foreign = (await signedIn(other.email)).split("; ").find((c) => c.includes(".device="));
    expect((await guess(email, "__Host-vault.device=made.up")).status).toBe(429);
    expect((await guess(email, foreign)).status).toBe(429);
    const customer = { cookie: device, body: { email, password } };
    expect((await send("POST", "/auth/sign-in/email", customer)).status).toBe(200);
  });

  test("429 with Retry-After for guesses from one address, whatever header it sends", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const body = { email: "nobody@example.com", password: "wrong horse battery" };
      const sent = { body, address: "203.0.113.9" };
      const response = await send("POST", "/auth/sign-in/email", sent);
      statuses.push(response.status);
      if (response.status === 429)
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});

test.each([
  ["POST", "/auth/sign-up/email"],
  ["POST", "/auth/update-user"],
  ["POST", "/auth/change-email"],
  ["POST", "/auth/delete-user"],
  ["GET", "/auth/ok"],
  ["GET", "/auth/get-session"],
  ["POST", "/auth/request-password-reset"],
])("404: nothing else of the library can be reached: %s %s", async (method, path) => {
  const body = { name: "x", email: "new@example.com", password };
  const response = await send(method, path, method === "POST" ? { body } : {});
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: "route_not_found" } });
});

test("405 for the wrong method", async () => {
  const response = await send("GET", "/auth/sign-out");
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

describe("a session", () => {
  test("ends by signing out, at once and on the server", async () => {
    const { email } = await somebody();
    const cookie = await signedIn(email);
    await send("POST", "/auth/sign-out", { cookie, body: {} });
    expect(await personOf(cookie)).toBeNull();
  });

  test("can be ended from another one", async () => {
    const { email } = await somebody();
    const [lost, other, present] = [
      await signedIn(email),
      await signedIn(email),
      await signedIn(email),
    ];
    const asPerson = await callerOf(present);
    const { data } = await asPerson.signIn.sessions();
    expect(data.map((session) => session.is_current)).toEqual([true, false, false]);
    // What is shown of a session does not open it.
    const tokens = await house.db.query<{ token: string }>('select token from auth."session"');
    for (const { token } of tokens) expect(JSON.stringify(data)).not.toContain(token);

    const lostId = (await personOf(lost))?.sessionId ?? "";
    expect(await asPerson.signIn.endSession({ id: lostId })).toEqual({ ended: 1 });
    expect(await personOf(lost)).toBeNull();
    expect(await personOf(other)).not.toBeNull();
    expect(await asPerson.signIn.endOtherSessions()).toEqual({ ended: 1 });
    expect(await personOf(other)).toBeNull();
    expect(await personOf(present)).not.toBeNull();
  });

  test("of somebody else is not found", async () => {
    const [own, foreign] = [await somebody(), await somebody()];
    const foreignCookie = await signedIn(foreign.email);
    const asPerson = await callerOf(await signedIn(own.email));
    const id = (await personOf(foreignCookie))?.sessionId ?? "";
    await expect(asPerson.signIn.endSession({ id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await asPerson.signIn.endOtherSessions()).toEqual({ ended: 0 });
    expect(await personOf(foreignCookie)).not.toBeNull();
  });

  test("a changed password ends the others, whatever the request says", async () => {
    const { email } = await somebody();
    const [lost, present] = [await signedIn(email), await signedIn(email)];
    const body = {
      currentPassword: password,
      newPassword: "another horse battery",
      revokeOtherSessions: false,
    };
    const response = await send("POST", "/auth/change-password", { cookie: present, body });
    expect(response.status).toBe(200);
    expect(await personOf(lost)).toBeNull();
    expect(await personOf(cookiesOf(response))).not.toBeNull();
  });

  test("shows the name that its person chose", async () => {
    const { email } = await somebody();
    const cookie = await signedIn(email);
    await (await callerOf(cookie)).signIn.rename({ name: "Robin Vale" });
    expect((await personOf(cookie))?.name).toBe("Robin Vale");
  });

  test("does not open with a changed cookie", async () => {
    const { email } = await somebody();
    const cookie = await signedIn(email);
    expect(
      await personOf(cookie.replace(/=(.)/, (_, first) => `=${first === "a" ? "b" : "a"}`)),
    ).toBeNull();
  });
});

describe("a reset link", () => {
  test("is not guessed: ten tries a minute from an address", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) {
      const body = { newPassword: "another horse battery", token: `guess-${i}` };
      const sent = { body, address: "203.0.113.77" };
      statuses.push((await send("POST", "/auth/reset-password", sent)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });

  test("sets a new password once, and ends every session", async () => {
    const { userId, email } = await somebody();
    const cookie = await signedIn(email);
    const link = await house.services.signIn.createResetLink(userId);
    expect(link.startsWith(`${publicUrl}/auth/reset#token=`)).toBe(true);
    const token = new URL(link).hash.replace("#token=", "");
    const stored = JSON.stringify(await house.db.query(`select * from auth."verification"`));
    expect(stored).not.toContain(token);
    const body = { newPassword: "another horse battery", token };
    const first = await send("POST", "/auth/reset-password", { body });
    expect(first.status).toBe(200);
    expect(await personOf(cookie)).toBeNull();
    const second = await send("POST", "/auth/reset-password", { body });
    expect(second.status).toBe(400);
    const old = await send("POST", "/auth/sign-in/email", { body: { email, password } });
    expect(old.status).toBe(401);
  });
});

describe("createPerson", () => {
  test("409 conflict for an address in any case", async () => {
    const { email } = await somebody();
    const again = createPerson(house.services, { name: "x", email: email.toUpperCase(), password });
    await expect(again).rejects.toMatchObject({ code: "conflict" });
  });

  test("400 validation_failed for a short password", async () => {
    const short = createPerson(house.services, {
      name: "x",
      email: "s@example.com",
      password: "s",
    });
    await expect(short).rejects.toMatchObject({ code: "validation_failed" });
  });
});

describe("sessionPrincipal", () => {
  test("null where nobody is signed in", async () => {
    expect(await sessionPrincipal(house.services, new Headers(), dealer.account.id)).toBeNull();
  });

  test("the same for no account, one that never was, and one of others", async () => {
    const { userId, email } = await somebody();
    const headers = new Headers({ cookie: await signedIn(email) });
    const named = [undefined, "nonsense", "acc_01kjn2z6g0fgz9pqafd9r83gq3", dealer.account.id];
    for (const accountId of named) {
      const principal = await sessionPrincipal(house.services, headers, accountId);
      expect(principal).toMatchObject({ kind: "person", userId });
      expect(principal).not.toHaveProperty("accountId");
    }
  });

  test("membership is looked up each time", async () => {
    const person = await somebody();
    const headers = new Headers({ cookie: await signedIn(person.email) });
    const { members } = dealer.asOwner.accounts;
    const { link } = await members.invite({ email: person.email, role: "owner" });
    const kinds = async () =>
      (await sessionPrincipal(house.services, headers, dealer.account.id))?.kind;
    expect(await kinds()).toBe("person");
    const asPerson = { ...dealer.owner, ...person, kind: "person" } as const;
    await house.caller(asPerson).signIn.acceptInvitation({ token: new URL(link).hash.slice(7) });
    expect(await sessionPrincipal(house.services, headers, dealer.account.id)).toMatchObject({
      kind: "session",
      role: "owner",
      currency: "USD",
      isSuspended: false,
    });
    await members.remove({ user_id: person.userId });
    expect(await kinds()).toBe("person");
  });
});

test("the tables of the migration are those that the library wants", async () => {
  const { getMigrations } = await import("better-auth/db/migration");
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: house.databaseUrl,
    options: "-c search_path=auth",
  });
  const { toBeCreated, toBeAdded } = await getMigrations({
    database: pool,
    rateLimit: { enabled: true, storage: "database" },
    logger: { disabled: true },
  });
  await pool.end();
  expect([toBeCreated, toBeAdded]).toEqual([[], []]);
});
