import { deleteOperator, insertOperator } from "@cardvault/db";
import type { Actor } from "../context.ts";
import type { Services } from "../services.ts";
import { requirePerson, writePersonTrail } from "./make-reset-link.ts";

/**
 * Makes a person an operator of the platform, or takes the flag back. Only the command line does it. It
 * stands in the trail of each account that the person is in.
 * @throws VaultError `not_found` where nobody has the address.
 */
export async function makeOperator(
  services: Pick<Services, "db" | "clock">,
  actor: Actor,
  email: string,
  isOperator: boolean,
): Promise<void> {
  const { db, clock } = services;
  const person = await requirePerson(services, email);
  const now = clock.now();
  const action = isOperator ? "member.operator_made" : "member.operator_ended";
  await db.transaction(async (tx) => {
    await (isOperator ? insertOperator(tx, person.userId, now) : deleteOperator(tx, person.userId));
    await writePersonTrail(tx, person, { actor, now, action });
  });
}
