import { randomUUID } from "node:crypto";
import { exampleId, packIds } from "@cardvault/contract";
import { beginIdentification, insertNotice } from "@cardvault/db";
import { newId, toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureBytes, upload } from "./photos/test-pictures.ts";
import { receiveImport } from "./imports/receive-import.ts";
import { appRouter } from "./router.ts";
import { errorFrom, openHouse } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

/** What the two accounts have that an id can name. */
interface Things {
  card: string;
  identification: string;
  batch: string;
  key: string;
  endpoint: string;
  event: string;
  delivery: string;
  job: string;
  notice: string;
  import: string;
  signature: string;
  photo: string;
  photoImport: string;
  member: string;
  invitation: string;
  session: string;
  account: string;
  view: string;
  run: string;
  scan: string;
  place: string;
  sale: string;
  listing: string;
}

let house: House;
let own: Dealer;
let ownThings: Things;
let foreignThings: Things;
const neverThere: Things = {
  card: exampleId("card"),
  identification: exampleId("idn"),
  batch: exampleId("batch"),
  key: exampleId("key"),
  endpoint: exampleId("whe"),
  event: exampleId("evt"),
  delivery: exampleId("dlv"),
  job: exampleId("job"),
  notice: exampleId("ntc"),
  import: exampleId("imp"),
  signature: "no-such-signature",
  photo: exampleId("img"),
  photoImport: exampleId("pim"),
  member: "nobody-ever",
  invitation: "no-such-token",
  session: "no-such-session",
  account: exampleId("acc"),
  view: exampleId("view"),
  run: "5b0e8f8e-6a4a-4f0c-9b0a-1d2c3b4a5f60",
  scan: "5b0e8f8e-6a4a-4f0c-9b0a-1d2c3b4a5f61",
  place: "Never there",
  sale: exampleId("sale"),
  listing: exampleId("lst"),
};

beforeAll(async () => {
  house = await openHouse();
  own = await house.dealer("Own Cards");
  const foreign = await house.dealer("Foreign Cards");
  ownThings = await furnish(own);
  foreignThings = await furnish(foreign);
});
afterAll(() => house.close());

async function furnish(dealer: Dealer): Promise<Things> {
  const { asOwner } = dealer;
  const url = "https://hooks.example.com/vault";
  const { endpoint } = await asOwner.webhooks.endpoints.create({ url });
  const { key } = await asOwner.keys.create({ name: "till" });
  const batch = await asOwner.batches.create({ name: "Harbour" });
  const card = await asOwner.cards.create({ title: "Serpent", batch_id: batch.id });
  const view = await asOwner.views.create({ name: "Ours", is_shared: true });
  const clerk = await house.member(dealer, `${dealer.account.name} clerk`, "member");
  const email = `invited@${dealer.account.id.replace("_", "-")}.example`;
  const { invitation } = await asOwner.accounts.members.invite({ email });
  const [event] = (await asOwner.events.list({})).data;
  const [delivery] = event?.deliveries ?? [];
  await house.db.query(
    `update webhook_delivery set status = 'dropped', drop_reason = 'deadline',
       next_attempt_at = null, finished_at = now() where status = 'pending'`,
  );
  const [run, scan] = [randomUUID(), randomUUID()];
  await asOwner.scans.start({ run_id: run });
  const place = `${dealer.account.name} safe`;
  await asOwner.scans.scan({ run_id: run, scan_id: scan, text: `LOC:${place}` });
  await asOwner.locations.places.save({ path: place, code: `SAFE-${run.slice(0, 8)}` });
  const copies = await asOwner.cards.create({ title: "Lantern", quantity: 5, sku: `SKU-${run}` });
  const price = { amount: 100, currency: "USD" };
  const sale = await asOwner.cards.recordSale({ id: copies.id, price, place: "Show" });
  const since = "2026-01-01T00:00:00Z";
  const job = await asOwner.webhooks.endpoints.recover({ id: endpoint.id, since });
  const told = { accountId: dealer.account.id, endpointId: endpoint.id, message: "-", details: {} };
  const notice = await house.db.transaction((tx) =>
    insertNotice(tx, { ...told, kind: "events_dropped", onceKey: "-" }, house.clock.now()),
  );
  const photo = await upload(house, dealer, await pictureBytes(1));
  const photoImport = await asOwner.photoImports.create({ batch_id: batch.id });
  await upload(house, dealer, await pictureBytes(2), { name: "1a.jpg", importId: photoImport.id });
  const identification = await beginIdentification(house.db, {
    accountId: dealer.account.id,
    cardId: card.id,
    threshold: 0.85,
    by: dealer.access,
    now: house.clock.now(),
    leaseUntil: house.clock.now(),
  });
  return {
    card: card.id,
    identification,
    batch: batch.id,
    key: key.id,
    endpoint: endpoint.id,
    event: event?.id ?? "",
    delivery: delivery?.id ?? "",
    job: job.id,
    notice: notice ?? "",
    ...(await importedList(dealer)),
    photo: photo.id,
    photoImport: photoImport.id,
    member: clerk.userId,
    invitation: invitation.id,
    session: await signedIn(clerk.userId),
    account: dealer.account.id,
    view: view.id,
    run,
    scan,
    place,
    sale: sale.id,
    listing: await liveListing(dealer, copies.id),
  };
}

