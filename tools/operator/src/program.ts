import { Command } from "commander";
import { addAccountCommands } from "./account-commands.ts";
import { addCatalogueCommands } from "./catalogue-commands.ts";
import { addDatabaseCommands } from "./database-commands.ts";
import { addEventCommands } from "./event-commands.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addPersonCommands } from "./person-commands.ts";
import { addRequestCommands } from "./request-commands.ts";
import type { Desk } from "./desk.ts";

/** The operator's command line. Every command calls the use case that the procedures call. */
export function createProgram(desk: Desk): Command {
  const program = new Command("operator")
    .description(
      "The operator's command line of the Card Vault. Works on the local start that is running, or " +
        "on the database of DATABASE_URL.",
    )
    .showHelpAfterError()
    .configureOutput({ writeOut: (text) => desk.say(text.trimEnd()) });
  addAccountCommands(program, desk);
  addPersonCommands(program, desk);
  addKeyCommands(program, desk);
  addEventCommands(program, desk);
  addRequestCommands(program, desk);
  addCatalogueCommands(program, desk);
  addDatabaseCommands(program, desk);
  return program;
}
