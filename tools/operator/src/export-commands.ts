import { resolve } from "node:path";
import { exportAccount, operatorAccess } from "@cardvault/core";
import type { Command } from "commander";
import type { Desk } from "./desk.ts";

/** What gives an account everything that it has here. `account` is the group that it stands in. */
export function addExportCommands(account: Command, desk: Desk): void {
  account
    .command("export <account>")
    .description(
      "write everything of an account into a folder: lines of JSON, its pictures, and their sums; no secrets",
    )
    .option("--to <folder>", "must not be there; else a folder here, named by account and day")
    .action((id: string, { to }: { to?: string }) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const day = services.clock.now().toISOString().slice(0, 10);
        const folder = resolve(process.env["INIT_CWD"] ?? ".", to ?? `${access.accountId}-${day}`);
        const onFile = (name: string, rows: number): void => desk.say(`wrote  ${name}  ${rows}`);
        const { pictures } = await exportAccount(services, access, folder, onFile);
        for (const sha256 of pictures.missing) desk.say(`not in the store  ${sha256}`);
        for (const sha256 of pictures.changed) desk.say(`not as it came  ${sha256}`);
        desk.say(`exported  ${access.accountId}  ${folder}`);
      }),
    );
}
