import type { AccountUnit } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { writeOutcome } from "../cards/write-outcome.ts";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";

/** Says in a change where a card lies now. */
export async function putAt(
  { db, access, unit }: { db: Services["db"]; access: Access; unit: AccountUnit },
  cardId: string,
  location: string | null,
): Promise<void> {
  const before = await unit.cards.get(cardId);
  const accountCurrency = unit.account.currency;
  const command = { type: "edit", patch: { location }, accountCurrency } as const;
  const outcome = decideCard(before, command, unit.stamp);
  unit.cards.save(outcome.state);
  await writeOutcome(db, unit, access, outcome);
}
