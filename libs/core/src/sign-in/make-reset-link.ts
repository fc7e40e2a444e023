import { VaultError } from "@cardvault/contract";
import { findPersonByEmail, listMemberships } from "@cardvault/db";
import type { PersonRow } from "@cardvault/db";
import type { Actor } from "../context.ts";
import type { Services } from "../services.ts";
import { writeTrail } from "../trail.ts";

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
  await db.transaction(async (tx) => {
    for (const { account } of await listMemberships(tx, person.userId)) {
      const access = { accountId: account.id, actor };
      await writeTrail(tx, access, clock.now(), "member.reset_link_made", null, {
        user_id: person.userId,
        email: person.email,
      });
    }
  });
  return signIn.createResetLink(person.userId);
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
