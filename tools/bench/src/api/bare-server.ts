import { createHash, createHmac, createSecretKey, hkdfSync } from "node:crypto";
import { toId, toUuid } from "@cardvault/kit";
import { fastify as createFastify } from "fastify";
import pg from "pg";
import { readSettings, serve } from "../stack/serve.ts";

/** What a hand-written route would have at hand. */
export interface BareSettings {
  readonly databaseUrl: string;
  readonly port: number;
  readonly publicUrl: string;
  readonly accountId: string;
  readonly currency: string;
  /** As in VAULT_ENCRYPTION_KEYS, one key. */
  readonly encryptionKey: string;
}

// The other side of the comparison: Fastify, one prepared statement, the rows as JSON. No token, no
// limit, no check of what comes in or goes out, no error of our own. The same bytes as the service's.
const settings = readSettings() as BareSettings;
const { publicUrl, accountId, currency } = settings;
const account = toUuid(accountId, "acc");
const masterKey = Buffer.from(settings.encryptionKey.split(":")[1] ?? "", "base64");
const photoKey = createSecretKey(
  Buffer.from(hkdfSync("sha256", masterKey, Buffer.alloc(0), "cardvault photo-urls", 32)),
);

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 });

const columns = `
  c.id, c.batch_id, c.sku, c.status, c.workflow_status, c.needs_review, c.review_reason, c.title, c.game, c.set_name,
  c.set_code, c.number, c.year, c.subject, c.team, c.manufacturer, c.variant, c.rarity, c.language, c.print_run,
  c.serial_number, c.is_rookie, c.is_autograph, c.is_memorabilia, c.condition, c.grader, c.grade, c.cert_number,
  c.qualifier, c.quantity, c.asking_price, c.price_floor, c.purchase_price, c.market_price, c.market_price_currency,
  c.market_price_source, c.market_price_as_of, c.location, c.external_ids, c.notes, c.tags, c.identified_by,
  c.identification_confidence, c.identified_at, c.listing_id, c.version, c.created_at, c.updated_at,
  (select json_agg(json_build_array(p.id, p.side, p.width, p.height) order by p.position, p.id)
    from photo p where p.card_id = c.id) as photos`;

const oneCard = `select ${columns} from card c where c.account_id = $1 and c.id = $2`;
const newestCards = `select ${columns} from card c where c.account_id = $1 order by c.created_at desc, c.id desc limit $2`;

type Row = Record<string, unknown> & {
  id: string;
  batch_id: string | null;
  listing_id: string | null;
  asking_price: number | null;
  price_floor: number | null;
  purchase_price: number | null;
  market_price: number | null;
  market_price_as_of: Date | null;
  grader: string | null;
  photos: [id: string, side: string, width: number, height: number][] | null;
  identified_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

const money = (amount: number | null) => (amount === null ? null : { amount, currency });

function photoUrl(id: string, size: string): string {
  const mac = createHmac("sha256", photoKey).update(`${id}/${size}`).digest();
  return `${publicUrl}/photos/${id}/${size}.webp?s=${mac.subarray(0, 16).toString("base64url")}`;
}

function cardOf(row: Row): unknown {
  return {
    id: toId("card", row.id),
    batch_id: row.batch_id === null ? null : toId("batch", row.batch_id),
    sku: row["sku"],
    status: row["status"],
    workflow_status: row["workflow_status"],
    needs_review: row["needs_review"],
    review_reason: row["review_reason"],
    title: row["title"],
    game: row["game"],
    set: row["set_name"],
    set_code: row["set_code"],
    number: row["number"],
    year: row["year"],
    subject: row["subject"],
    team: row["team"],
    manufacturer: row["manufacturer"],
    variant: row["variant"],
    rarity: row["rarity"],
    language: row["language"],
    print_run: row["print_run"],
    serial_number: row["serial_number"],
    is_rookie: row["is_rookie"],
    is_autograph: row["is_autograph"],
    is_memorabilia: row["is_memorabilia"],
    condition: row["condition"],
    grading:
      row.grader === null
        ? null
        : {
            grader: row.grader,
            grade: row["grade"],
            cert_number: row["cert_number"],
            qualifier: row["qualifier"],
          },
    quantity: row["quantity"],
    asking_price: money(row.asking_price),
    price_floor: money(row.price_floor),
    purchase_price: money(row.purchase_price),
    market_price:
      row.market_price === null
        ? null
        : {
            amount: row.market_price,
            currency: row["market_price_currency"],
            source: row["market_price_source"],
            as_of: row.market_price_as_of,
          },
    location: row["location"],
    photos: (row.photos ?? []).map(([uuid, side, width, height]) => {
      const id = toId("img", uuid);
      const url = photoUrl(id, "full");
      return { id, side, url, thumbnail_url: photoUrl(id, "thumbnail"), width, height };
    }),
    external_ids: row["external_ids"],
    notes: row["notes"],
    tags: row["tags"],
    identified_by: row["identified_by"],
    identification_confidence: row["identification_confidence"],
    identified_at: row.identified_at,
    listing_id: row.listing_id === null ? null : toId("lst", row.listing_id),
    version: row["version"],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function cursorOf({ created_at, id }: Row): string {
  const value = created_at.toISOString();
  const scope = ["cards", accountId, "-created_at"];
  const hash = createHash("sha256")
    .update(JSON.stringify([scope, value, id]))
    .digest("base64url");
  return Buffer.from(JSON.stringify([value, id, hash.slice(0, 22)])).toString("base64url");
}

const fastify = createFastify();

fastify.get<{ Params: { id: string } }>("/cards/:id", async (request, reply) => {
  const values = [account, toUuid(request.params.id)];
  const { rows } = await pool.query<Row>({ name: "card", text: oneCard, values });
  return reply
    .type("application/json; charset=utf-8")
    .send(rows[0] === undefined ? "null" : JSON.stringify(cardOf(rows[0])));
});

fastify.get<{ Querystring: { limit: string } }>("/cards", async (request, reply) => {
  const limit = Number(request.query.limit);
  const values = [account, limit + 1];
  const { rows } = await pool.query<Row>({ name: "cards", text: newestCards, values });
  const last = rows[limit - 1];
  const hasMore = rows.length > limit && last !== undefined;
  return reply.type("application/json; charset=utf-8").send(
    JSON.stringify({
      data: rows.slice(0, limit).map(cardOf),
      next_cursor: hasMore ? cursorOf(last) : null,
      has_more: hasMore,
    }),
  );
});

await fastify.listen({ host: "127.0.0.1", port: settings.port });
serve({});
