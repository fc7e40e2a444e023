import { changeAccount, writePriceQuotes } from "@cardvault/db";
import { decideCard, suggestPrice } from "@cardvault/domain";
import { VaultError } from "@cardvault/contract";
import { writeOutcome } from "../../cards/write-outcome.ts";
import { askSources } from "../../prices/ask-sources.ts";
import { marketPriceCommand, thingOfCard } from "../../prices/look-up-prices.ts";
import type { PriceNeeds } from "../../prices/look-up-prices.ts";
import { BudgetSpentError } from "../metered-call.ts";
import type { ProviderTask } from "./provider-handler.ts";

/** Looks one card of a job up, and stores what is suggested as its market price. */
export async function priceWork(needs: PriceNeeds, task: ProviderTask): Promise<void> {
  const { access, card, jobId, commit, settle, throwsOutage } = task;
  const { db, clock } = needs;
  const { accountId, currency, actor } = access;
  const skip = (code: string, message: string): Promise<void> =>
    commit(() => db.transaction((tx) => settle(tx, { outcome: "skipped", code, message })));
  if (card.title === null) return skip("not_identified", "Nothing is known of the card.");
  const asked = await askSources(needs, access, thingOfCard(card));
  if (asked.outage?.isBudget === true) throw new BudgetSpentError();
  if (asked.outage !== null && throwsOutage) {
    const { retryAfterMs } = asked.outage;
    throw new VaultError("service_unavailable", {
      retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
    });
  }
  const now = clock.now();
  await writePriceQuotes(db, { accountId, cardId: card.id, quotes: asked.quotes, now });
  const suggestion = suggestPrice(asked.quotes, currency, now);
  if (suggestion === null) return skip("no_suggestion", "The sources know too little to say.");
  const by = { actor, via: "provider", jobId } as const;
  await commit(() =>
    changeAccount(db, { accountId, clock, by }, async (unit) => {
      const before = await unit.cards.get(card.id);
      const outcome = decideCard(before, marketPriceCommand(suggestion), unit.stamp);
      unit.cards.save(outcome.state);
      await writeOutcome(db, unit, access, outcome);
      await settle(
        unit.tx,
        outcome.changed ? { outcome: "changed", changedAt: unit.stamp } : { outcome: "unchanged" },
      );
    }),
  );
}
