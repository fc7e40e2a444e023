import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clientTypes, formatted, packClient } from "@cardvault/client-tools";
import { waitFor } from "@cardvault/testkit";
import { expect, test } from "vitest";
import { quietPort } from "./ports.ts";
import { root } from "./program.ts";
import { openShop } from "./shop.ts";
import { openStack } from "./stack.ts";

const run = promisify(execFile);

test("the client's types are those of the API description", async () => {
  const file = join(root, "libs/client/src/openapi.ts");
  expect(await readFile(file, "utf8")).toBe(formatted(await clientTypes()));
});

test(
  "packed, installed into an empty project, its examples run against the service",
  { timeout: 60_000 },
  async (end) => {
    const folder = await mkdtemp(join(tmpdir(), "cardvault-client-"));
    end.onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const tarball = packClient(folder);
    await writeFile(join(folder, "package.json"), '{ "name": "customer", "type": "module" }');
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: folder });
    await cp(join(root, "libs/client/examples"), folder, { recursive: true });

    const stack = await openStack(end, { store: "postgres" });
    await Promise.all([stack.api.start(), stack.worker.start()]);
    const shop = await openShop(stack);
    const session = await shop.signIn();
    const environment = { VAULT_URL: stack.url, VAULT_API_KEY: shop.token };
    const options = (more: Readonly<Record<string, string>> = {}) => ({
      cwd: folder,
      env: { PATH: process.env["PATH"], ...environment, ...more },
    });
    /** What an example prints; one that ends badly prints too. */
    const example = (name: string, ...args: string[]): Promise<string> =>
      run(process.execPath, [`${name}.mjs`, ...args], options()).then(
        ({ stdout }) => stdout,
        (error: unknown) => (error as { stdout: string }).stdout,
      );
    /** One that goes on until it is ended. */
    const begin = (name: string, more: Readonly<Record<string, string>>) => {
      const child = spawn(process.execPath, [`${name}.mjs`], {
        ...options(more),
        stdio: ["ignore", "pipe", "inherit"],
      });
      end.onTestFinished(async () => void child.kill());
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
      return {
        says: (text: string) =>
          waitFor(() => printed.includes(text), { deadlineMs: 20_000, what: `“${text}”` }),
        printed: () => printed,
        kill: () => child.kill("SIGKILL"),
      };
    };

    const [card] = await session.createCards([{ title: "Ember Drake", number: "4/102" }]);
    const id = card?.id ?? "";
    const port = await quietPort();
    const { secret } = await shop.receive(`http://127.0.0.1:${port}/`);
    const receiver = begin("receive-webhooks", { PORT: String(port), VAULT_SECRET: secret });
    await receiver.says("listening");

    const follower = begin("follow-changes", {});
    await follower.says(`${id} version 1: Ember Drake`);

    expect(await example("price-card", id, "1250")).toBe("Ember Drake is priced, version 2\n");
    expect(await example("list-cards")).toBe("Ember Drake 4/102: 12.50 USD\n");
    expect(await example("price-card", id, "-1")).toContain("Refused: validation_failed");
    expect(await example("price-card", "card_unknown", "1")).toContain("Refused: card_not_found");
    await receiver.says("card.priced");
    await follower.says(`${id} version 2: Ember Drake`);

    // Killed and begun again it goes on at its checkpoint.
    follower.kill();
    const again = begin("follow-changes", {});
    const [other] = await session.createCards([{ title: "Tide Warden" }]);
    await again.says(`${other?.id} version 1: Tide Warden`);
    expect(again.printed()).not.toContain("version 1: Ember Drake");
  },
);
