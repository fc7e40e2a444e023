import { randomBytes } from "node:crypto";
import { accountHeader } from "@cardvault/contract";
import { waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { expectNoSecrets } from "./no-secrets.ts";
import { quietPort } from "./ports.ts";
import { statusOf } from "./program.ts";
import { deliveriesTo } from "./rows.ts";
import { openShop } from "./shop.ts";
import { openStack, startStack } from "./stack.ts";

// Every stack of these tests is searched when its test ends; here everything goes wrong that can put a
// secret into an error. The services log at their most talkative level.

test("what goes wrong with secrets at hand is logged without them", async (context) => {
  const stack = await startStack(context, { store: "postgres" });
  const shop = await openShop(stack);
  const session = await shop.signIn();
  const wrong = {
    token: `cv_test_${randomBytes(19).toString("hex")}`,
    password: `wrong-${randomBytes(9).toString("hex")}`,
    inUrl: randomBytes(12).toString("hex"),
  };
  for (const secret of Object.values(wrong)) stack.secrets.add(secret);

  const asked = await Promise.all([
    ask(`${stack.url}/cards`, { headers: { authorization: `Bearer ${wrong.token}` } }),
    ask(`${stack.url}/cards?token=${shop.token}`, {
      headers: { authorization: `Bearer ${shop.token}` },
    }),
    ask(`${stack.url}/cards/card_1`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${shop.token}`, "content-type": "application/json" },
      body: `{"secret": "${wrong.password}", `,
    }),
    ask(`${stack.url}/auth/sign-in/email`, {
      method: "POST",
      headers: { origin: stack.publicUrl, "content-type": "application/json" },
      body: JSON.stringify({ email: shop.email, password: wrong.password }),
    }),
    ask(`${stack.url}/auth/reset-password`, {
      method: "POST",
      headers: { origin: stack.publicUrl, "content-type": "application/json" },
      body: JSON.stringify({ newPassword: wrong.password, token: wrong.token }),
    }),
    ask(`${stack.url}/trpc/keys.create`, {
      method: "POST",
      headers: {
        origin: stack.publicUrl,
        cookie: session.cookie,
        [accountHeader]: shop.accountId,
        "content-type": "application/json",
      },
      body: `{"name": "${wrong.password}", `,
    }),
  ]);
  expect(asked.map(({ status }) => status)).toEqual([401, 400, 400, 401, 400, 400]);
  // Nor does an answer repeat what it was sent.
  expectNoSecrets(asked.map(({ text }) => text).join("\n"), stack.secrets);

  // A receiver with a secret in its address, where nobody listens.
  const [card] = await session.createCards([{ title: "Lantern Fox" }]);
  const endpoint = await shop.receive(
    `http://127.0.0.1:${await quietPort()}/hook/${wrong.inUrl}?key=${wrong.inUrl}`,
  );
  const price = { amount: 700, currency: "USD" };
  await shop.call("PATCH", `/cards/${card?.id}`, { asking_price: price });
  await waitFor(async () =>
    (await deliveriesTo(stack, endpoint.id)).some(({ status }) => status === "retrying"),
  );
  // The line reaches us after the row: it comes through a pipe.
  await waitFor(() => stack.worker.output.includes("connect_failed"));

  // Every connection to the database is cut while it is used; then the services go on.
  await stack.services.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'cardvault%' and pid <> pg_backend_pid()`,
  );
  await waitFor(async () => (await shop.call("GET", "/cards")).status === 200);
  await waitFor(async () => (await statusOf(`${stack.workerUrl}/readyz`)) === 200);
  await waitFor(() => /connection/iu.test(stack.api.output + stack.worker.output));
}, 60_000);

test("a MongoDB that is not there is told of without its password", async (context) => {
  const password = randomBytes(12).toString("hex");
  const url = `mongodb://vault:${password}@127.0.0.1:${await quietPort()}/vault`;
  const stack = await openStack(context, {
    store: "postgres",
    environment: { JOB_STORE: "mongodb", MONGODB_URL: url },
  });
  stack.secrets.add(password);
  stack.worker.launch();
  await waitFor(() => stack.worker.output.includes("the job store is away"), {
    deadlineMs: 20_000,
  });
  expect(await statusOf(`${stack.workerUrl}/readyz`)).toBe(503);
  expect(stack.worker.output).toContain("ECONNREFUSED");
}, 60_000);

test.each([
  ["a given secret", "a line with s3cret-value in it"],
  ["a token", `"msg":"cv_live_${"a1B2".repeat(9)}xY"`],
  ["a signing secret", 'secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"'],
  ["an authorization header", '"authorization":"Bearer abcdefghijkl"'],
  ["a cookie", '"cookie":"vault.session_token=abcdefghijkl"'],
])("the search finds %s", (_name, line) => {
  expect(() => expectNoSecrets(`first\n${line}\n`, new Set(["s3cret-value"]))).toThrow(
    "lines of a log that hold a secret",
  );
  expect(() => expectNoSecrets(`first\nlast\n`, new Set(["s3cret-value"]))).not.toThrow();
});

async function ask(
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
}
