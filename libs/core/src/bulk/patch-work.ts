import { cardPatch, VaultError } from "@cardvault/contract";
import { readJobPatches } from "@cardvault/db";
import { decideCard } from "@cardvault/domain";
import { cardPatchFrom } from "../cards/card-patch.ts";
import type { CardWork } from "./card-work.ts";

/** Gives each card its own patch, by the rules of `PATCH /cards/:id`. */
export function patchWork(jobId: string): CardWork {
  return {
    begin: async (unit, cardIds) => {
      const patches = await readJobPatches(unit.tx, jobId, cardIds);
      const accountCurrency = unit.account.currency;
      return (card) => {
        const given = patches.get(card.id);
        if (given === undefined) throw new VaultError("not_found");
        if (given.ifVersion !== null && given.ifVersion !== card.version) {
          const message = `The card is at version ${card.version}`;
          throw new VaultError("precondition_failed", {
            details: [{ path: "if_version", message }],
          });
        }
        const patch = cardPatchFrom(cardPatch.parse(given.patch));
        const outcome = decideCard(card, { type: "edit", patch, accountCurrency }, unit.stamp);
        return { type: "apply", outcome };
      };
    },
  };
}
