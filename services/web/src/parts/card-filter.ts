import { cardStatuses, conditions, reviewReasons, workflowStatuses } from "@cardvault/contract";
import type { CardFilter } from "@cardvault/contract";
import { formatMoney } from "./money.ts";
import { conditionWords, reviewWords, workflowWords } from "./words.ts";

/** Members of a filter that hold a value of a kind. */
type MembersOf<Value> = {
  [Member in keyof CardFilter]-?: NonNullable<CardFilter[Member]> extends Value ? Member : never;
}[keyof CardFilter];

interface Named {
  readonly id: string;
  readonly label: string;
}

/** One way to narrow a list, as a chip says it and a form asks for it. */
export type FilterKind = Named &
  (
    | {
        readonly kind: "choices";
        readonly member: MembersOf<readonly string[]>;
        readonly choices: readonly { value: string; label: string }[];
      }
    | {
        readonly kind: "words";
        readonly member: MembersOf<readonly string[]>;
        /** Where its suggestions come from. */
        readonly from?: "places" | "batches";
        readonly hint?: string;
      }
    | {
        readonly kind: "flag";
        readonly member: MembersOf<boolean>;
        readonly yes: string;
        readonly no: string;
      }
    | {
        readonly kind: "range";
        readonly unit: "money" | "number";
        readonly min: MembersOf<number>;
        readonly max: MembersOf<number>;
      }
    | {
        readonly kind: "days";
        readonly since: "created_since" | "updated_since";
        readonly until?: "created_until";
      }
    | { readonly kind: "text"; readonly member: "sku_prefix" | "q" }
  );

const choicesOf = (values: readonly string[], words: Record<string, string>) =>
  values.map((value) => ({ value, label: words[value] ?? value }));

/** Every filter but the search, which has a field of its own, in the order of the menu. */
export const filterKinds: readonly FilterKind[] = [
  {
    id: "stage",
    label: "Stage",
    kind: "choices",
    member: "workflow_status",
    choices: choicesOf(workflowStatuses, workflowWords),
  },
  {
    id: "condition",
    label: "Condition",
    kind: "choices",
    member: "condition",
    choices: choicesOf(conditions, conditionWords),
  },
  { id: "set", label: "Set", kind: "words", member: "set", hint: "Name or code of a set" },
  { id: "game", label: "Game", kind: "words", member: "game" },
  {
    id: "location",
    label: "Location",
    kind: "words",
    member: "location",
    from: "places",
    hint: "A place, or all that begin so: Vault/*",
  },
  {
    id: "batch",
    label: "Batch",
    kind: "words",
    member: "batch",
    from: "batches",
    hint: "Its code",
  },
  { id: "tag", label: "Tag", kind: "words", member: "tag" },
  {
    id: "price",
    label: "Asking price",
    kind: "range",
    unit: "money",
    min: "price_min",
    max: "price_max",
  },
  {
    id: "market",
    label: "Market price",
    kind: "range",
    unit: "money",
    min: "market_price_min",
    max: "market_price_max",
  },
  { id: "cost", label: "Cost", kind: "range", unit: "money", min: "cost_min", max: "cost_max" },
  {
    id: "copies",
    label: "Copies",
    kind: "range",
    unit: "number",
    min: "quantity_min",
    max: "quantity_max",
  },
  { id: "year", label: "Year", kind: "range", unit: "number", min: "year_min", max: "year_max" },
  {
    id: "review",
    label: "Review",
    kind: "flag",
    member: "needs_review",
    yes: "Needs review",
    no: "Needs no review",
  },
  {
    id: "reason",
    label: "Reason for review",
    kind: "choices",
    member: "review_reason",
    choices: choicesOf(reviewReasons, reviewWords),
  },
  {
    id: "graded",
    label: "Graded",
    kind: "flag",
    member: "graded",
    yes: "Graded",
    no: "Not graded",
  },
  {
    id: "grader",
    label: "Grading company",
    kind: "words",
    member: "grader",
    hint: "PSA, BGS, CGC",
  },
  { id: "grade", label: "Grade", kind: "words", member: "grade", hint: "9, 9.5, 10" },
  {
    id: "has_price",
    label: "Has a price",
    kind: "flag",
    member: "has_price",
    yes: "Has a price",
    no: "Has no price",
  },
  {
    id: "has_market",
    label: "Has a market price",
    kind: "flag",
    member: "has_market_price",
    yes: "Has a market price",
    no: "Has no market price",
  },
  {
    id: "has_photo",
    label: "Has a photo",
    kind: "flag",
    member: "has_photo",
    yes: "Has a photo",
    no: "Has no photo",
  },
  {
    id: "has_location",
    label: "Has a location",
    kind: "flag",
    member: "has_location",
    yes: "Has a location",
    no: "Has no location",
  },
  {
    id: "has_batch",
    label: "Is in a batch",
    kind: "flag",
    member: "has_batch",
    yes: "In a batch",
    no: "In no batch",
  },
  { id: "language", label: "Language", kind: "words", member: "language", hint: "en, ja, de" },
  { id: "rarity", label: "Rarity", kind: "words", member: "rarity" },
  {
    id: "identified",
    label: "Identification",
    kind: "choices",
    member: "status",
    choices: choicesOf(cardStatuses, { imported: "Not identified", identified: "Identified" }),
  },
  { id: "sku", label: "SKU", kind: "words", member: "sku" },
  { id: "sku_prefix", label: "SKU begins with", kind: "text", member: "sku_prefix" },
  { id: "words", label: "Words", kind: "text", member: "q" },
  { id: "added", label: "Added", kind: "days", since: "created_since", until: "created_until" },
  { id: "changed", label: "Changed", kind: "days", since: "updated_since" },
];

