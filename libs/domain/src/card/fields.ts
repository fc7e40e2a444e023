import type { Grading as WrittenGrading } from "@cardvault/contract";
import { changesBetween } from "../outcome.ts";
import type { CardState, Grading, IdentificationFields, MarketPrice } from "./state.ts";

/** What identifies a card, by the rules' names and by the contract's. */
export const identificationNames = {
  title: "title",
  game: "game",
  set: "set",
  setCode: "set_code",
  number: "number",
  year: "year",
  subject: "subject",
  team: "team",
  manufacturer: "manufacturer",
  variant: "variant",
  rarity: "rarity",
  language: "language",
  printRun: "print_run",
  serialNumber: "serial_number",
  isRookie: "is_rookie",
  isAutograph: "is_autograph",
  isMemorabilia: "is_memorabilia",
} as const satisfies Record<keyof IdentificationFields, string>;

/**
 * The members of a card that the outside knows, by its names. What counts copies that are on their way,
 * and what is a fact of other rows, is not among them.
 */
const fieldNames = {
  batchId: "batch_id",
  sku: "sku",
  status: "status",
  workflowStatus: "workflow_status",
  needsReview: "needs_review",
  reviewReason: "review_reason",
  ...identificationNames,
  condition: "condition",
  grading: "grading",
  quantity: "quantity",
  askingPrice: "asking_price",
  priceFloor: "price_floor",
  purchasePrice: "purchase_price",
  marketPrice: "market_price",
  location: "location",
  externalIds: "external_ids",
  notes: "notes",
  tags: "tags",
  identifiedBy: "identified_by",
  identificationConfidence: "identification_confidence",
  identifiedAt: "identified_at",
  listingId: "listing_id",
} as const satisfies Partial<Record<keyof CardState, string>>;

export type CardMember = keyof typeof fieldNames;
export type CardField = (typeof fieldNames)[CardMember];

/** The members of a card that a change gave, before it and after it. */
export type CardMembers = { [Name in CardMember]?: CardState[Name] };

/** Each field that a change gave, before and after, as the contract writes it: the form that is kept. */
export type FieldChanges = Partial<Record<CardField, readonly [from: unknown, to: unknown]>>;

const members = Object.entries(fieldNames) as [CardMember, CardField][];
const memberOf = new Map(members.map(([member, field]) => [field as string, member]));

/** What a change gave a card, for its history. */
export function fieldChangesBetween(before: CardState, after: CardState): FieldChanges {
  const differing = changesBetween(before, after);
  const changes: FieldChanges = {};
  for (const [member, field] of members) {
    if (!Object.hasOwn(differing, member)) continue;
    changes[field] = [written(member, before[member]), written(member, after[member])];
  }
  return changes;
}

/** The name of a member outside. */
export function fieldOf(member: CardMember): CardField {
  return fieldNames[member];
}

/** A grading as the contract writes it. */
export function writtenGrading(grading: Grading | null | undefined): WrittenGrading | null {
  if (!grading) return null;
  const { grader, grade, certNumber, qualifier } = grading;
  return { grader, grade, cert_number: certNumber, qualifier };
}

/** A grading that the contract wrote. */
export function gradingFrom(written: WrittenGrading | null): Grading | null {
  if (written === null) return null;
  const { grader, grade, cert_number: certNumber, qualifier } = written;
  return { grader, grade, certNumber, qualifier };
}

/** A member as the contract writes it. */
export function written(member: CardMember, value: CardState[CardMember]): unknown {
  if (value === null) return null;
  if (member === "grading") return writtenGrading(value as Grading);
  if (member === "marketPrice") {
    const { asOf, ...price } = value as MarketPrice;
    return { ...price, as_of: asOf.toISOString() };
  }
  return value instanceof Date ? value.toISOString() : value;
}

/** What stood in the members before and after a change that the history holds. Other fields are left out. */
export function membersOf(changes: Readonly<Record<string, readonly [unknown, unknown]>>): {
  from: CardMembers;
  to: CardMembers;
} {
  const from: Record<string, unknown> = {};
  const to: Record<string, unknown> = {};
  for (const [field, [before, after]] of Object.entries(changes)) {
    const member = memberOf.get(field);
    if (member === undefined) continue;
    from[member] = read(member, before);
    to[member] = read(member, after);
  }
  return { from, to };
}

function read(member: CardMember, value: unknown): unknown {
  if (value === null) return null;
  if (member === "grading") return gradingFrom(value as WrittenGrading);
  if (member === "marketPrice") {
    const { as_of, ...price } = value as Record<string, unknown>;
    return { ...price, asOf: new Date(String(as_of)) };
  }
  return member === "identifiedAt" ? new Date(value as string) : value;
}
