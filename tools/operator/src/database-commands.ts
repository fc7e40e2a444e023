import { grantServiceRole, migrate } from "@cardvault/db";
import type { Command } from "commander";
import type { Desk } from "./desk.ts";

export function addDatabaseCommands(program: Command, desk: Desk): void {
  const database = program
    .command("database")
    .description("the database itself, as its owner: DATABASE_URL is the owner's here");

  database
    .command("migrate")
    .description("bring the tables up to date; nothing happens where they are")
    .action(async () => {
      await migrate(await desk.databaseUrl());
      desk.say("The database is up to date.");
    });

  database
    .command("grant")
    .description("let a role read and write rows and nothing else: what api and worker need")
    .argument("<role>")
    .option(
      "--password-stdin",
      "make the role where it is not there, with the password on standard input",
    )
    .action(async (role: string, { passwordStdin }: { passwordStdin?: true }) => {
      const password = passwordStdin === true ? (await desk.readInput()).trim() : undefined;
      const { created } = await grantServiceRole(await desk.databaseUrl(), { role, password });
      desk.say(`${created ? "Made" : "Found"} the role ${role}; it reads and writes rows.`);
    });
}
