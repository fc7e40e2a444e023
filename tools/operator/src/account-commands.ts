import { randomBytes } from "node:crypto";
import { currency, environments } from "@cardvault/contract";
import type { Environment } from "@cardvault/contract";
import {
  createAccount,
  createPerson,
  makeResetLink,
  operatorAccess,
  providerNames,
  restoreAccount,
  setLimits,
  setProviderCap,
  suspendAccount,
} from "@cardvault/core";
import { findPersonByEmail, listAllAccounts } from "@cardvault/db";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { UsageError } from "./connection.ts";
import type { Connection } from "./connection.ts";
import type { Desk } from "./desk.ts";
import { addExportCommands } from "./export-commands.ts";
import { addRemovalCommands } from "./removal-commands.ts";

const mostAccounts = 1_000;

interface CreateOptions {
  email: string;
  person?: string;
  environment: Environment;
  currency: string;
  passwordStdin?: true;
}

/** The command line's own library takes null for "not given". */
type Limit = number | "default";
type Cap = number | "none" | "default";
type Limits = { read?: Limit; write?: Limit; ai?: Limit };

export function addAccountCommands(program: Command, desk: Desk): void {
  const account = program
    .command("account")
    .description("make, suspend, restore, limit, export and remove accounts");

  account
    .command("create <name>")
    .description(
      "make an account with its first owner, who is made too where nobody has the address",
    )
    .requiredOption("--email <address>", "the owner's e-mail address")
    .option("--person <name>", "the owner's name; needed for somebody new")
    .addOption(
      new Option("--environment <environment>", "live or test")
        .choices([...environments])
        .default("live"),
    )
    .option("--currency <code>", "ISO 4217, fixed for ever", parseCurrency, "USD")
    .option("--password-stdin", "read a new owner's password from standard input")
    .action((name: string, options: CreateOptions) =>
      desk.run(async (connection) => {
        const { userId, link } = await firstOwner(connection, desk, options);
        const { environment, currency: code } = options;
        const made = await createAccount(connection.services, connection.actor, {
          name,
          environment,
          currency: code,
          ownerId: userId,
        });
        desk.say(`account  ${made.id}  ${made.environment}  ${made.currency}  ${made.name}`);
        if (link !== undefined) desk.say(`set a password within an hour, once:  ${link}`);
      }),
    );

  account
    .command("list")
    .description("the accounts, the latest made first")
    .action(() =>
      desk.run(async ({ services }) => {
        for (const one of await listAllAccounts(services.db, mostAccounts)) {
          desk.say([one.id, one.environment, one.status, one.currency, one.name].join("  "));
        }
      }),
    );

  account
    .command("suspend <account>")
    .description("refuse its tokens at once; its members can look, and deliveries go on")
    .requiredOption("--reason <text>", "for the trail")
    .action((id: string, { reason }: { reason: string }) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const { name } = await suspendAccount(services, access, reason);
        desk.say(`suspended  ${id}  ${name}`);
      }),
    );

  account
    .command("restore <account>")
    .description("end a suspension")
    .action((id: string) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const { name } = await restoreAccount(services, access);
        desk.say(`restored  ${id}  ${name}`);
      }),
    );

  account
    .command("limits <account>")
    .description("set requests a minute for each token; what is left out stays")
    .option("--read <number|default>", "GET", parseLimit)
    .option("--write <number|default>", "POST, PATCH, DELETE", parseLimit)
    .option("--ai <number|default>", "identify and price lookup", parseLimit)
    .action((id: string, limits: Limits) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const stored = await setLimits(services, access, storedLimits(limits));
        const shown = Object.entries(stored).map(
          ([name, limit]) => `${name} ${limit ?? "default"}`,
        );
        desk.say(`limits  ${id}  ${shown.join("  ")}`);
      }),
    );

  account
    .command("spending <account>")
    .description(
      "set what it may spend at a provider in a month, instead of the installation's cap",
    )
    .addOption(
      new Option("--provider <name>", "the provider")
        .choices([...providerNames])
        .makeOptionMandatory(),
    )
    .requiredOption("--cap <micros|none|default>", "in millionths of a US dollar", parseCap)
    .action((id: string, { provider, cap }: { provider: string; cap: Cap }) =>
      desk.run(async ({ services, actor }) => {
        const access = await operatorAccess(services.db, id, actor.id);
        const micros = cap === "none" ? null : cap;
        await setProviderCap(services, access, { engine: provider, micros });
        desk.say(`spending  ${id}  ${provider} ${cap}`);
      }),
    );

  addExportCommands(account, desk);
  addRemovalCommands(account, desk);
}

/** The person who has the address, else a new one with a password of their own or a link to set it. */
async function firstOwner(
  { services, actor }: Connection,
  desk: Desk,
  { email, person, passwordStdin }: CreateOptions,
): Promise<{ userId: string; link?: string }> {
  const known = await findPersonByEmail(services.db, email);
  if (known !== null) return { userId: known.userId };
  if (person === undefined) {
    throw new UsageError("Nobody has this address yet: give the new owner's name with --person.");
  }
  if (passwordStdin === true) {
    const password = (await desk.readInput()).replace(/\r?\n$/, "");
    return createPerson(services, { name: person, email, password });
  }
  const password = randomBytes(32).toString("base64url");
  const { userId } = await createPerson(services, { name: person, email, password });
  return { userId, link: await makeResetLink(services, actor, email) };
}

function parseCurrency(text: string): string {
  if (!currency.safeParse(text).success) {
    throw new InvalidArgumentError("It has to be a code of ISO 4217, like USD.");
  }
  return text;
}

function storedLimits(limits: Limits): { [Class in keyof Limits]: number | null } {
  return Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [name, limit === "default" ? null : limit]),
  );
}

function parseCap(text: string): Cap {
  if (text === "none" || text === "default") return text;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It has to be a whole number up to 12 digits, none or default.");
}

function parseLimit(text: string): Limit {
  if (text === "default") return text;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000_000) return limit;
  throw new InvalidArgumentError("It has to be a whole number from 1 to 1000000, or default.");
}
