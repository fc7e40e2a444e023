import { maxPageSize, openPackedIds, packIds } from "@cardvault/contract";
import type { CardRow, CardSelection } from "@cardvault/contract";
import type { InventoryOrder } from "../../app/inventory-search.ts";
import { trpcClient } from "../../app/trpc.ts";

/** What one job can change. */
export const mostRows = 5_000;
/** An address of more ids is longer than what proxies let through. */
const blockSize = Math.min(50, maxPageSize);
/** What a browser asks one server for at once. */
const atOnce = 6;

/** Which cards a selection holds, in the list's order. @returns at most {@link mostRows}, and whether there are more */
export async function idsOf(
  selection: CardSelection,
  sort: InventoryOrder | undefined,
): Promise<{ ids: string[]; isCut: boolean }> {
  if ("ids" in selection) {
    return { ids: selection.ids.slice(0, mostRows), isCut: selection.ids.length > mostRows };
  }
  const except = new Set(selection.except);
  const found = await trpcClient.cards.ids.query({
    filter: selection.filter,
    ...(sort === undefined ? {} : { sort }),
    limit: mostRows + except.size + 1,
  });
  const packed = openPackedIds("card", found.ids);
  const ids: string[] = [];
  for (let index = 0; index < packed.length; index += 1) {
    const id = packed.at(index);
    if (!except.has(id)) ids.push(id);
  }
  return { ids: ids.slice(0, mostRows), isCut: ids.length > mostRows };
}

/** Loads rows block by block and hands each on as it comes. @throws what the service says */
export async function loadRows(
  ids: readonly string[],
  onRows: (rows: readonly CardRow[]) => void,
): Promise<void> {
  let next = 0;
  async function work(): Promise<void> {
    for (let start = next; start < ids.length; start = next) {
      next = start + blockSize;
      const block = packIds("card", ids.slice(start, start + blockSize));
      const { data } = await trpcClient.cards.rows.query({ ids: block });
      onRows(data);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
}
