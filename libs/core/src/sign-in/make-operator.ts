import { deleteOperator, insertOperator } from "@cardvault/db";
import type { Services } from "../services.ts";
import { requirePerson } from "./make-reset-link.ts";

/**
 * Makes a person an operator of the platform, or takes the flag back. Only the command line does it.
 * @throws VaultError `not_found` where nobody has the address.
 */
export async function makeOperator(
  services: Pick<Services, "db" | "clock">,
  email: string,
  isOperator: boolean,
): Promise<void> {
  const { db, clock } = services;
  const { userId } = await requirePerson(services, email);
  await (isOperator ? insertOperator(db, userId, clock.now()) : deleteOperator(db, userId));
}
