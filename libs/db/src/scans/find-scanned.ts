import type { ScannedCardAnswer, ScanFind } from "@cardvault/contract";
import { placeScanPrefix } from "@cardvault/contract";
import type { ScannedCard } from "@cardvault/domain";
import { isId, toId, toUuid } from "@cardvault/kit";
import type { Queryable } from "../connection/database.ts";
import { findPlaceByCode } from "../locations/places.ts";

type Matched = ScanFind["cards"][number]["matched"];

interface ScannedRow {
  id: string;
  matched: Matched;
  title: string | null;
  sku: string | null;
  set_name: string | null;
  number: string | null;
  cert_number: string | null;
  workflow_status: ScannedCardAnswer["workflow_status"];
  location: string | null;
  quantity: number;
  asking_price: number | null;
  currency: string;
}

/** A certificate number that many slabs have is listed so far: the dealer has to look anyway. */
const mostFound = 20;
const maxLocationLength = 120;

const columns = `c.id, c.title, c.sku, c.set_name, c.number, c.cert_number, c.workflow_status, c.location,
  c.quantity, c.asking_price, (select a.currency from account a where a.id = $1) as currency`;

/**
 * The cards that a scanned text names, each once: exactly as their SKU, id or certificate number is
 * stored, in its case. Three look-ups by index, one statement.
 */
export async function findScannedCards(
  db: Queryable,
  accountId: string,
  text: string,
): Promise<{ card: ScannedCardAnswer; matched: Matched }[]> {
  const rows = await db.query<ScannedRow>(
    `select * from (
       (select ${columns}, 1 as turn, 'sku' as matched from card c where c.account_id = $1 and c.sku = $2)
       union all
       (select ${columns}, 2, 'id' from card c where c.account_id = $1 and c.id = $3)
       union all
       (select ${columns}, 3, 'cert_number' from card c
        where c.account_id = $1 and c.cert_number = $2 order by c.id limit $4)
     ) found order by turn, id`,
    [toUuid(accountId), text, isId("card", text) ? toUuid(text) : null, mostFound],
    "find_scanned",
  );
  const seen = new Set<string>();
  return rows.flatMap((row) => {
    if (seen.has(row.id)) return [];
    seen.add(row.id);
    return [{ card: cardAnswer(row), matched: row.matched }];
  });
}

/** Cards of the account as a scan shows them, by id. */
export async function readScannedCards(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, ScannedCardAnswer>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<ScannedRow>(
    `select ${columns} from card c where c.account_id = $1 and c.id = any ($2::uuid[])`,
    [toUuid(accountId), ids.map((id) => toUuid(id))],
    "read_scanned",
  );
  return new Map(rows.map((row) => [toId("card", row.id), cardAnswer(row)]));
}

/** The location that a scanned text names: by a place's code, or behind the mark of a location's label. */
export async function findScannedPlace(
  db: Queryable,
  accountId: string,
  text: string,
): Promise<string | null> {
  const known = await findPlaceByCode(db, accountId, text);
  if (known !== null) return known;
  if (!text.startsWith(placeScanPrefix)) return null;
  const location = text.slice(placeScanPrefix.length);
  return location.trim() === "" || location.length > maxLocationLength ? null : location;
}

/** What the rules look at. */
export function scannedCard({ id, workflow_status, location }: ScannedCardAnswer): ScannedCard {
  return { id, workflowStatus: workflow_status, location };
}

function cardAnswer(row: ScannedRow): ScannedCardAnswer {
  const { title, sku, number, cert_number, workflow_status, location, quantity, currency } = row;
  return {
    id: toId("card", row.id),
    title,
    sku,
    set: row.set_name,
    number,
    cert_number,
    workflow_status,
    location,
    quantity,
    asking_price: row.asking_price === null ? null : { amount: row.asking_price, currency },
  };
}