/** A session of somebody, as sign-in makes it. */
async function signedIn(userId: string): Promise<string> {
  const id = `session-${userId}`;
  await house.db.query(
    `insert into auth."session" (id, "expiresAt", token, "updatedAt", "userId")
     values ($1, now() + interval '1 day', $1, now(), $2)`,
    [id, userId],
  );
  return id;
}

async function liveListing({ account }: Dealer, cardId: string): Promise<string> {
  const id = newId("lst");
  await house.db.query(
    `insert into listing (id, account_id, card_id, marketplace, status, title, price, quantity, created_at, updated_at)
     values ($1, $2, $3, 'ebay', 'live', 'Lantern', 100, 4, now(), now())`,
    [id, account.id, cardId].map((one) => toUuid(one)),
  );
  return id;
}

/** A list that is checked, and the mapping that was saved for its headers. */
async function importedList({ account, access, asOwner }: Dealer) {
  const header = `Name,${account.name}`;
  async function* bytes() {
    yield Buffer.from(`${header}\nSerpent,1\n`);
  }
  const made = await receiveImport(house.services, access, { name: "list.csv", bytes: bytes() });
  const { signature } = await asOwner.imports.mappings.save({
    import_id: made.id,
    name: "Ours",
    mapping: { columns: [{ column: 0, field: "title" }] },
  });
  const values = [toUuid(made.id), JSON.stringify({ valid: 1 })];
  await house.db.query(
    "update card_import set status = 'checked', verdicts = $2 where id = $1",
    values,
  );
  return { import: made.id, signature };
}

type Case = {
  /** The input that names the things. */
  input: (things: Things) => unknown;
  /** `error` for what names one thing, `answer` for a list or a count in which nothing of others is. */
  answers: "error" | "answer";
};
const named = (input: Case["input"]): Case => ({ input, answers: "error" });
const listed = (input: Case["input"]): Case => ({ input, answers: "answer" });

