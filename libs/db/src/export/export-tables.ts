import { batchProjection, toBatch } from "../read/batches.ts";
import type { BatchRow } from "../read/batches.ts";
import { cardProjection, toCard } from "../read/cards.ts";
import type { StoredCard } from "../read/cards.ts";
import { listingProjection, toListing } from "../read/listings.ts";
import type { ListingRow } from "../read/listings.ts";
import type { ExportForm, ExportRow } from "./export-row.ts";

/** One file of an account's export. */
export interface ExportTable extends ExportForm {
  /** The file's name, less `.ndjson`. */
  name: string;
  /** The tables that it is made of. */
  of: readonly string[];
  /** What is in a line and in what order the lines come. `$1` is the account. */
  select: string;
  /** Instead of the row's own form: that of the REST API. */
  toLine?: ((row: ExportRow) => ExportRow) | undefined;
}

/** The pictures' files stand beside the lines; an address would only work here, and for whoever has it. */
function cardLine(row: ExportRow): ExportRow {
  const { photos, ...card } = toCard(row as unknown as StoredCard, () => "");
  return {
    ...card,
    photos: photos.map(({ id, side, width, height }) => ({ id, side, width, height })),
  };
}

/**
 * Everything that is an account's and that nobody else could make again, as it is shown to its members. A
 * secret is in none of it: no hash of a key, no signing secret, no refresh token, no link.
 */
