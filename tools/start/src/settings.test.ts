import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { encryptionKeys, readSettings, StartError } from "./settings.ts";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "cardvault-settings-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test("another PORT moves every port, so that two starts run side by side", () => {
  const first = readSettings({});
  const second = readSettings({ PORT: "3100" });
  const ports = (settings: typeof first) => [
    settings.port,
    settings.receiverPort,
    settings.apiMetricsPort,
    settings.workerMetricsPort,
    settings.sandboxPort,
  ];
  expect(new Set([...ports(first), ...ports(second)]).size).toBe(10);
});

test.each(["0", "65536", "80a", "-1", "3000.5"])("PORT=%s is refused by name", (text) => {
  expect(() => readSettings({ PORT: text })).toThrow(/^PORT is /u);
});

test("a relative DATA_DIR starts where the command was typed", () => {
  expect(readSettings({ DATA_DIR: "there", INIT_CWD: dataDir }).dataDir).toBe(
    join(dataDir, "there"),
  );
});

test("the sealing key is made once, and only its owner can read it", async () => {
  const settings = readSettings({ DATA_DIR: dataDir });
  const made = await encryptionKeys(settings, {});
  expect(Buffer.from(made.split(":")[1] ?? "", "base64")).toHaveLength(32);
  expect(await encryptionKeys(settings, {})).toBe(made);
  const file = join(dataDir, "encryption-keys");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file, "utf8")).trim()).toBe(made);
});

test("a database of the user's own needs a configured key", async () => {
  const settings = readSettings({ DATA_DIR: dataDir, DATABASE_URL: "postgres://elsewhere/x" });
  await expect(encryptionKeys(settings, {})).rejects.toThrow(StartError);
  expect(await encryptionKeys(settings, { VAULT_ENCRYPTION_KEYS: "k9:abc" })).toBe("k9:abc");
});
