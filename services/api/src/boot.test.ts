import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestDatabase, freePort } from "@cardvault/testkit";
import { describe, expect, test } from "vitest";

async function runProcess(entry: string, environment: Record<string, string>) {
  const file = fileURLToPath(new URL(entry, import.meta.url));
  const child = spawn(process.execPath, [file], { env: { PATH: "", ...environment } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => (output += bytes.toString()));
  }
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, ended, output: () => output };
}

describe("the process", () => {
  test.each(["./main.ts", "./main-local.ts"])(
    "%s serves, and ends when it is told to",
    async (entry) => {
      const database = await createTestDatabase();
      const dataFolder = await mkdtemp(join(tmpdir(), "cardvault-boot-"));
      const port = await freePort();
      const metricsPort = await freePort();
      const process = await runProcess(entry, {
        DATABASE_URL: database.url,
        PUBLIC_URL: `http://localhost:${port}`,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        DATA_DIR: dataFolder,
        RATE_LIMIT_STORE: "postgres",
        VAULT_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
      });
      await expect
        .poll(
          async () =>
            (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status,
          { timeout: 15_000 },
        )
        .toBe(200);
      const refused = await fetch(`http://127.0.0.1:${port}/cards`);
      expect(refused.status).toBe(401);
      expect(refused.headers.get("x-ratelimit-remaining")).toBe("59");
      const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      expect(await metrics.text()).toContain("vault_http_request_seconds");
      process.child.kill("SIGTERM");
      expect(await process.ended).toBe(0);
      expect(process.output()).not.toContain(Buffer.alloc(32, 7).toString("base64"));
      await database.drop();
      await rm(dataFolder, { recursive: true });
    },
  );

  test("without a configuration it says what is missing, and ends", async () => {
    const process = await runProcess("./main.ts", {});
    expect(await process.ended).toBe(1);
    expect(process.output()).toMatch(/DATABASE_URL is required/);
  });
});
