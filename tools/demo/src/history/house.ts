import { randomBytes } from "node:crypto";
import { appRouter, createCallerFactory } from "@cardvault/core";
import { writeProviderOutcome } from "@cardvault/db";
import { newId, toUuid } from "@cardvault/kit";
import { dayMs, minuteMs } from "./shop.ts";
import type { Shop } from "./shop.ts";

const shelves = [
  { path: "A1", code: "A1", capacity: 400, note: "Glass case, left" },
  { path: "A2", code: "A2", capacity: 400, note: "Glass case, right" },
  { path: "B1", code: "B1", capacity: 300, note: "Shelf behind the counter" },
  { path: "B2", code: "B2", capacity: 300, note: null },
  { path: "C1", code: "C1", capacity: 200, note: "Binders" },
  { path: "IN", code: "IN", capacity: 60, note: "Tray at the counter, not sorted yet" },
] as const;

/** How the providers fared lately, each with what it failed with. */
const fared = [
  { provider: "cardsight", calls: 34, failures: 1, code: "timeout", ms: 640 },
  { provider: "google", calls: 12, failures: 0, code: null, ms: 1_900 },
  { provider: "pricecharting", calls: 41, failures: 2, code: "rate_limited", ms: 310 },
] as const;

/** How the shop is set up: its shelves, limits, views, and who works in it. */
export async function writeHouse(shop: Shop): Promise<void> {
  const { owner } = shop;
  await owner.accounts.settings.update({
    location_separator: "-",
    sku_format: "{batch}-{n:5}",
    review_threshold: 0.9,
    high_value_limit: { amount: 7_500, currency: "USD" },
  });
  await owner.identifications.setBudget({ budget_micros: 25_000_000 });
  for (const shelf of shelves) await owner.locations.places.save(shelf);
  await owner.views.create({
    name: "Priced, not photographed",
    filter: { workflow_status: ["priced"] },
    sort: "-asking_price",
    is_shared: true,
  });
  await owner.views.create({ name: "Graded", filter: { graded: true }, is_shared: true });
  await writePeople(shop);
}

/** Somebody else works in the shop, and one more is invited. */
async function writePeople({ services, owner }: Shop): Promise<void> {
  const serial = randomBytes(2).toString("hex");
  const { link } = await owner.accounts.members.invite({
    email: `jo.marsh-${serial}@harborlane.example`,
    role: "member",
  });
  const guest = createCallerFactory(appRouter)({
    services,
    principal: null,
    requestId: newId("req"),
  });
  await guest.signIn.acceptInvitation({
    token: new URL(link).hash.replace("#token=", ""),
    name: "Jo Marsh",
    password: randomBytes(18).toString("base64url"),
  });
  await owner.accounts.members.invite({ email: "kim.osei@harborlane.example", role: "member" });
}

/** What was called lately, and how it went. Counts are the installation's, so a second shop adds none. */
export async function writeProviders({ services: { db }, now }: Shop): Promise<void> {
  for (const { provider, calls, failures, code, ms } of fared) {
    for (let call = 0; call < calls; call += 1) {
      const isFailure = call < failures;
      await writeProviderOutcome(
        db,
        {
          provider,
          durationMs: Math.round(ms * (0.8 + ((call * 7) % 10) / 25)),
          code: isFailure ? code : null,
        },
        new Date(now.getTime() - (calls - call) * 47 * minuteMs),
      );
    }
  }
}

/** The account, its keys, endpoints, members and trail are as old as its first batch. */
export async function ageHouse({ services: { db }, access, now }: Shop): Promise<void> {
  const account = toUuid(access.accountId);
  const opened = new Date(now.getTime() - 52 * dayMs);
  const statements = [
    "update account set created_at = $2 where id = $1",
    "update api_key set created_at = $2::timestamptz + interval '20 days' where account_id = $1",
    "update webhook_endpoint set created_at = $2::timestamptz + interval '20 days', updated_at = $2::timestamptz + interval '20 days' where account_id = $1",
    "update member set created_at = $2::timestamptz + interval '30 days' * (row_number - 1) from (select user_id as u, row_number() over (order by created_at) from member where account_id = $1) n where account_id = $1 and user_id = n.u",
    // In their order, an hour of the opening day or a few days apart.
    "update trail_entry t set created_at = $2::timestamptz + interval '3 days 5 hours' * (n.row_number - 1) from (select id, row_number() over (order by created_at, id) from trail_entry where account_id = $1) n where t.id = n.id",
  ];
  for (const statement of statements) await db.query(statement, [account, opened]);
}
