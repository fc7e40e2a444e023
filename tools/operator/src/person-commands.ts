import { makeOperator, makeResetLink } from "@cardvault/core";
import type { Command } from "commander";
import type { Desk } from "./desk.ts";

export function addPersonCommands(program: Command, desk: Desk): void {
  const person = program.command("person").description("passwords and the operator's flag");

  person
    .command("reset <email>")
    .description("make a one-time link by which the person sets a new password, good for an hour")
    .action((email: string) =>
      desk.run(async ({ services, actor }) => {
        desk.say(await makeResetLink(services, actor, email));
      }),
    );

  person
    .command("operator <email>")
    .description("make the person an operator of the platform")
    .option("--remove", "take the flag back")
    .action((email: string, { remove }: { remove?: true }) =>
      desk.run(async ({ services, actor }) => {
        await makeOperator(services, actor, email, remove !== true);
        desk.say(remove === true ? `no operator any more  ${email}` : `operator  ${email}`);
      }),
    );
}
