import { rotationChoices } from "@cardvault/contract";
import type { TrailEntry, TrailSubject } from "@cardvault/contract";
import { formatMoney } from "./money.ts";
import { counted, rotationWords } from "./words.ts";

export const subjectWords: Record<TrailSubject, string> = {
  account: "Account and settings",
  key: "API keys",
  endpoint: "Webhook endpoints",
  member: "Members",
  marketplace: "Marketplace",
  job: "Jobs",
};

const known: Record<string, string> = {
  "account.created": "Account made",
  "account.test_created": "Test account made",
  "account.exported": "Account exported",
  "account.settings_changed": "Settings changed",
  "account.limits_changed": "Request limits changed",
  "account.provider_budget_set": "Budget for providers set",
  "account.provider_cap_set": "Limit at a provider set",
  "account.suspended": "Account suspended",
  "account.restored": "Account restored",
  "key.created": "API key made",
  "key.rotated": "API key rotated",
  "key.revoked": "API key revoked",
  "member.invited": "Somebody invited",
  "member.invitation_withdrawn": "Invitation withdrawn",
  "member.joined": "Member joined",
  "member.role_changed": "Role changed",
  "member.removed": "Member removed",
  "member.reset_link_made": "Link for a new password made",
  "member.operator_made": "Member made an operator of the platform",
  "member.operator_ended": "Member an operator of the platform no more",
  "endpoint.created": "Endpoint added",
  "endpoint.updated": "Endpoint changed",
  "endpoint.removed": "Endpoint deleted",
  "endpoint.secret_rotated": "Signing secret rotated",
  "endpoint.secret_switched": "Switched to the new signing secret",
  "endpoint.disabled": "Endpoint disabled",
  "endpoint.recovery_started": "Recovery of events started",
  "marketplace.connected": "Marketplace connected",
  "marketplace.disconnected": "Marketplace disconnected",
  "marketplace.revoked": "Marketplace’s consent ended",
  "marketplace.setup_changed": "Marketplace’s choices changed",
  "marketplace.location_created": "Place that ships added",
  "job.cancelled": "Job cancelled",
  "job.retried": "Job tried again",
};

/** What was done. An action that these pages do not know is shown as it is called. */
export function actionWords(action: string): string {
  return known[action] ?? action.replaceAll(/[._]/g, " ");
}

export function actorWords(actor: TrailEntry["actor"]): string {
  if (actor.name !== null) return actor.name;
  return actor.kind === "system"
    ? "Card Vault"
    : `A${actor.kind === "operator" ? "n" : ""} ${actor.kind}`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const microsInDollar = 1_000_000;

/** What each member of an entry's details says; those of which nothing is to be said are not here. */
const detailOf: Record<string, (value: unknown) => string | null> = {
  name: (value) => (typeof value === "string" ? `“${value}”` : null),
  enabled: (value) => (value === true ? "enabled" : value === false ? "disabled" : null),
  url: (value) => (typeof value === "string" ? `address ${value}` : null),
  email: (value) => (typeof value === "string" ? value : null),
  role: (value) => (value === "owner" || value === "member" ? `as ${value}` : null),
  kind: (value) => (typeof value === "string" ? value : null),
  engine: (value) => (typeof value === "string" ? `at ${value}` : null),
  events: (value) => (Array.isArray(value) ? counted(value.length, "event type") : null),
  description: (value) => (typeof value === "string" ? `“${value}”` : null),
  switch: (value) => whenWords("signs", value),
  old_ends: (value) => whenWords("the old one ends", value),
  since: (value) => (typeof value === "string" ? `since ${exactWords(value)}` : null),
  failing_since: (value) =>
    typeof value === "string" ? `failing since ${exactWords(value)}` : null,
  reason: (value) =>
    value === "gone"
      ? "it answered 410"
      : value === "failing"
        ? "it only failed for five days"
        : typeof value === "string"
          ? value
          : null,
  dropped: (value) => (typeof value === "number" ? `${counted(value, "event")} dropped` : null),
  count: (value) => (typeof value === "number" ? counted(value, "event") : null),
  sku_format: (value) => (typeof value === "string" ? `SKUs by ${value}` : null),
  location_separator: (value) => (typeof value === "string" ? `places divided by ${value}` : null),
  review_threshold: (value) =>
    typeof value === "number" ? `review below ${Math.round(value * 100)} %` : null,
  high_value_limit: (value) =>
    value === null
      ? "no high value limit"
      : isRecord(value) && typeof value["amount"] === "number"
        ? `high value above ${formatMoney({ amount: value["amount"], currency: String(value["currency"]) })}`
        : null,
  budget_micros: microsWords,
  cap_micros: microsWords,
};

function microsWords(value: unknown): string | null {
  if (value === null) return "no end";
  if (typeof value !== "number") return typeof value === "string" ? value : null;
  return `$${(value / microsInDollar).toFixed(2)} a month`;
}

function whenWords(what: string, value: unknown): string | null {
  const choice = rotationChoices.find((one) => one === value);
  return choice === undefined ? null : `${what} ${rotationWords[choice].toLowerCase()}`;
}

/** What was changed, in words; null where these pages know none of it. */
export function detailWords({ details }: Pick<TrailEntry, "details">): string | null {
  const said = Object.entries(details)
    .map(([name, value]) => detailOf[name]?.(value) ?? null)
    .filter((words) => words !== null);
  return said.length === 0 ? null : said.join(", ");
}

function exactWords(moment: string): string {
  return new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
