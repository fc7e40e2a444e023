import type { ImportOutcome, ImportSettings } from "@cardvault/contract";
import type { AccountUnit, StagedRow } from "@cardvault/db";
import { createCard, decideCard } from "@cardvault/domain";
import type { BatchState, CardOutcome, CardState } from "@cardvault/domain";
import type { MappedCard } from "@cardvault/exchange";
import { newId } from "@cardvault/kit";
import { cardPatchFrom } from "../cards/card-patch.ts";

/** What the rows of a chunk have in common. */
export interface RowPlace {
  unit: AccountUnit;
  batch: BatchState | null;
  settings: ImportSettings;
  /** The next SKU of the account's format that no row of the chunk has. */
  nextSku: (fields: MappedCard) => Promise<string>;
  /** Whether a card or an earlier row has the SKU. */
  isTaken: (sku: string) => boolean;
}

/** What becomes of a row; without a card where nothing does. */
export interface AppliedRow {
  outcome: Extract<ImportOutcome, "created" | "updated" | "added" | "skipped">;
  card?: CardOutcome | undefined;
}

/** Stages that a list can bring back: the others stand on photos, listings and sales. */
const restoredStages = ["imported", "identified", "priced", "archived"];

/**
 * Makes a row a card, or changes the card that it is, as the dealer has decided for duplicates.
 * @param matched the card that the row is, and what it was recognised by
 * @throws VaultError of the rules, where the card refuses it
 */
export async function applyRow(
  place: RowPlace,
  row: StagedRow,
  matched: CardState | null,
): Promise<AppliedRow> {
  const fields = row.fields as MappedCard;
  if (matched === null) return { outcome: "created", card: await created(place, fields) };
  const action = fields.card_id === undefined ? place.settings.duplicates : "update";
  switch (action) {
    case "create":
      return { outcome: "created", card: await created(place, fields) };
    case "skip":
      return { outcome: "skipped" };
    case "update":
      return { outcome: "updated", card: updated(place, fields, matched) };
    case "add_to_quantity":
      // A certificate names one copy, which cannot come twice.
      if (row.matchedBy === "cert_number") return { outcome: "skipped" };
      return { outcome: "added", card: withMore(place, fields, matched) };
  }
}

async function created(
  { unit, batch, nextSku, isTaken }: RowPlace,
  given: MappedCard,
): Promise<CardOutcome> {
  const { card_id: _id, market_price: marketPrice, workflow_status: stage, ...fields } = given;
  const { sku, ...rest } = fields;
  const isFree = sku != null && !isTaken(sku);
  const workflowStatus = stage !== undefined && restoredStages.includes(stage) ? stage : undefined;
  const made = createCard(
    {
      id: newId("card"),
      sku: isFree ? sku : await nextSku(fields),
      batch,
      fields: { ...cardPatchFrom(rest), workflowStatus },
      accountCurrency: unit.account.currency,
    },
    unit.stamp,
  );
  if (marketPrice == null) return made;
  const { as_of, ...price } = marketPrice;
  const command = { type: "set_market_price", price: { ...price, asOf: new Date(as_of) } } as const;
  const priced = decideCard(made.state, command, unit.stamp);
  return { ...made, state: { ...priced.state, version: made.state.version } };
}

/** Blank means leave: what the row does not say stays as it is. */
function updated({ unit }: RowPlace, fields: MappedCard, card: CardState): CardOutcome {
  const { card_id: _, market_price: _price, workflow_status: _stage, ...rest } = fields;
  const patch = {
    ...cardPatchFrom(rest),
    ...(rest.external_ids && { externalIds: { ...card.externalIds, ...rest.external_ids } }),
  };
  const accountCurrency = unit.account.currency;
  return decideCard(card, { type: "edit", patch, accountCurrency }, unit.stamp);
}

function withMore({ unit }: RowPlace, { quantity = 1 }: MappedCard, card: CardState): CardOutcome {
  const patch = { quantity: card.quantity + quantity };
  const accountCurrency = unit.account.currency;
  return decideCard(card, { type: "edit", patch, accountCurrency }, unit.stamp);
}
