import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Card } from "@cardvault/contract";
import { waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { expectNoSecrets } from "./no-secrets.ts";
import { portsBeside, quietPort } from "./ports.ts";
import { Program, root } from "./program.ts";

const section = "A tour with curl";
const marker = "=== the next block ===";

/** The fenced `sh` blocks of a section, in turn. */
function blocksOf(markdown: string, title: string): string[] {
  const [, text = ""] = markdown.split(`\n## ${title}\n`);
  const [own = ""] = text.split("\n## ");
  return [...own.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block = ""]) => block);
}

/** What each block printed, pasted one after the other into one shell in the repository's folder. */
async function paste(
  blocks: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const shell = spawn("bash", ["--noprofile", "--norc", "-s"], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  }
  shell.stdin.end(blocks.join(`\necho; echo '${marker}'\n`));
  await new Promise((resolve) => shell.once("close", resolve));
  return printed.split(`${marker}\n`);
}

test("the README's tour works as pasted", async ({ onTestFinished }) => {
  const dataDir = await mkdtemp(join(tmpdir(), "cardvault-e2e-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(dataDir, 0o755);
  const port = await quietPort([0, ...portsBeside]);
  const { MONGOD_PATH } = process.env;
  const place = { PORT: String(port), DATA_DIR: dataDir };
  const service = new Program({
    file: "tools/start/src/main.ts",
    environment: { ...place, ...(MONGOD_PATH === undefined ? {} : { MONGOD_PATH }) },
  });
  service.launch();
  onTestFinished(async () => void (await service.stop()));
  await waitFor(() => service.output.includes("is ready") || service.hasEndedByItself, {
    deadlineMs: 90_000,
    what: "the start",
  });
  expect(service.output).toContain("is ready");

  const blocks = blocksOf(await readFile(join(root, "README.md"), "utf8"), section);
  expect(blocks).toHaveLength(5);
  const [listed = "", priced = "", conditional = "", repeated = "", polled = ""] = await paste(
    blocks,
    place,
  );

  const { data } = JSON.parse(listed) as { data: Card[] };
  expect(data).toHaveLength(3);
  for (const card of data) {
    expect(card).toMatchObject({ workflow_status: "identified", asking_price: null });
  }

  expect(priced).toMatch(/^HTTP\/1\.1 200 /u);
  const card = JSON.parse(priced.slice(priced.indexOf("{"))) as Card;
  expect(card).toMatchObject({
    id: data[0]?.id,
    workflow_status: "priced",
    asking_price: { amount: 1250, currency: "USD" },
  });
  await waitFor(
    () =>
      /card\.priced  evt_\S+  signature verified/u.test(service.output) &&
      service.output.includes(`"card_id":"${card.id}","asking_price"`),
    { what: "card.priced at the example receiver" },
  );

  expect(conditional).toMatch(/^HTTP\/1\.1 304 /u);
  expect(conditional).toContain('"code":"precondition_failed"');

  const lines = repeated.trim().toLowerCase().split(/\r?\n/u);
  expect(lines.filter((line) => line.startsWith("http/"))).toEqual([
    "http/1.1 200 ok",
    "http/1.1 200 ok",
  ]);
  expect(lines.filter((line) => line === "idempotent-replayed: true")).toHaveLength(1);
  expect(new Set(lines.filter((line) => line.startsWith("etag:")))).toEqual(
    new Set([`etag: "${card.version + 1}"`]),
  );

  const [page = "", error = ""] = polled.trim().split("\n");
  const { data: changed } = JSON.parse(page) as { data: Card[] };
  expect(changed.length).toBeGreaterThan(0);
  expect(JSON.parse(error)).toMatchObject({ error: { code: "card_not_found", status: 404 } });

  expect(await service.stop()).toBe(0);
  const credentials = JSON.parse(
    await readFile(join(dataDir, "credentials.json"), "utf8"),
  ) as Record<string, string>;
  const [, key = ""] = (await readFile(join(dataDir, "encryption-keys"), "utf8")).trim().split(":");
  const { password = "", token = "", webhookSecret = "" } = credentials;
  const secrets = new Set([password, token, webhookSecret, key]);
  expect([...secrets].every((secret) => secret.length > 10)).toBe(true);
  const logs = join(dataDir, "logs");
  const names = await readdir(logs);
  expect(names.toSorted()).toEqual(["api.log", "receiver.log", "sandbox.log", "worker.log"]);
  const texts = await Promise.all(names.map((name) => readFile(join(logs, name), "utf8")));
  expectNoSecrets(texts.join(""), secrets);
}, 150_000);