/** How each procedure could be asked for another account's things. A procedure that is not here fails. */
const cases: Record<string, Case[]> = {
  "live.follow": [],
  "cards.list": [listed(({ batch }) => ({ batch: [batch] }))],
  "cards.get": [named(({ card }) => ({ id: card }))],
  "cards.update": [named(({ card }) => ({ id: card, location: "B" }))],
  "cards.recordSale": [
    named(({ card }) => ({ id: card, price: { amount: 1, currency: "USD" }, place: "Show" })),
  ],
  "cards.voidSale": [named(({ sale }) => ({ id: sale }))],
  "cards.sales": [named(({ card }) => ({ id: card }))],
  "cards.create": [named(({ batch }) => ({ batch_id: batch }))],
  "cards.history": [named(({ card }) => ({ id: card }))],
  "cards.undoChange": [named(({ card }) => ({ id: card, at: "2026-01-01T00:00:00.000Z" }))],
  "sales.list": [listed(({ batch }) => ({ batch })), listed(({ card }) => ({ card }))],
  "sales.summary": [
    listed(({ batch }) => ({ batch, time_zone: "UTC" })),
    listed(({ card }) => ({ card, by: "card", time_zone: "UTC" })),
  ],
  "sales.overview": [],
  "sales.listings": [],
  "sales.toPull": [named(({ sale }) => ({ after: sale }))],
  "sales.syncNow": [],
  "sales.markPulled": [listed(({ sale }) => ({ ids: [sale], pulled: true }))],
  "sales.assign": [named(({ sale, card }) => ({ id: sale, card_id: card }))],
  "sales.settleCopies": [named(({ card }) => ({ card_id: card, version: 1 }))],
  "sales.settleDifference": [named(({ listing }) => ({ listing_id: listing, keep: "ours" }))],
  "sandbox.sell": [named(({ listing }) => ({ listing_id: listing }))],
  "sandbox.end": [named(({ listing }) => ({ listing_id: listing }))],
  "sandbox.relist": [named(({ listing }) => ({ listing_id: listing }))],
  "sandbox.cancelOrder": [named(({ card }) => ({ order_id: card }))],
  "sandbox.failNext": [],
  // The catalogue is the installation's: there is nothing of an account in it.
  "catalogue.search": [listed(({ card }) => ({ q: card }))],
  "bulk.start": [
    named(({ batch }) => ({
      selection: { ids: [ownThings.card] },
      action: { type: "put_in_batch", batch_id: batch },
    })),
  ],
  "bulk.patchEach": [
    named(({ card }) => ({ patches: [{ id: card, patch: { title: "Taken" } }] })),
    named(({ card }) => ({
      patches: [
        { id: ownThings.card, patch: { title: "Mine" } },
        { id: card, patch: { title: "Taken" } },
      ],
    })),
  ],
  "bulk.undo": [named(({ job }) => ({ id: job }))],
  "bulk.previewPrices": [
    listed(({ card }) => ({ selection: { ids: [card] }, rule: { percent: 90 } })),
  ],
  "cards.ids": [listed(({ batch }) => ({ filter: { batch: [batch] } }))],
  "cards.anchors": [listed(({ batch }) => ({ filter: { batch: [batch] } }))],
  "cards.rows": [listed(({ card }) => ({ ids: packIds("card", [card]) }))],
  "cards.totals": [listed(({ batch }) => ({ filter: { batch: [batch] } }))],
  "views.list": [],
  "views.create": [],
  "views.update": [named(({ view }) => ({ id: view, name: "Mine" }))],
  "views.delete": [named(({ view }) => ({ id: view }))],
  "batches.list": [],
  "batches.find": [],
  "batches.cards": [named(({ batch }) => ({ id: batch }))],
  "batches.get": [named(({ batch }) => ({ id: batch }))],
  "batches.create": [],
  "batches.update": [named(({ batch }) => ({ id: batch, name: "Mine" }))],
  "batches.complete": [named(({ batch }) => ({ id: batch }))],
  "batches.reopen": [named(({ batch }) => ({ id: batch }))],
  "batches.progress": [named(({ batch }) => ({ id: batch }))],
  "batches.completionCheck": [named(({ batch }) => ({ id: batch }))],
  "batches.previewCost": [named(({ batch }) => ({ id: batch }))],
  "batches.spreadCost": [named(({ batch }) => ({ id: batch }))],
  "locations.tree": [listed(({ place }) => ({ under: place }))],
  "locations.suggest": [listed(({ place }) => ({ text: place }))],
  "locations.rename": [],
  "locations.places.list": [],
  "locations.places.save": [],
  "locations.places.remove": [named(({ place }) => ({ path: place }))],
  "scans.find": [
    listed(({ card }) => ({ text: card })),
    listed(({ run }) => ({ text: `SKU-${run}` })),
    listed(({ run }) => ({ text: `SAFE-${run.slice(0, 8)}` })),
  ],
  "scans.start": [],
  "scans.scan": [
    named(({ run, scan }) => ({ run_id: run, scan_id: scan, text: "LOC:A" })),
    named(({ run }) => ({ run_id: run, scan_id: neverThere.scan, text: ownThings.card })),
  ],
  "scans.undo": [
    named(({ run, scan }) => ({ run_id: run, scan_id: scan })),
    named(({ scan }) => ({ run_id: ownThings.run, scan_id: scan })),
  ],
  "scans.list": [named(({ run }) => ({ run_id: run }))],
  "scans.runs": [],
  "labels.templates": [],
  "labels.preview": [
    listed(({ card }) => ({
      subjects: { type: "cards", selection: { ids: [card] } },
      template: "zebra_2x1",
    })),
  ],
  "skus.preview": [],
  "skus.assign": [],
  "identifications.identify": [named(({ card }) => ({ card_id: card }))],
  "identifications.list": [named(({ card }) => ({ card_id: card }))],
  "identifications.undo": [named(({ identification }) => ({ id: identification }))],
  "identifications.usage": [],
  "identifications.setBudget": [],
  "review.next": [listed(({ batch }) => ({ batch_id: batch }))],
  "review.renew": [listed(({ card }) => ({ card_ids: [card] }))],
  "review.release": [listed(({ card }) => ({ card_ids: [card] }))],
  "review.accept": [named(({ card }) => ({ card_id: card, version: 1 }))],
  "review.correct": [
    named(({ card }) => ({ card_id: card, version: 1, fields: { title: "Mine" } })),
  ],
  "review.skip": [named(({ card }) => ({ card_id: card }))],
  "review.undoLast": [],
  "review.stats": [listed(({ batch }) => ({ batch_id: batch }))],
  "prices.lookUp": [named(({ card }) => ({ card_id: card }))],
  "prices.history": [named(({ card }) => ({ card_id: card }))],
  "listings.list": [listed(({ card }) => ({ card: [card] }))],
  "listings.get": [named(({ listing }) => ({ id: listing }))],
  "listings.publish": [
    named(({ card }) => ({ cardId: card })),
    named(({ card }) => ({ cardId: card, dry_run: true })),
  ],
  "listings.previewPublish": [listed(({ card }) => ({ selection: { ids: [card] } }))],
  "listings.retry": [named(({ listing }) => ({ id: listing }))],
  "listings.cancelPublishing": [named(({ listing }) => ({ id: listing }))],
  "listings.revise": [named(({ listing }) => ({ id: listing, refresh: ["photos"] }))],
  "listings.end": [named(({ listing }) => ({ id: listing }))],
  "listings.previewTemplate": [named(({ card }) => ({ card_id: card }))],
  "listings.templates.get": [
    named(({ card }) => ({ card_id: card })),
    named(({ batch }) => ({ batch_id: batch })),
  ],
  "listings.templates.save": [
    named(({ card }) => ({ card_id: card, title: "{title}", description: null })),
    named(({ batch }) => ({ batch_id: batch, title: "{title}", description: null })),
  ],
  "photos.attach": [
    named(({ card }) => ({
      card_id: card,
      photos: [{ photo_id: ownThings.photo, side: "front" }],
    })),
    named(({ photo }) => ({
      card_id: ownThings.card,
      photos: [{ photo_id: photo, side: "front" }],
    })),
  ],
  "photos.arrange": [
    named(({ card, photo }) => ({ card_id: card, photos: [{ photo_id: photo, side: "front" }] })),
  ],
  "photos.copy": [
    named(({ card, photo }) => ({ card_id: card, photo_id: photo, side: "listing" })),
    named(({ photo }) => ({ card_id: ownThings.card, photo_id: photo, side: "listing" })),
  ],
  "photos.remove": [
    named(({ card, photo }) => ({ card_id: card, photo_ids: [photo] })),
    named(({ photo }) => ({ card_id: ownThings.card, photo_ids: [photo] })),
  ],
  "photoImports.create": [named(({ batch }) => ({ batch_id: batch }))],
  "photoImports.list": [],
  "photoImports.get": [named(({ photoImport }) => ({ id: photoImport }))],
  "photoImports.announce": [
    named(({ photoImport }) => ({
      id: photoImport,
      files: [{ name: "1a.jpg", sha256: "00".repeat(32), byte_size: 1 }],
    })),
  ],
  "photoImports.preview": [named(({ photoImport }) => ({ id: photoImport }))],
  "photoImports.pair": [named(({ photoImport }) => ({ id: photoImport, pairing: "singles" }))],
  "photoImports.edit": [
    named(({ photoImport }) => ({ id: photoImport, edit: { type: "drop", files: [0] } })),
  ],
  "photoImports.commit": [named(({ photoImport }) => ({ id: photoImport }))],
  "photoImports.discard": [named(({ photoImport }) => ({ id: photoImport }))],
  "keys.list": [],
  "keys.usage": [],
  "keys.create": [],
  "keys.rotate": [named(({ key }) => ({ id: key }))],
  "keys.revoke": [named(({ key }) => ({ id: key }))],
  "webhooks.endpoints.list": [],
  "webhooks.endpoints.create": [],
  "webhooks.endpoints.get": [named(({ endpoint }) => ({ id: endpoint }))],
  "webhooks.endpoints.update": [named(({ endpoint }) => ({ id: endpoint, enabled: false }))],
  "webhooks.endpoints.delete": [named(({ endpoint }) => ({ id: endpoint }))],
  "webhooks.endpoints.rotate": [named(({ endpoint }) => ({ id: endpoint }))],
  "webhooks.endpoints.switchNow": [named(({ endpoint }) => ({ id: endpoint }))],
  "webhooks.endpoints.test": [named(({ endpoint }) => ({ id: endpoint, event: "card.priced" }))],
  "webhooks.endpoints.health": [],
  "webhooks.endpoints.recover": [
    named(({ endpoint }) => ({ id: endpoint, since: "2026-01-01T00:00:00Z" })),
  ],
  "webhooks.endpoints.missing": [
    named(({ endpoint }) => ({ id: endpoint, since: "2026-01-01T00:00:00Z" })),
  ],
  "webhooks.endpoints.timeline": [named(({ endpoint }) => ({ id: endpoint }))],
  "webhooks.deliveries.list": [listed(({ endpoint }) => ({ endpoint_id: endpoint }))],
  "webhooks.deliveries.get": [named(({ delivery }) => ({ id: delivery }))],
  "webhooks.attempts.list": [listed(({ endpoint }) => ({ endpoint_id: endpoint }))],
  "imports.list": [],
  "imports.get": [named(({ import: id }) => ({ id }))],
  "imports.preview": [named(({ import: id }) => ({ id }))],
  "imports.rows": [named(({ import: id }) => ({ id }))],
  "imports.start": [
    named(({ import: id }) => ({ id, mode: "valid_rows_only" })),
    named(({ batch }) => ({
      id: ownThings.import,
      mode: "valid_rows_only",
      batch_id: batch,
    })),
  ],
  "imports.undo": [named(({ import: id }) => ({ id }))],
  "imports.mappings.list": [],
  "imports.mappings.save": [
    named(({ import: import_id }) => ({
      import_id,
      name: "-",
      mapping: { columns: [{ column: 0, field: "title" }] },
    })),
  ],
  "imports.mappings.delete": [named(({ signature }) => ({ signature }))],
  "jobs.list": [listed(({ endpoint }) => ({ subject_id: endpoint }))],
  "jobs.get": [named(({ job }) => ({ id: job }))],
  "jobs.cancel": [named(({ job }) => ({ id: job }))],
  "jobs.pause": [named(({ job }) => ({ id: job }))],
  "jobs.resume": [named(({ job }) => ({ id: job }))],
  "jobs.retry": [named(({ job }) => ({ id: job }))],
  "jobs.items": [named(({ job }) => ({ id: job }))],
  "notices.list": [],
  "notices.markRead": [listed(({ notice }) => ({ ids: [notice] }))],
  "events.list": [],
  "events.get": [named(({ event }) => ({ id: event }))],
  "events.dropped": [listed(({ endpoint }) => ({ endpoint_id: endpoint }))],
  "events.redeliver": [
    named(({ event, endpoint }) => ({ event_id: event, endpoint_id: endpoint })),
    named(({ event }) => ({ event_id: event, endpoint_id: ownThings.endpoint })),
    named(({ endpoint }) => ({ event_id: ownThings.event, endpoint_id: endpoint })),
  ],
  "events.redeliverMany": [listed(({ delivery }) => ({ delivery_ids: [delivery] }))],
  "events.redeliverDropped": [
    named(({ delivery }) => ({ delivery_ids: [delivery] })),
    named(({ endpoint }) => ({ endpoint_id: endpoint })),
  ],
  "events.dismiss": [
    listed(({ delivery }) => ({ delivery_ids: [delivery] })),
    listed(({ endpoint }) => ({ endpoint_id: endpoint })),
  ],
  "providers.health": [],
  // They take no id of ours: what they name is the marketplace's, of the account's own seller.
  "marketplace.connection": [],
  "marketplace.connect": [],
  "marketplace.disconnect": [],
  "marketplace.setup": [],
  "marketplace.saveSetup": [],
  "marketplace.createLocation": [],
  "accounts.current": [],
  "accounts.mine": [],
  "accounts.createTest": [],
  "accounts.members.list": [],
  "accounts.members.invite": [],
  "accounts.members.withdraw": [named(({ invitation }) => ({ id: invitation }))],
  "accounts.members.setRole": [named(({ member }) => ({ user_id: member, role: "owner" }))],
  "accounts.members.remove": [named(({ member }) => ({ user_id: member }))],
  "accounts.settings.get": [],
  "accounts.settings.update": [],
  "accounts.overview": [],
  "accounts.dashboard": [],
  "accounts.trail": [listed(({ account }) => ({ cursor: trailCursor(account) }))],
  // Of operators alone, and own is none: whatever is named is not there.
  "operations.overview": [],
  "operations.jobs": [named(({ account }) => ({ account_id: account }))],
  "operations.job": [named(({ job }) => ({ id: job }))],
  "operations.retry": [named(({ job }) => ({ id: job }))],
  "operations.cancel": [named(({ job }) => ({ id: job }))],
  "operations.accounts": [],
  "signIn.invitation": [named(({ invitation }) => ({ token: invitation }))],
  "signIn.rename": [],
  "signIn.sessions": [],
  "signIn.endSession": [named(({ session }) => ({ id: session }))],
  "signIn.endOtherSessions": [],
  "signIn.acceptInvitation": [named(({ invitation }) => ({ token: invitation }))],
};

