import type { Environment } from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import { json, text, time, uuid } from "./columns.ts";

/** What is known of an account that was removed, or is being. It refers to nothing: the account is gone. */
export const AccountRemoval = defineEntity({
  name: "AccountRemoval",
  properties: {
    id: uuid().primary(),
    liveAccountId: uuid().nullable(),
    environment: text().$type<Environment>(),
    removedBy: text(),
    counts: json<Record<string, number>>().defaultRaw("'{}'::jsonb"),
    startedAt: time(),
    finishedAt: time().nullable(),
  },
  indexes: [{ name: "account_removal_finished_at_index", properties: "finishedAt" }],
});
