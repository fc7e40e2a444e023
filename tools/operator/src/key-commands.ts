import { scopes } from "@cardvault/contract";
import type { Scope } from "@cardvault/contract";
import { createKey, operatorAccess, revokeKey } from "@cardvault/core";
import { listKeys } from "@cardvault/db";
import { Option } from "commander";
import type { Command } from "commander";
import type { Desk } from "./desk.ts";

export function addKeyCommands(program: Command, desk: Desk): void {
  const key = program.command("key").description("make, list and revoke API keys");

  key
    .command("create <account>")
    .description("make a key; its token is shown here and never again")
    .requiredOption("--name <name>", "what the key is for")
    .addOption(
      new Option("--scopes <scope...>", "all unless told")
        .choices([...scopes])
        .default([...scopes]),
    )
    .action((id: string, options: { name: string; scopes: Scope[] }) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const made = await createKey(services, access, options);
        desk.say(`key    ${made.key.id}  ${made.key.name}`);
        desk.say(`token  ${made.token}`);
      }),
    );

  key
    .command("list <account>")
    .description("the account's keys, the latest made first")
    .action((id: string) =>
      desk.run(async ({ services, actor }) => {
        const { accountId } = await operatorAccess(services.db, id, actor.id);
        for (const one of await listKeys(services.db, accountId, services.clock.now())) {
          desk.say([one.id, one.status, `${one.prefix}…${one.last_four}`, one.name].join("  "));
        }
      }),
    );

  key
    .command("revoke <account> <key>")
    .description("end a key at once, in every process")
    .action((id: string, keyId: string) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const revoked = await revokeKey(services, access, { id: keyId });
        desk.say(`revoked  ${revoked.id}  ${revoked.name}`);
      }),
    );
}