let foreignTrailEntry = "";
/** The cursor of a trail is an entry's id. */
function trailCursor(account: string): string {
  return account === foreignThings.account
    ? foreignTrailEntry
    : "019b0000-0000-7000-8000-000000000000";
}

/** What takes no id of anybody's: it must answer the same before and after, and show nothing of others. */
const readsWithoutInput = [
  "cards.list",
  "cards.ids",
  "cards.anchors",
  "cards.totals",
  "views.list",
  "batches.list",
  "batches.find",
  "listings.list",
  "photoImports.list",
  "keys.list",
  "keys.usage",
  "webhooks.endpoints.list",
  "webhooks.endpoints.health",
  "webhooks.deliveries.list",
  "webhooks.attempts.list",
  "events.list",
  "events.dropped",
  "imports.list",
  "imports.mappings.list",
  "jobs.list",
  "notices.list",
  "locations.tree",
  "locations.places.list",
  "scans.runs",
  "sales.list",
  "sales.overview",
  "sales.listings",
  "sales.toPull",
  "providers.health",
  "marketplace.connection",
  "accounts.current",
  "accounts.mine",
  "accounts.members.list",
  "accounts.settings.get",
  "identifications.usage",
  "accounts.overview",
  "accounts.trail",
];

const procedures = Object.keys(appRouter._def.procedures);

