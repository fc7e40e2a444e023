import { decideCard, relocated } from "@cardvault/domain";
import type { CardWork } from "../bulk/card-work.ts";

/** Moves each card to where its place is now. */
export function relocateWork(order: {
  from: string;
  to: string;
  within_too: boolean;
  separator: string;
}): CardWork {
  const { from, to, within_too: withinToo, separator } = order;
  return {
    begin: (unit) =>
      Promise.resolve((card) => {
        const location =
          card.location === null
            ? null
            : relocated(card.location, { from, to, withinToo }, separator);
        if (location === null) {
          return {
            type: "skip",
            remark: { code: "elsewhere", message: "It lies somewhere else by now." },
          };
        }
        const accountCurrency = unit.account.currency;
        const command = { type: "edit", patch: { location }, accountCurrency } as const;
        return { type: "apply", outcome: decideCard(card, command, unit.stamp) };
      }),
  };
}
