import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataFolder } from "./lock.ts";

let dataDir = "";
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "cardvault-lock-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test("a folder in use is refused with the way out", async () => {
  // A process that looks like a start: its command line names tools/start.
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "tools/start"]);
  await once(other, "spawn");
  await writeFile(join(dataDir, "start.lock"), String(other.pid));
  await expect(lockDataFolder(dataDir)).rejects.toThrow(/runs already.*\n.*DATA_DIR=/u);

  // The same lock once its process was killed is stale, and taken over.
  other.kill("SIGKILL");
  await once(other, "exit");
  const lock = await lockDataFolder(dataDir);
  expect(lock.wasLeft).toBe(true);
  await lock.release();
  expect((await lockDataFolder(dataDir)).wasLeft).toBe(false);
});

test("a lock whose process id another program has by now is taken over", async () => {
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(other, "spawn");
  await writeFile(join(dataDir, "start.lock"), String(other.pid));
  expect((await lockDataFolder(dataDir)).wasLeft).toBe(true);
  other.kill("SIGKILL");
});

test("an unreadable lock is taken over", async () => {
  await writeFile(join(dataDir, "start.lock"), "");
  expect((await lockDataFolder(dataDir)).wasLeft).toBe(true);
});
