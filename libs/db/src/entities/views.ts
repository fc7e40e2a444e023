import { defineEntity } from "@mikro-orm/postgresql";
import { flag, id, json, text, time } from "./columns.ts";
import { accountReference } from "./people.ts";

export const InventoryView = defineEntity({
  name: "InventoryView",
  properties: {
    id: id("view").primary(),
    accountId: accountReference,
    ownerId: text(),
    name: text(),
    isShared: flag().default(false),
    filter: json<Record<string, unknown>>().defaultRaw("'{}'::jsonb"),
    sort: text().nullable(),
    columns: json<string[]>().defaultRaw("'[]'::jsonb"),
    createdAt: time(),
    updatedAt: time(),
  },
  uniques: [
    {
      name: "inventory_view_name_key",
      expression:
        "create unique index inventory_view_name_key on inventory_view (account_id, owner_id, lower(name))",
    },
  ],
});
