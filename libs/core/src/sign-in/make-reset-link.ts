import { VaultError } from "@cardvault/contract";
import { findPersonByEmail, listMemberships } from "@cardvault/db";
import type { PersonRow, Queryable } from "@cardvault/db";
import type { Actor } from "../context.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";
import type { TrailAction } from "../trail.ts";

/**
 * A one-time link by which a person sets a new password. Operators only: the person may belong to
 * accounts of several owners. It stands in the trail of each of them.
 * @throws VaultError `not_found` where nobody has the address.
 */
export async function makeResetLink(
  { db, clock, signIn }: Pick<Services, "db" | "clock" | "signIn">,
  actor: Actor,
  email: string,
): Promise<string> {
  const person = await requirePerson({ db }, email);
  // Before the link: none is made that stands nowhere.
  await db.transaction((tx) =>
    writePersonTrail(tx, person, { actor, now: clock.now(), action: "member.reset_link_made" }),
  );
  return signIn.createResetLink(person.userId);
}

/** What an operator does to a person stands in the trail of each account that the person is in. */
export async function writePersonTrail(
  tx: Queryable,
  { userId, email }: PersonRow,
  { actor, now, action }: { actor: Actor; now: Date; action: TrailAction },
): Promise<void> {
  for (const { account } of await listMemberships(tx, userId)) {
    const details = { user_id: userId, email };
    await writeTrail(tx, { accountId: account.id, actor }, now, action, null, details);
  }
}

/** @throws VaultError `not_found` where nobody has the address. */
export async function requirePerson(
  { db }: Pick<Services, "db">,
  email: string,
): Promise<PersonRow> {
  const person = await findPersonByEmail(db, email);
  if (person === null) {
    throw new VaultError("not_found", { message: "Nobody has this address." });
  }
  return person;
}
