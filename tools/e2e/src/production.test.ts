import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "@cardvault/contract";
import { createEndpoint } from "@cardvault/core";
import { startReceiver, waitFor } from "@cardvault/testkit";
import { describe, expect, test } from "vitest";
import { portsBeside, quietPort } from "./ports.ts";
import { Program } from "./program.ts";
import { attemptsAt, deliveriesTo } from "./rows.ts";
import { openShop } from "./shop.ts";
import { openStack } from "./stack.ts";

/** What somebody might hope to loosen an installation with; among it every variable that there is of ports. */
function hopefulEnvironment(port: number): Record<string, string> {
  return {
    NODE_ENV: "development",
    WEBHOOK_PORTS: String(port),
    ALLOW_LOOPBACK: "1",
    ALLOW_LOOPBACK_RECEIVERS: "true",
    ALLOWS_LOOPBACK_RECEIVERS: "true",
    CARDVAULT_ALLOW_LOOPBACK: "true",
    IS_PLAIN_HTTP: "true",
    RECEIVER_PORT: String(port),
    TRUST_PROXY: "9",
  };
}

function insideAddresses(port: number): string[] {
  return [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `https://localhost:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://2130706433:${port}/`,
    `https://0x7f.1:${port}/`,
    `http://receiver.example.com/`,
  ];
}

describe.concurrent("the entry files of an installation", () => {
  test("refuse a receiver on this machine, whatever the account and the environment", async (context) => {
    const receiver = await startReceiver();
    context.onTestFinished(() => receiver.stop());
    const environment = hopefulEnvironment(receiver.port);
    const stack = await openStack(context, { store: "postgres", kind: "production", environment });
    await Promise.all([stack.api.start(), stack.worker.start()]);
    for (const kind of ["live", "test"] satisfies Environment[]) {
      const shop = await openShop(stack, kind);
      const session = await shop.signIn();
      for (const url of insideAddresses(receiver.port)) {
        const { status, body } = await session.call("webhooks.endpoints.create", {
          url,
          events: ["card.priced"],
        });
        expect({ url, status, data: body.error?.data }).toEqual({
          url,
          status: 400,
          data: expect.objectContaining({ code: "validation_failed" }) as unknown,
        });
      }
    }
    // One that got into the database another way is not called either.
    const shop = await openShop(stack);
    const session = await shop.signIn();
    const [card] = await session.createCards([{ title: "Hollow Stag" }]);
    const config = { ...stack.services.config, allowsLoopbackReceivers: true };
    const { endpoint } = await createEndpoint({ ...stack.services, config }, shop.access, {
      url: receiver.url,
      events: ["card.priced"],
    });
    const price = { amount: 100, currency: "USD" };
    await shop.call("PATCH", `/cards/${card?.id}`, { asking_price: price });
    await waitFor(async () => (await deliveriesTo(stack, endpoint.id))[0]?.status === "retrying");
    expect(await attemptsAt(stack, endpoint.id)).toMatchObject([
      { status_code: null, error_code: "url_refused" },
    ]);
    expect(receiver.requests).toEqual([]);
  }, 60_000);

  test("set a session's cookie so that no other host, script or plain HTTP gets it", async (context) => {
    const stack = await openStack(context, { store: "postgres", kind: "production" });
    await stack.api.start();
    const shop = await openShop(stack, "live");
    const { setCookies } = await shop.signIn();
    expect(setCookies.length).toBeGreaterThan(0);
    for (const line of setCookies) {
      const [pair = "", ...attributes] = line.split("; ");
      expect(pair).toMatch(/^__Host-/u);
      expect(attributes.map((attribute) => attribute.toLowerCase())).toEqual(
        expect.arrayContaining(["secure", "httponly", "samesite=lax", "path=/"]),
      );
      expect(line).not.toMatch(/;\s*domain=/iu);
    }
  }, 60_000);

  test.for(["services/api/src/main.ts", "services/worker/src/main.ts", "tools/start/src/main.ts"])(
    "%s does not start with a database and no encryption key, and says why",
    { timeout: 60_000 },
    async (file, { onTestFinished }) => {
      const databaseUrl = "postgres://vault:a-password@127.0.0.1:1/vault";
      const folder = await mkdtemp(join(tmpdir(), "cardvault-e2e-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const program = new Program({
        file,
        environment: {
          DATABASE_URL: databaseUrl,
          PUBLIC_URL: "https://vault.example.com",
          DATA_DIR: folder,
          PORT: String(await quietPort([0, ...portsBeside])),
        },
      });
      program.launch();
      expect(await program.ended).toBe(1);
      expect(program.output).toMatch(/VAULT_ENCRYPTION_KEYS/u);
      expect(program.output).toMatch(
        /secrets (?:in that database )?are (?:stored encrypted|sealed)/u,
      );
      expect(program.output).not.toContain("a-password");
      expect(program.output).not.toContain("    at ");
    },
  );
});
