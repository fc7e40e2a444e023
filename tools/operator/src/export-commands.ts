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
        tell(desk, "pictures.missing", pictures.missing, "not in the store");
        tell(desk, "pictures.changed", pictures.changed, "not as they came");
        desk.say(`exported  ${access.accountId}  ${folder}`);
      }),
    );
}

/** How many there are; which ones is in the manifest, where there may be thousands. */
function tell(desk: Desk, member: string, sums: readonly string[], what: string): void {
  if (sums.length > 0) desk.say(`${what}  ${sums.length} pictures: ${member} in manifest.json`);
}
