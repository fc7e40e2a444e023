import type { Card, FieldChange, WorkflowStatus } from "@cardvault/contract";
import { reviewReasonWords } from "../../parts/candidates-words.ts";
import { cardFields, fieldText } from "../../parts/card-fields-model.ts";
import type { CardFieldName } from "../../parts/card-fields-model.ts";
import { formatMoney } from "../../parts/money.ts";
import { sourceName } from "../../parts/price-chart.tsx";
import { workflowWords } from "../../parts/words.ts";

/** What follows from another change of the same entry, and says nothing more. */
const implied = new Set([
  "needs_review",
  "identified_by",
  "identified_at",
  "identification_confidence",
  "status",
  "version",
  "updated_at",
]);

const otherLabels: Record<string, string> = {
  workflow_status: "Stage",
  review_reason: "Review",
  status: "Identification",
  batch_id: "Batch",
  market_price: "Market price",
  external_ids: "Ids elsewhere",
  listing_id: "Listing",
  photos: "Photos",
  listing: "Listing",
  sale: "Sale",
  identified_by: "Identified by",
};

/** The changes of an entry that say something to a person. */
export function toldChanges(changes: readonly FieldChange[]): FieldChange[] {
  const told = changes.filter(({ field }) => !implied.has(field));
  return told.length > 0 ? told : [...changes];
}

export function changeLabel(field: string): string {
  if (field in cardFields) return cardFields[field as CardFieldName].label;
  return otherLabels[field] ?? field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
}

/** A member of the card's history in words; null where there was nothing. */
export function changeText(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (field in cardFields) return knownText(field as CardFieldName, value);
  if (field === "workflow_status") return workflowWords[value as WorkflowStatus];
  if (field === "review_reason") {
    return reviewReasonWords[value as NonNullable<Card["review_reason"]>].title;
  }
  if (field === "batch_id") return "another batch";
  if (Array.isArray(value)) return value.length === 0 ? null : listText(field, value);
  if (isRecord(value)) return recordText(field, value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function knownText(field: CardFieldName, value: unknown): string | null {
  const { type } = cardFields[field].kind;
  if (type === "money") return formatMoney(value as NonNullable<Card["asking_price"]>);
  if (type === "flag") return value === true ? "Yes" : "No";
  const text = fieldText(field, value as Card["title"]);
  return text === "" ? null : text;
}

function listText(field: string, values: readonly unknown[]): string {
  if (field === "photos") return values.length === 1 ? "1 photo" : `${values.length} photos`;
  return values.map(String).join(", ");
}

function recordText(field: string, value: Record<string, unknown>): string {
  const { price, quantity, status, source } = value;
  if (field === "market_price") {
    const from = typeof source === "string" ? ` from ${sourceName(source)}` : "";
    return `${moneyText(value)}${from}`;
  }
  const parts = [
    typeof status === "string" ? status : null,
    isRecord(price) ? moneyText(price) : null,
    typeof quantity === "number" && quantity !== 1 ? `${quantity} copies` : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(", ") : Object.values(value).map(String).join(", ");
}

function moneyText({ amount, currency }: Record<string, unknown>): string {
  return typeof amount === "number" && typeof currency === "string"
    ? formatMoney({ amount, currency })
    : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
