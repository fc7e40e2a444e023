import type { JobItem } from "@cardvault/contract";
import { listJobItems } from "@cardvault/db";
import { csvLine } from "@cardvault/exchange";
import type { Access } from "../context.ts";
import type { Services } from "../services.ts";

const header = ["card_id", "sku", "title", "outcome", "code", "message"];
const rowsAtOnce = 1_000;

/**
 * Writes the cards of a job that have something to say as CSV, however many they are. A text that a
 * spreadsheet would run as a formula has an apostrophe before it.
 * @param write is given the next piece of text, and is waited for
 * @throws VaultError `not_found`, before anything is written
 */
export async function exportJobItems(
  { db }: Pick<Services, "db">,
  { accountId }: Pick<Access, "accountId">,
  id: string,
  write: (text: string) => Promise<void>,
): Promise<void> {
  let text = csvLine(header);
  let cursor: string | undefined;
  do {
    const page = { id, remarked: true, limit: rowsAtOnce, cursor };
    const { data, next_cursor } = await listJobItems(db, accountId, page);
    await write(text + data.map(lineOf).join(""));
    text = "";
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}

function lineOf({ card, outcome, code, message }: JobItem): string {
  const cells = [card.id, card.sku, card.title, outcome, code, message];
  return csvLine(cells.map((cell) => cell ?? ""));
}
