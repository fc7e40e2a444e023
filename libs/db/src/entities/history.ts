import type { ActorKind, ChangeVia } from "@cardvault/contract";
import { defineEntity } from "@mikro-orm/postgresql";
import { flag, integer, json, reference, text, time, uuid } from "./columns.ts";
import { Card } from "./inventory.ts";
import { accountReference } from "./people.ts";

const p = defineEntity.properties;

export const CardChange = defineEntity({
  name: "CardChange",
  properties: {
    accountId: accountReference,
    cardId: () => reference(Card, "card_id", "cascade").primary(),
    changedAt: time().primary(),
    version: integer(),
    created: flag().default(false),
    actorKind: text().$type<ActorKind>(),
    actorId: text().nullable(),
    via: text().$type<ChangeVia>(),
    jobId: uuid().nullable(),
    changes: json<Record<string, [unknown, unknown]>>().defaultRaw("'{}'::jsonb"),
    eventIds: p.array().columnType("uuid[]").nullable(),
  },
  checks: [
    {
      name: "card_change_actor_kind_check",
      expression: "actor_kind in ('member', 'token', 'operator', 'system')",
    },
  ],
});
