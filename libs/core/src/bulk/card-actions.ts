import type { BulkAction, ErrorDetail, PriceRule, PriceSkip } from "@cardvault/contract";
import { cardMaxima, VaultError } from "@cardvault/contract";
import type { AccountUnit } from "@cardvault/db";
import { decideCard, priceByRule } from "@cardvault/domain";
import type { BatchMembership, CardCommand, CardPatch, CardState } from "@cardvault/domain";
import { cardPatchFrom } from "../cards/card-patch.ts";
import type { CardStep, CardWork } from "./card-work.ts";

const priceSkipMessages: Record<PriceSkip, string> = {
  no_market_price: "The card has no market price.",
  other_currency: "The market price is in another currency.",
  out_of_range: "The price would be too high.",
};

/** What asks providers is run by a handler of its own; what is done to listings is their room's work. */
type OtherAction = Extract<
  BulkAction,
  { type: "identify" | "lookup_prices" | "publish_listings" | "end_listings" | "revise_listings" }
>;
type CardAction = Exclude<BulkAction, OtherAction>;

/** What an action does with one card: the command of a PATCH, or a reason to leave the card. */
export function actionWork(action: CardAction): CardWork {
  return {
    begin: (unit) => {
      const memberships = rememberedMemberships(unit);
      return Promise.resolve((card) => decideAction(action, card, unit, memberships));
    },
  };
}

type Memberships = (batchId: string | null) => Promise<BatchMembership | null>;

/** The batches that a chunk's cards are in or go to, each looked up once. */
export function rememberedMemberships(unit: AccountUnit): Memberships {
  const known = new Map<string, Promise<BatchMembership>>();
  return async (batchId) => {
    if (batchId === null) return null;
    const found = known.get(batchId) ?? unit.batches.get(batchId);
    known.set(batchId, found);
    const { id, status } = await found;
    return { id, status };
  };
}

async function decideAction(
  action: CardAction,
  card: CardState,
  unit: AccountUnit,
  memberships: Memberships,
): Promise<CardStep> {
  const accountCurrency = unit.account.currency;
  const apply = (command: CardCommand): CardStep => ({
    type: "apply",
    outcome: decideCard(card, command, unit.stamp),
  });
  const edit = (patch: CardPatch): CardStep => apply({ type: "edit", patch, accountCurrency });
  switch (action.type) {
    case "set_price":
      return edit({ askingPrice: action.price });
    case "price_rule":
      return decideByRule(card, action.rule, accountCurrency, edit);
    case "move":
      return edit({ location: action.location });
    case "set_fields":
      return edit({ ...cardPatchFrom(action.fields), ...tagsAfter(card, action) });
    case "set_status":
      return edit({ workflowStatus: action.workflow_status });
    case "put_in_batch": {
      const [from, to] = [await memberships(card.batchId), await memberships(action.batch_id)];
      return apply({ type: "change_batch", from, to });
    }
    case "remove_from_batch": {
      if (card.batchId === null) return apply({ type: "change_batch", from: null, to: null });
      if (action.batch_id !== undefined && card.batchId !== action.batch_id) {
        return {
          type: "skip",
          remark: { code: "not_in_batch", message: "It is in another batch." },
        };
      }
      return apply({ type: "change_batch", from: await memberships(card.batchId), to: null });
    }
  }
}

function decideByRule(
  card: CardState,
  rule: PriceRule,
  currency: string,
  edit: (patch: CardPatch) => CardStep,
): CardStep {
  const result = priceByRule(card, rule, currency);
  if ("price" in result) return edit({ askingPrice: result.price });
  const code = result.skipped;
  return { type: "skip", remark: { code, message: priceSkipMessages[code] } };
}

/** Tags keep their order; a new one comes last. */
function tagsAfter(
  card: CardState,
  action: Extract<CardAction, { type: "set_fields" }>,
): Pick<CardPatch, "tags"> {
  const { add_tags: added = [], remove_tags: removed = [] } = action;
  if (added.length === 0 && removed.length === 0) return {};
  const kept = card.tags.filter((tag) => !removed.includes(tag));
  const tags = [...new Set([...kept, ...added])];
  if (tags.length > cardMaxima.tags) {
    const details: ErrorDetail[] = [
      { path: "tags", message: `Must have at most ${cardMaxima.tags} entries` },
    ];
    throw new VaultError("validation_failed", { details });
  }
  return { tags };
}