function call(path: string, input: unknown): Promise<unknown> {
  let target: unknown = own.asOwner;
  for (const name of path.split(".")) target = (target as Record<string, unknown>)[name];
  return (target as (input: unknown) => Promise<unknown>)(input);
}

const keyOf: Record<string, string> = { member: "user_id", known_place: "account_id, path" };

async function everythingOf(things: Things): Promise<string> {
  const tables = [
    "card",
    "batch",
    "api_key",
    "webhook_endpoint",
    "webhook_delivery",
    "job",
    "notice",
    "inventory_view",
    "member",
    "known_place",
    "scan_run",
    "scan",
    "hand_sale",
    "marketplace_order_line",
    "invitation",
    'auth."session"',
  ];
  const rows = await Promise.all(
    tables.map((table) =>
      house.db.query(`select * from ${table} order by ${keyOf[table] ?? "id"}`),
    ),
  );
  return JSON.stringify([things, rows]);
}

test("every procedure has its case", () => {
  expect(Object.keys(cases).toSorted()).toEqual(procedures.toSorted());
});

const asked = procedures.flatMap((path) =>
  (cases[path] ?? []).map((one, index) => ({ path, index, ...one })),
);

describe("another account's ids answer like ids that never were, and nothing changes", () => {
  test.each(asked)("$path ($index)", async ({ path, input, answers }) => {
    const [entry] = await house.db.query<{ id: string }>(
      `select t.id from trail_entry t join account a on a.id = t.account_id
       where a.name = 'Foreign Cards' order by t.created_at desc, t.id desc limit 1`,
    );
    foreignTrailEntry = entry?.id ?? "";
    const before = await everythingOf(foreignThings);
    if (answers === "error") {
      const [foreign, never] = [
        await errorFrom(call(path, input(foreignThings))),
        await errorFrom(call(path, input(neverThere))),
      ];
      expect(foreign.status).toBe(404);
      const seen = (error: typeof foreign) => [error.code, error.message, error.details];
      expect(seen(foreign)).toEqual(seen(never));
    } else {
      const foreign = await call(path, input(foreignThings));
      // An answer that repeats what was asked repeats the other id.
      expect(nameless(foreign)).toEqual(nameless(await call(path, input(neverThere))));
    }
    expect(await everythingOf(foreignThings)).toBe(before);
  });
});

/** The answer without the ids that were asked for. */
function nameless(answer: unknown): string {
  const ids = [...Object.values(foreignThings), ...Object.values(neverThere)];
  return ids.reduce((text, id) => text.replaceAll(id, "…"), JSON.stringify(answer));
}

describe("lists and pages show nothing of another account", () => {
  test.each(readsWithoutInput)("%s", async (path) => {
    const answer = JSON.stringify(await call(path, needsInput(path) ? {} : undefined));
    for (const id of Object.values(foreignThings)) expect(answer).not.toContain(id);
    expect(answer).not.toContain("Foreign Cards");
  });
});

/** Lists take an object, reads without parameters nothing. */
function needsInput(path: string): boolean {
  return !/^accounts\.(?!trail)|^providers\.|^views|^keys|^webhooks\.endpoints/.test(path);
}
