import * as z from "zod";
import { pathId, userId, viewId } from "./ids.ts";
import { inventorySorts, relevance } from "./sorts.ts";
import { cardFilterSchema } from "./selection.ts";
import { filledText, timestamp } from "./text.ts";

/** Saved views of the inventory: a filter, an order and columns under a name. */

/** Views that one member can save in an account. */
export const maxViews = 100;
export const viewMaxima = { name: 60, columns: 40, column: 40 } as const;

const sort = z.enum([...inventorySorts, relevance]).nullable();
/** Names of the page's own columns; the page leaves out what it does not know. */
const columns = z.array(filledText(viewMaxima.column)).max(viewMaxima.columns);

const name = filledText(viewMaxima.name);

export const inventoryView = z.strictObject({
  id: viewId,
  name,
  filter: cardFilterSchema,
  sort,
  columns,
  is_shared: z.boolean().meta({ description: "Every member of the account sees it." }),
  owner: z.strictObject({ id: userId, name: z.string().nullable() }),
  can_change: z.boolean().meta({ description: "One's own, or a shared one for an owner." }),
  dropped: z.array(z.string()).meta({
    description: "What it was saved with and no longer means anything, left out of the filter.",
  }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type InventoryView = z.output<typeof inventoryView>;

/** `views.list`: one's own and those that are shared, by name. */
export const viewListAnswer = z.strictObject({ data: z.array(inventoryView) });

const viewShape = {
  name,
  filter: cardFilterSchema,
  sort,
  columns,
  is_shared: z.boolean(),
};

/** `views.create`. A name that one has already is 409 `conflict`, as is one view too many. */
export const viewCreateInput = z.strictObject({
  name,
  filter: cardFilterSchema.default({}),
  sort: sort.default(null),
  columns: columns.default([]),
  is_shared: z.boolean().default(false),
});
export type ViewCreate = z.output<typeof viewCreateInput>;

/** `views.update`: every member but the id is optional and replaces what was. */
export const viewUpdateInput = z.strictObject({
  id: pathId("view"),
  ...z.strictObject(viewShape).partial().shape,
});
export type ViewUpdate = z.output<typeof viewUpdateInput>;

/** `views.delete`. */
export const viewIdInput = z.strictObject({ id: pathId("view") });
