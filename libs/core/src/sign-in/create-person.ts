import { randomBytes } from "node:crypto";
import { VaultError } from "@cardvault/contract";
import { insertPerson } from "@cardvault/db";
import type { PersonRow, Queryable } from "@cardvault/db";
import type { Services } from "../services.ts";

/**
 * Makes somebody who can sign in. Open sign-up is off: this is for the operator's command line,
 * the demonstration data and invitations.
 * @throws VaultError `conflict` where somebody has the address; `validation_failed` for a password
 * that is too short or too long.
 */
export async function createPerson(
  { db, clock, signIn }: Pick<Services, "db" | "clock" | "signIn">,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<PersonRow> {
  const passwordHash = await signIn.hashPassword(password);
  return insertNewPerson(db, { name, email, passwordHash }, clock.now());
}

/** The rows of a new person. */
export async function insertNewPerson(
  tx: Queryable,
  person: { name?: string | undefined; email: string; passwordHash?: string | undefined },
  now: Date,
): Promise<PersonRow> {
  const { name, email, passwordHash } = person;
  if (name === undefined || passwordHash === undefined) {
    throw new VaultError("validation_failed", {
      details: [
        { path: name === undefined ? "name" : "password", message: "Needed for a new sign-in" },
      ],
    });
  }
  const userId = randomBytes(16).toString("base64url");
  const made = await insertPerson(tx, { userId, name, email, passwordHash, createdAt: now });
  if (made === null) {
    throw new VaultError("conflict", { message: "Somebody has this address already." });
  }
  return made;
}
