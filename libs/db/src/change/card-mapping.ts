import type { Money } from "@cardvault/contract";
import type { CardState, OpenListing } from "@cardvault/domain";
import type { InferEntity } from "@mikro-orm/core";
import type { Card } from "../entities/inventory.ts";

export type CardEntity = InferEntity<typeof Card>;

/** What the rules need to know of a card's other rows. */
export interface CardFacts {
  listingPhotoCount: number;
  openListing: OpenListing | null;
}

/** Amounts stand without a currency in the row: it is the account's. */
export function money(amount: number | null | undefined, currency: string): Money | null {
  return amount == null ? null : { amount, currency };
}

/** Columns that the state and the row name alike. */
const sameNames = [
  "batchId",
  "sku",
  "status",
  "workflowStatus",
  "needsReview",
  "reviewReason",
  "title",
  "game",
  "setCode",
  "number",
  "year",
  "subject",
  "team",
  "manufacturer",
  "variant",
  "rarity",
  "language",
  "printRun",
  "serialNumber",
  "isRookie",
  "isAutograph",
  "isMemorabilia",
  "condition",
  "quantity",
  "pendingReturnQuantity",
  "oversoldQuantity",
  "location",
  "externalIds",
  "notes",
  "identifiedBy",
  "identificationConfidence",
  "identifiedAt",
  "firstPricedAt",
  "listingId",
] as const satisfies readonly (keyof CardState & keyof CardEntity)[];

export function cardState(row: CardEntity, facts: CardFacts, currency: string): CardState {
  const same = Object.fromEntries(sameNames.map((name) => [name, row[name] ?? null]));
  return {
    ...(same as Pick<CardState, (typeof sameNames)[number]>),
    ...facts,
    id: row.id,
    set: row.setName ?? null,
    grading:
      row.grader == null
        ? null
        : {
            grader: row.grader,
            grade: row.grade ?? "",
            certNumber: row.certNumber ?? null,
            qualifier: row.qualifier ?? null,
          },
    askingPrice: money(row.askingPrice, currency),
    priceFloor: money(row.priceFloor, currency),
    purchasePrice: money(row.purchasePrice, currency),
    marketPrice:
      row.marketPrice == null || row.marketPriceAsOf == null
        ? null
        : {
            amount: row.marketPrice,
            currency: row.marketPriceCurrency ?? currency,
            source: row.marketPriceSource ?? "",
            asOf: row.marketPriceAsOf,
          },
    tags: row.tags,
    version: row.version,
  };
}

/** Every column of a card that a rule can change, but its version. */
export function cardColumns(state: CardState) {
  const same = Object.fromEntries(sameNames.map((name) => [name, state[name]]));
  return {
    ...(same as Pick<CardState, (typeof sameNames)[number]>),
    setName: state.set,
    grader: state.grading?.grader ?? null,
    grade: state.grading?.grade ?? null,
    certNumber: state.grading?.certNumber ?? null,
    qualifier: state.grading?.qualifier ?? null,
    askingPrice: state.askingPrice?.amount ?? null,
    priceFloor: state.priceFloor?.amount ?? null,
    purchasePrice: state.purchasePrice?.amount ?? null,
    marketPrice: state.marketPrice?.amount ?? null,
    marketPriceCurrency: state.marketPrice?.currency ?? null,
    marketPriceSource: state.marketPrice?.source ?? null,
    marketPriceAsOf: state.marketPrice?.asOf ?? null,
    externalIds: { ...state.externalIds },
    tags: [...state.tags],
  };
}
