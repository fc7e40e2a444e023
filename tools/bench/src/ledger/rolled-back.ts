import { bySystem, changeAccount } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { systemClock, toId, toUuid } from "@cardvault/kit";
import type { Stack } from "../stack/stack.ts";
import type { HouseAccount } from "../webhooks/house.ts";

class DeliberateError extends Error {}

/**
 * A change whose events and deliveries were written, and which is then rolled back, as by an error at
 * the last moment. Answers the events' ids: nobody may ever receive them.
 */
export async function rollBackChange(
  { services }: Stack,
  { accountId }: HouseAccount,
  cardId: string,
): Promise<string[]> {
  let ids: string[] = [];
  const recordAnswer: Parameters<typeof changeAccount>[1]["recordAnswer"] = async (tx) => {
    const rows = await tx.query<{ id: string }>(
      `select id from webhook_event where account_id = $1 and xmin = pg_current_xact_id()::xid`,
      [toUuid(accountId, "acc")],
    );
    ids = rows.map(({ id }) => toId("evt", id));
    throw new DeliberateError();
  };
  try {
    await changeAccount(
      services.db,
      { accountId, clock: systemClock, by: bySystem, recordAnswer },
      async (unit) => {
        const before = await unit.cards.get(cardId);
        const to = before.workflowStatus === "priced" ? "identified" : "priced";
        const outcome = decideCard(before, { type: "move", to }, unit.stamp);
        unit.cards.save(outcome.state);
        unit.emit(...outcome.events);
      },
    );
  } catch (error) {
    if (!isDeliberate(error)) throw error;
  }
  return ids;
}

function isDeliberate(error: unknown): boolean {
  return (
    error instanceof DeliberateError ||
    (error instanceof Error && error.cause instanceof DeliberateError)
  );
}
