import { removeAccount } from "@cardvault/core";
import type { RemovalProgress } from "@cardvault/core";
import { listRemovals } from "@cardvault/db";
import type { Removal } from "@cardvault/db";
import type { Command } from "commander";
import type { Desk } from "./desk.ts";

const mostRemovals = 1_000;

/** What ends an account for ever. `account` is the group that they stand in. */
export function addRemovalCommands(account: Command, desk: Desk): void {
  account
    .command("remove <account>")
    .description(
      "remove an account for ever: its rows, pictures, jobs, and people of no other account. One that was " +
        "interrupted goes on where it stopped. There is no way back but a backup: export it first",
    )
    .requiredOption("--name <name>", "the account's name, exactly, so that it is not another one")
    .option("--listings-stay", "listings stay at the marketplace, and nothing of them is heard")
    .action((id: string, { name, listingsStay }: { name: string; listingsStay?: true }) =>
      desk.run(async ({ services, actor, forgetLostJobs }) => {
        const removals = await removeAccount(services, id, {
          name,
          listingsStay: listingsStay === true,
          removedBy: actor.id ?? "",
          forgetJobs: forgetLostJobs,
          onProgress: tellProgress(desk),
        });
        for (const removal of removals) desk.say(lineOf(removal));
      }),
    );

  account
    .command("removals")
    .description("the accounts that were removed, the latest first, and those that wait to be")
    .action(() =>
      desk.run(async ({ services }) => {
        for (const one of await listRemovals(services.db, mostRemovals)) desk.say(lineOf(one));
      }),
    );
}

/** A line for each step, and for each ten thousand rows. */
function tellProgress(desk: Desk): (progress: RemovalProgress) => void {
  const linesAt = 10_000;
  const done = new Map<string, number>();
  return ({ accountId, step, count }) => {
    const key = `${accountId}  ${step}`;
    const before = done.get(key);
    const now = (before ?? 0) + count;
    done.set(key, now);
    const isNext = Math.floor(now / linesAt) > Math.floor((before ?? 0) / linesAt);
    if (before === undefined || isNext) desk.say(`removing  ${key}  ${now}`);
  };
}

function lineOf({ accountId, environment, removedBy, startedAt, finishedAt, counts }: Removal) {
  const { card = 0, people = 0 } = counts;
  return [
    finishedAt === null ? "unfinished" : "removed",
    accountId,
    environment,
    `by ${removedBy}`,
    (finishedAt ?? startedAt).toISOString(),
    `${card} cards`,
    `${people} people`,
  ].join("  ");
}
