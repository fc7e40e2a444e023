import type { Queryable, Transaction } from "../connection/database.ts";

/** A card of a public list as it is stored. What is compared is made by the caller. */
export interface CatalogueRow {
  sourceId: string;
  game: string;
  set: string;
  setCode: string | null;
  number: string;
  setTotal: number | null;
  name: string;
  rarity: string | null;
  year: number | null;
  externalIds: Record<string, string>;
  imageUrl: string | null;
  comparedName: string;
  comparedNumber: string;
  comparedSet: string;
  /** Name, set and set code, in the form that is compared. */
  words: string;
}

/** Writes cards of one source; those that are there already are brought up to date. */
export async function writeCatalogueCards(
  tx: Queryable,
  source: string,
  rows: readonly CatalogueRow[],
  now: Date,
): Promise<void> {
  // The last one of an id counts: one statement may not write a row twice.
  const unique = [...new Map(rows.map((row) => [row.sourceId, row])).values()];
  if (unique.length === 0) return;
  await tx.query(
    `insert into catalogue_card as stored
       (source, source_id, game, set_name, set_code, number, set_total, name, rarity, year,
        external_ids, image_url, compared_name, compared_number, compared_set, words, imported_at)
     select $1, r."sourceId", r.game, r.set, r."setCode", r.number, r."setTotal", r.name, r.rarity, r.year,
       r."externalIds", r."imageUrl", r."comparedName", r."comparedNumber", r."comparedSet", r.words, $3
     from jsonb_to_recordset($2::jsonb) as r("sourceId" text, game text, set text, "setCode" text,
       number text, "setTotal" int, name text, rarity text, year int, "externalIds" jsonb,
       "imageUrl" text, "comparedName" text, "comparedNumber" text, "comparedSet" text, words text)
     on conflict (source, source_id) do update set
       game = excluded.game, set_name = excluded.set_name, set_code = excluded.set_code,
       number = excluded.number, set_total = excluded.set_total, name = excluded.name,
       rarity = excluded.rarity, year = excluded.year, external_ids = excluded.external_ids,
       image_url = excluded.image_url, compared_name = excluded.compared_name,
       compared_number = excluded.compared_number, compared_set = excluded.compared_set,
       words = excluded.words, imported_at = excluded.imported_at`,
    [source, JSON.stringify(unique), now],
  );
}

/** How far the import of one list has come. */
export interface CatalogueImportState {
  status: "running" | "done";
  position: number;
  total: number | null;
  written: number;
  skipped: number;
  updatedAt: Date;
}

const stateColumns = `status, position, total, written, skipped, updated_at as "updatedAt"`;

/** Begins the import of a list, or answers where the one before it stopped. */
export async function beginCatalogueImport(
  db: Queryable,
  list: { source: string; listKey: string; total: number | null; restart: boolean },
  now: Date,
): Promise<CatalogueImportState> {
  const [row] = await db.query<CatalogueImportState>(
    `insert into catalogue_import as i (source, list_key, status, total, started_at, updated_at)
     values ($1, $2, 'running', $3, $4, $4)
     on conflict (source, list_key) do update set
       position = case when $5 then 0 else i.position end,
       written = case when $5 then 0 else i.written end,
       skipped = case when $5 then 0 else i.skipped end,
       status = case when $5 then 'running' else i.status end
     returning ${stateColumns}`,
    [list.source, list.listKey, list.total, now, list.restart],
  );
  if (row === undefined) throw new TypeError("An upsert returns one row");
  return row;
}

/** Writes one part of a list and how far it has come with it, in one transaction of the caller's. */
export async function writeCatalogueImport(
  tx: Transaction,
  list: { source: string; listKey: string },
  state: Pick<CatalogueImportState, "status" | "position" | "written" | "skipped">,
  now: Date,
): Promise<void> {
  await tx.query(
    `update catalogue_import set status = $3, position = $4, written = $5, skipped = $6, updated_at = $7
     where source = $1 and list_key = $2`,
    [list.source, list.listKey, state.status, state.position, state.written, state.skipped, now],
  );
}