export const exportTables: readonly ExportTable[] = [
  {
    name: "account",
    of: ["account", "provider_cap"],
    idPrefix: "acc",
    money: ["high_value_limit"],
    select: `select a.id, a.name, a.environment, a.currency, a.sku_format, a.location_separator,
      a.review_threshold, a.high_value_limit, a.title_template, a.description_template, a.limit_read, a.limit_write,
      a.limit_ai, a.provider_budget_micros, (select coalesce(json_object_agg(p.engine, p.cap_micros), '{}')
        from provider_cap p where p.account_id = a.id) as provider_caps_micros,
      a.suspended_at, a.suspended_reason, a.created_at from account a where a.id = $1`,
  },
  {
    name: "members",
    of: ["member"],
    select: `select m.user_id, u.name, u.email, m.role, m.created_at as joined_at
      from member m left join auth."user" u on u.id = m.user_id where m.account_id = $1 order by m.created_at, m.user_id`,
  },
  {
    name: "invitations",
    of: ["invitation"],
    select: `select id, email, role, invited_by, created_at, expires_at, accepted_at from invitation
      where account_id = $1 order by created_at, id`,
  },
  {
    name: "keys",
    of: ["api_key"],
    idPrefix: "key",
    select: `select id, name, prefix, last_four, scopes, created_by, created_at, expires_at, revoked_at, replaced_by,
      last_used_at from api_key where account_id = $1 order by created_at, id`,
  },
  {
    name: "trail",
    of: ["trail_entry"],
    select: `select id, actor_kind, actor_id, action, details, created_at from trail_entry
      where account_id = $1 order by created_at, id`,
  },
  {
    name: "batches",
    of: ["batch"],
    select: `select c.id, ${batchProjection} from batch c where c.account_id = $1 order by c.id`,
    toLine: (row) => ({ ...toBatch(row as unknown as BatchRow) }),
  },
  {
    name: "cards",
    of: ["card"],
    select: `select c.id, ${cardProjection} from card c where c.account_id = $1 order by c.id`,
    toLine: cardLine,
  },
  {
    name: "card_changes",
    of: ["card_change"],
    select: `select h.card_id, h.changed_at, h.version, h.created, h.actor_kind, h.actor_id, h.via, h.job_id, h.changes,
      h.event_ids from card c join card_change h on h.card_id = c.id where c.account_id = $1 order by h.card_id, h.changed_at`,
  },
  {
    name: "photos",
    of: ["photo"],
    idPrefix: "img",
    select: `select p.id, p.card_id, p.side, p.position, encode(p.content_hash, 'hex') as sha256, p.width, p.height,
      p.created_at from photo p where p.account_id = $1 order by p.id`,
  },
  {
    name: "pictures",
    of: ["picture"],
    select: `select encode(content_hash, 'hex') as sha256, format, byte_size, width, height from picture
      where account_id = $1 and state = 'stored' order by content_hash`,
  },
  {
    name: "identifications",
    of: ["identification"],
    select: `select i.id, i.card_id, i.status, i.review_reason, i.threshold, i.candidates, i.evidence, i.attempts,
      i.changed_at, i.actor_kind, i.actor_id, i.job_id, i.started_at, i.finished_at
      from card c join identification i on i.card_id = c.id where c.account_id = $1 order by i.card_id, i.started_at, i.id`,
  },
  {
    name: "review_decisions",
    of: ["review_decision"],
    select: `select id, card_id, user_id, kind, decided_at, undone_at from review_decision
      where account_id = $1 order by decided_at, id`,
  },
  {
    name: "price_quotes",
    of: ["price_quote"],
    money: ["price", "low", "high"],
    select: `select q.card_id, q.source, q.kind, q.quoted_at, q.as_of, q.currency, q.price, q.low, q.high, q.sample_size
      from card c join price_quote q on q.card_id = c.id where c.account_id = $1 order by q.card_id, q.day, q.source, q.kind`,
  },
  {
    name: "listings",
    of: ["listing"],
    select: `select c.id, ${listingProjection} from listing c where c.account_id = $1 order by c.id`,
    toLine: (row) => ({ ...toListing(row as unknown as ListingRow) }),
  },
  {
    name: "listing_templates",
    of: ["listing_template"],
    select: `select batch_id, card_id, title, description, updated_at from listing_template
      where account_id = $1 order by id`,
  },
  {
    name: "orders",
    of: ["marketplace_order_line"],
    money: ["total", "cancelled_total", "refunded", "fee", "cost_each"],
    select: `select marketplace, order_id, line_id, listing_id, card_id, unmatched, external_listing_id, sku, title, quantity,
      total, currency, cancelled_quantity, cancelled_total, refunded, fee, cost_each, is_paid, sold_at, modified_at,
      recorded_at, cancelled_at, pulled_at, pulled_by from marketplace_order_line where account_id = $1 order by sold_at, id`,
  },
  {
    name: "hand_sales",
    of: ["hand_sale"],
    money: ["price", "fee", "cost_each"],
    select: `select id, card_id, quantity, price, fee, cost_each, place, note, sold_at, created_by, created_at, voided_by,
      voided_at from hand_sale where account_id = $1 order by created_at, id`,
  },
  {
    name: "events",
    of: ["webhook_event"],
    idPrefix: "evt",
    select: `select id, type, body::json as body, created_at from webhook_event where account_id = $1 order by created_at, id`,
  },
  {
    name: "endpoints",
    of: ["webhook_endpoint"],
    idPrefix: "whe",
    select: `select id, url, description, event_types, enabled, disabled_reason, disabled_at, deleted_at, created_at,
      updated_at from webhook_endpoint where account_id = $1 order by created_at, id`,
  },
  {
    name: "deliveries",
    of: ["webhook_delivery"],
    idPrefix: "dlv",
    select: `select id, event_id, endpoint_id, generation, status, drop_reason, attempts, next_attempt_at, deadline_at,
      last_status_code, last_error_code, created_at, finished_at, dismissed_at, dismissed_note
      from webhook_delivery where account_id = $1 order by created_at, id`,
  },
  {
    name: "attempts",
    of: ["webhook_attempt"],
    select: `select delivery_id, endpoint_id, number, started_at, status_code, error_code, dns_ms, connect_ms, tls_ms,
      first_byte_ms, total_ms, response_headers, translate(encode(response_body, 'base64'), e'\\n', '') as response_body_base64,
      response_truncated from webhook_attempt where account_id = $1 order by started_at, id`,
  },
  {
    name: "notices",
    of: ["notice"],
    select: `select kind, endpoint_id, message, details, created_at, read_at from notice
      where account_id = $1 order by created_at, id`,
  },
  {
    name: "jobs",
    of: ["job"],
    idPrefix: "job",
    select: `select id, kind, status, progress, error, batch_id, subject_id, created_by, created_at, updated_at, finished_at
      from job where account_id = $1 order by created_at, id`,
  },
  {
    name: "job_items",
    of: ["job_item"],
    select: `select i.job_id, i.card_id, i.outcome, i.code, i.message, i.changed_at, i.details
      from job j join job_item i on i.job_id = j.id where j.account_id = $1 order by i.job_id, i.card_id`,
  },
  {
    name: "imports",
    of: ["card_import"],
    select: `select id, status, file_name, file_size, encode(file_hash, 'hex') as sha256, reading, mapping, settings, mode,
      batch_id, verdicts, outcomes, job_id, created_by, created_at, updated_at from card_import
      where account_id = $1 order by created_at, id`,
  },
  {
    name: "import_rows",
    of: ["card_import_row"],
    select: `select r.import_id, r.row, r.verdict, r.fields, r.problems, r.outcome, r.card_id, r.changed_at
      from card_import i join card_import_row r on r.import_id = i.id where i.account_id = $1 order by r.import_id, r.row`,
  },
  {
    name: "import_mappings",
    of: ["import_mapping"],
    select: `select name, mapping, updated_at from import_mapping where account_id = $1 order by signature`,
  },
  {
    name: "photo_imports",
    of: ["photo_import"],
    select: `select id, batch_id, status, pairing, job_id, created_by, created_at, updated_at from photo_import
      where account_id = $1 order by created_at, id`,
  },
  {
    name: "photo_import_files",
    of: ["photo_import_file"],
    select: `select f.import_id, f.position, f.name, encode(f.content_hash, 'hex') as sha256, f.byte_size, f.photo_id,
      f.is_dropped, f.card_id from photo_import i join photo_import_file f on f.import_id = i.id
      where i.account_id = $1 order by f.import_id, f.position`,
  },
  {
    name: "views",
    of: ["inventory_view"],
    select: `select id, owner_id, name, is_shared, filter, sort, columns, created_at, updated_at from inventory_view
      where account_id = $1 order by created_at, id`,
  },
  {
    name: "places",
    of: ["known_place"],
    select: `select path, code, note, capacity, created_at, updated_at from known_place where account_id = $1 order by path`,
  },
  {
    name: "scan_runs",
    of: ["scan_run"],
    select: `select id, location, created_by, created_at, updated_at from scan_run where account_id = $1 order by created_at, id`,
  },
  {
    name: "scans",
    of: ["scan"],
    select: `select id, run_id, number, text, outcome, location, from_location, card_id, candidate_ids, created_at, undone_at
      from scan where account_id = $1 order by run_id, number`,
  },
  {
    name: "marketplace_connections",
    of: ["marketplace_connection"],
    select: `select marketplace, status, payment_policy_id, return_policy_id, fulfillment_policy_id, location_key, category_id,
      connected_by, connected_at, revoked_at, updated_at from marketplace_connection where account_id = $1 order by marketplace`,
  },
  {
    name: "provider_usage",
    of: ["provider_usage"],
    select: `select day, engine, calls, failures, cost_micros from provider_usage where account_id = $1 order by day, engine`,
  },
];

/** The tables of accounts that an export leaves out, and why. */
export const notExported: Readonly<Record<string, string>> = {
  account_clock: "counters of the service",
  batch_cost_share: "what a spread of a cost works with; the costs stand in the cards",
  card_count: "counted from cards",
  card_word: "the words of cards",
  location_total: "summed from cards",
  learned_hash: "made from photos",
  learner_position: "how far the service has come",
  listing_difference: "seen at the marketplace",
  listing_publication: "how far the service has come",
  marketplace_consent: "a consent that has not been answered",
  marketplace_sync: "how far the service has come",
  review_lock: "who holds which card for two minutes",
  webhook_endpoint_health: "how an endpoint fares now",
  webhook_endpoint_outcomes: "how far the service has come",
  webhook_endpoint_slots: "who sends just now",
  card_import_key: "what rows of a list are recognised by",
  card_import_part: "the file of a list as it came; its rows are exported",
  job_patch: "what a job still has to do",
  idempotency_record: "answers that are kept for a day",
};