/** The members of a filter that one of these holds. */
export function membersOf(kind: FilterKind): (keyof CardFilter)[] {
  switch (kind.kind) {
    case "range":
      return [kind.min, kind.max];
    case "days":
      return kind.until === undefined ? [kind.since] : [kind.since, kind.until];
    default:
      return [kind.member];
  }
}

export function isFiltered(kind: FilterKind, filter: CardFilter): boolean {
  return membersOf(kind).some((member) => filter[member] !== undefined);
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** What a chip says: `Stage: Priced or Listed`, `Asking price: $5.00 to $20.00`, `Needs review`. */
export function filterWords(kind: FilterKind, filter: CardFilter, currency: string): string {
  switch (kind.kind) {
    case "flag":
      return filter[kind.member] === true ? kind.yes : kind.no;
    case "choices": {
      const chosen = (filter[kind.member] ?? []) as readonly string[];
      const words = kind.choices.filter(({ value }) => chosen.includes(value));
      return `${kind.label}: ${joined(words.map(({ label }) => label))}`;
    }
    case "words":
      return `${kind.label}: ${joined(filter[kind.member] ?? [])}`;
    case "text":
      return `${kind.label}: ${filter[kind.member] ?? ""}`;
    case "range": {
      const words = (value: number) =>
        kind.unit === "number" ? String(value) : formatMoney({ amount: value, currency });
      return `${kind.label}: ${between(filter[kind.min], filter[kind.max], words)}`;
    }
    case "days": {
      const until = kind.until === undefined ? undefined : filter[kind.until];
      const words = (at: string) => day.format(Date.parse(at));
      return `${kind.label}: ${between(filter[kind.since], until, words)}`;
    }
  }
}

function joined(words: readonly string[]): string {
  return words.length > 3
    ? `${words.slice(0, 2).join(", ")} or ${words.length - 2} others`
    : words.join(" or ");
}

function between<Value>(
  min: Value | undefined,
  max: Value | undefined,
  words: (value: Value) => string,
): string {
  if (max === undefined) return min === undefined ? "any" : `from ${words(min)}`;
  return min === undefined ? `up to ${words(max)}` : `${words(min)} to ${words(max)}`;
}
