import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packClient } from "@cardvault/client-tools";
import { scopes } from "@cardvault/contract";
import type { Card } from "@cardvault/contract";
import { createKey } from "@cardvault/core";
import { guides, placeholders } from "@cardvault/guides";
import type { Guide } from "@cardvault/guides";
import { toId, toUuid } from "@cardvault/kit";
import { expect, test } from "vitest";
import { readGuide } from "./guide-reader.ts";
import type { GuidePlace } from "./guide-reader.ts";
import { quietPort } from "./ports.ts";
import { openShop } from "./shop.ts";
import type { Shop } from "./shop.ts";
import { startStack } from "./stack.ts";
import type { Stack, TestEnd } from "./stack.ts";

/** The cards that a guide's account has; the first is the one that its examples change. */
const serpent = {
  title: "Charged Serpent",
  set: "Ember Coast",
  number: "12/142",
  condition: "near_mint",
} as const;
const cardsOf: Readonly<Record<string, readonly { title: string }[]>> = {
  polling: [serpent, { title: "Tidewing Drake" }, { title: "Ember Warden" }],
};

/** A folder of a reader's own: the client's package is there, and the library of Standard Webhooks installed. */
async function openFolder(end: TestEnd): Promise<string> {
  const above = await mkdtemp(join(tmpdir(), "cardvault-guides-"));
  end.onTestFinished(() => rm(above, { recursive: true, force: true, maxRetries: 5 }));
  const folder = join(above, "project");
  await mkdir(join(above, "node_modules"), { recursive: true });
  await mkdir(folder);
  const library = join(fileURLToPath(import.meta.resolve("standardwebhooks")), "../..");
  await symlink(library, join(above, "node_modules/standardwebhooks"));
  await writeFile(join(folder, "package.json"), '{ "name": "reader", "private": true }');
  packClient(folder);
  return folder;
}

interface Account {
  readonly shop: Shop;
  readonly session: Awaited<ReturnType<Shop["signIn"]>>;
}

async function openAccount(stack: Stack): Promise<Account> {
  const shop = await openShop(stack, "test", { hasUsualLimits: true });
  return { shop, session: await shop.signIn() };
}

/** A key of this guide's own with the usual limits, its cards, and what its reader does on the pages. */
async function openPlace(
  stack: Stack,
  { shop, session }: Account,
  guide: Guide,
  folder: string,
): Promise<GuidePlace> {
  const { token } = await createKey(stack.services, shop.access, { name: guide.title, scopes });
  stack.secrets.add(token);
  const cards: Card[] = [];
  for (const card of cardsOf[guide.slug] ?? [serpent]) {
    cards.push(...(await session.createCards([card])));
  }
  const port = String(await quietPort());
  const real = new Map<string, string>([
    [placeholders.origin, stack.url],
    [placeholders.apiKey, token],
    [placeholders.cardId, cards[0]?.id ?? ""],
    [placeholders.receiverPort, port],
  ]);
  let endpointId = "";
  const call = async <Answer>(procedure: string, input: unknown): Promise<Answer> => {
    const { status, body } = await session.call(procedure, input);
    if (status !== 200) throw new Error(`${procedure} was answered ${JSON.stringify(body)}`);
    return body.result?.data as Answer;
  };
  return {
    folder,
    fill(text) {
      let filled = text;
      for (const [open, value] of real) filled = filled.replaceAll(open, value);
      const left = /\w+_YOUR_\w+|vault\.example\.com/u.exec(filled);
      if (left !== null) throw new Error(`${guide.slug} leaves ${left[0]} open`);
      return filled;
    },
    actions: {
      async register() {
        const made = await shop.receive(`http://127.0.0.1:${port}/`);
        endpointId = made.id;
        real.set(placeholders.secret, made.secret);
      },
      async "send-test-event"() {
        const input = { id: endpointId, event: "batch.completed" };
        const attempt = await call<{ delivered: boolean }>("webhooks.endpoints.test", input);
        expect(attempt.delivered).toBe(true);
      },
      async redeliver() {
        const [event] = await stack.services.db.query<{ id: string }>(
          "select id from webhook_event where account_id = $1 and type = 'card.priced' order by id desc limit 1",
          [toUuid(shop.accountId, "acc")],
        );
        const input = { event_id: toId("evt", event?.id ?? ""), endpoint_id: endpointId };
        await call("events.redeliver", input);
      },
      async "rotate-secret"() {
        const input = { id: endpointId, switch: "24h" };
        const { secret } = await call<{ secret: string }>("webhooks.endpoints.rotate", input);
        stack.secrets.add(secret);
        real.set(placeholders.nextSecret, secret);
      },
      async "switch-secret"() {
        await call("webhooks.endpoints.switchNow", { id: endpointId });
      },
    },
  };
}

test("everything that the guides show is so", { timeout: 120_000 }, async (end) => {
  const folder = await openFolder(end);
  const stack = await startStack(end, { store: "postgres" });
  // The first guide shows a whole list, and polling every card: what others make must not be there.
  const usual = await openAccount(stack);
  const polled = await openAccount(stack);
  const problems: string[] = [];
  for (const guide of guides) {
    const account = guide.slug === "polling" ? polled : usual;
    problems.push(...(await readGuide(guide, await openPlace(stack, account, guide, folder))));
  }
  expect(problems.join("\n\n")).toBe("");
});
