import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "@cardvault/postgres";
import { describe, expect, test } from "vitest";
import { findMongod, startMongod } from "./index.ts";

const program = await findMongod();

describe.skipIf(program === undefined)("the MongoDB launcher", () => {
  test("stops a server that an earlier, killed start left running on the folder", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "cardvault-mongod-"));
    const first = await startMongod({ program: program ?? "", dataDir });
    const second = await startMongod({ program: program ?? "", dataDir });
    expect(isAlive(first.processId)).toBe(false);
    await second.stop();
    expect(isAlive(second.processId)).toBe(false);
    await rm(dataDir, { recursive: true, force: true });
  });
});

test("a MONGOD_PATH that names no program is an error, not a silent fallback", async () => {
  await expect(findMongod({ MONGOD_PATH: "/nowhere/mongod" })).rejects.toThrow("/nowhere/mongod");
});

test("without a setting and with an empty PATH it finds none, or the fetched one", async () => {
  const found = await findMongod({ PATH: "" });
  expect(found === undefined || found.includes(".cache")).toBe(true);
});
