import { importMapping } from "@cardvault/contract";
import type { CardImport, ImportMapping } from "@cardvault/contract";
import { toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exportCards } from "../exports/export-cards.ts";
import { codeFrom, errorFrom, openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";
import { runChunk, runToEnd } from "../work/test-run.ts";
import type { WorkHandler } from "../work/handler.ts";
import { importHandlers } from "./handlers.ts";
import { receiveImport } from "./receive-import.ts";

let house: House;
let dealer: Dealer;
let handlers: Map<string, WorkHandler>;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
  handlers = new Map(importHandlers(house));
});
afterAll(() => house.close());
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Harbour Cards ${serial}`);
});

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function upload(text: string | Uint8Array, who = dealer, size = 50_000): Promise<CardImport> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return receiveImport(house.services, who.access, {
    name: "list.csv",
    bytes: pieces(bytes, size),
  });
}

const imports = (who = dealer) => who.asOwner.imports;

/** Runs the latest job of an import to its end. */
async function work({ id, job_id }: CardImport, who = dealer): Promise<CardImport> {
  const job = await who.asOwner.jobs.get({ id: job_id ?? "" });
  const handler = handlers.get(job.kind);
  if (handler === undefined) throw new Error(`Nobody runs ${job.kind}`);
  await runToEnd(house, handler, job.id);
  return imports(who).get({ id });
}

type Preview = Parameters<ReturnType<typeof imports>["preview"]>[0];

async function check(
  text: string | Uint8Array,
  more: Partial<Preview> = {},
  who = dealer,
): Promise<CardImport> {
  const { id } = await upload(text, who);
  return work(await imports(who).preview({ id, ...more }), who);
}

type Start = Parameters<ReturnType<typeof imports>["start"]>[0];

async function bring(
  text: string,
  more: Partial<Preview> = {},
  start: Partial<Start> = {},
  who = dealer,
): Promise<CardImport> {
  const { id } = await check(text, more, who);
  return work(await imports(who).start({ id, mode: "valid_rows_only", ...start }), who);
}

async function cards(who = dealer) {
  const { data } = await who.asOwner.cards.list({ limit: 200, sort: "created_at" });
  return data;
}

async function eventTypes(cardId: string): Promise<string[]> {
  const rows = await house.db.query<{ type: string }>(
    "select type from webhook_event where subject_id = $1 order by id",
    [toUuid(cardId)],
  );
  return rows.map(({ type }) => type);
}

async function exported(who = dealer, withIds = false): Promise<string> {
  let text = "";
  const form = { format: "csv", layout: "cardvault", with_ids: withIds } as const;
  const selection = { filter: {}, except: [] };
  await exportCards(house.services, who.access, { ...form, selection }, async (piece) => {
    text += piece;
  });
  return text;
}

const mapping = (...columns: ImportMapping["columns"]): ImportMapping =>
  importMapping.parse({ columns });
const simple = "Name,Set,Price,Qty\n";

describe("the upload", () => {
  test("200: head, guesses, and a list of the same bytes is known again", async () => {
    const text = "\uFEFFName;Preis;Ort;Price\nDrachenkönig;x;B2;1,50\n";
    const first = await upload(text, dealer, 3);
    expect(first).toMatchObject({
      status: "uploaded",
      encoding: "utf-8",
      delimiter: ";",
      header_row: 1,
      headers: ["Name", "Preis", "Ort", "Price"],
      sample: [{ row: 2, cells: ["Drachenkönig", "x", "B2", "1,50"] }],
      mapping_from: "guessed",
      layout: null,
      same_file_as: null,
      mapping: {
        decimal: ",",
        columns: [
          { column: 0, field: "title" },
          { column: 3, field: "asking_price" },
        ],
      },
    });
    expect((await upload(text)).same_file_as).toBe(first.id);
  });

  test.each([
    ["an empty file", "", "There is no row in the file."],
    ["blank lines", "\r\n\r\n", "There is no row in the file."],
    ["an Excel workbook", "PK\u0003\u0004rest", "Save it as CSV"],
  ])("400 validation_failed for %s, and nothing is left", async (_, text, message) => {
    const error = await errorFrom(upload(text));
    expect(error.code).toBe("validation_failed");
    expect(error.details?.[0]?.message).toContain(message);
    expect((await imports().list()).data).toEqual([]);
    expect(await house.db.query("select 1 from card_import_part")).toEqual(
      await house.db.query(
        "select 1 from card_import_part p join card_import i on i.id = p.import_id",
      ),
    );
  });

  test("413 body_too_large, and nothing is left", async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      const piece = Buffer.alloc(8 * 1024 * 1024, "a");
      for (;;) yield piece;
    }
    const file = { name: "x", bytes: endless() };
    expect(await codeFrom(receiveImport(house.services, dealer.access, file))).toBe(
      "body_too_large",
    );
    expect((await imports().list()).data).toEqual([]);
  });
});

describe("the check", () => {
  test("200: every row is valid, invalid with its row and column, duplicate or passed over", async () => {
    await dealer.asOwner.cards.create({ sku: "A-1", title: "Glass Fox" });
    const found = await check(
      [
        "SKU,Name,Condition,Price,Qty,Year",
        "A-1,Glass Fox,NM,1,1,",
        "A-2,Charged Serpent,lp,$2.50,3,2024",
        "A-3,Ember,shiny,free,0,soon",
        ",,,,,",
        'A-4,"broken,NM,1,1,',
        "A-2,Charged Serpent,lp,2.50,1,",
        "A-5,Moth,NM,1,1,,,surplus",
        `A-6,${"x".repeat(201)},NM,1,1,`,
      ].join("\n"),
    );
    expect(found).toMatchObject({
      status: "checked",
      verdicts: { valid: 1, duplicate: 2, invalid: 4, ignored: 1 },
    });
    const rows = async (verdict: "valid" | "invalid" | "duplicate" | "ignored") =>
      (await imports().rows({ id: found.id, verdict })).data;
    expect(await rows("valid")).toMatchObject([
      { row: 3, fields: { sku: "A-2", asking_price: { amount: 250 }, quantity: 3 }, problems: [] },
    ]);
    expect(await rows("duplicate")).toMatchObject([
      { row: 2, matched_by: "sku", same_as_row: null },
      { row: 7, matched_by: "sku", same_as_row: 3, card_id: null },
    ]);
    const invalid = await rows("invalid");
    expect(invalid.map(({ row, problems }) => [row, problems.map(({ column }) => column)])).toEqual(
      [
        [4, ["Condition", "Price", "Year"]],
        [6, ["Name"]],
        [8, ["Column 8"]],
        [9, ["Name"]],
      ],
    );
    for (const { problems } of invalid) {
      for (const { message } of problems) expect(message).toMatch(/^[A-Z"].+\.$/u);
    }
    expect(await rows("ignored")).toMatchObject([{ row: 5 }]);
    expect(await cards()).toHaveLength(1);
  });

  test("in chunks: a worker that dies between two goes on where the last one was committed", async () => {
    const text = `${simple}${Array.from({ length: 2_000 }, (_, n) => `Card ${n},"S, 1",1.50,2\r\n`).join("")}`;
    const { id } = await upload(text);
    const asked = await imports().preview({ id });
    const handler = handlers.get("import.check");
    if (handler === undefined) throw new Error("Nobody checks");
    // One chunk of a run that is told to stop, as a killed one has it: committed and not reported.
    await runChunk(
      house,
      { run: (context) => handler.run({ ...context, renew: async () => false }) },
      asked.job_id ?? "",
    );
    await runChunk(
      house,
      { run: (context) => handler.run({ ...context, renew: async () => false }) },
      asked.job_id ?? "",
    );
    const halfway = (await imports().get({ id })).verdicts.valid;
    expect(halfway).toBeGreaterThan(0);
    expect(halfway).toBeLessThan(2_000);
    expect((await work(asked)).verdicts).toEqual({
      valid: 2_000,
      invalid: 0,
      duplicate: 0,
      ignored: 0,
    });
    const last = await imports().rows({ id, after_row: 2_000, limit: 1 });
    expect(last.data[0]).toMatchObject({ row: 2_001, fields: { title: "Card 1999" } });
  });

  test("by another mapping, and a saved one is found again by the headers", async () => {
    const text = "Was,Wo,Wieviel\nSerpent,B2,3\n";
    const first = await check(text, {
      mapping: mapping({ column: 0, field: "title" }, { column: 1, field: "location" }),
    });
    const again = await work(
      await imports().preview({
        id: first.id,
        mapping: mapping({ column: 0, field: "title" }, { column: 2, field: "quantity" }),
      }),
    );
    const [row] = (await imports().rows({ id: first.id })).data;
    expect(row?.fields).toEqual({ title: "Serpent", quantity: 3 });
    await imports().mappings.save({
      import_id: first.id,
      name: "Ours",
      mapping: again.mapping ?? mapping(),
    });
    const next = await upload("WAS, wo ,Wieviel\nFox,A1,1\n");
    expect(next).toMatchObject({ mapping_from: "saved", mapping: again.mapping });
    const [saved] = (await imports().mappings.list()).data;
    await imports().mappings.delete({ signature: saved?.signature ?? "" });
    expect(await codeFrom(imports().mappings.delete({ signature: saved?.signature ?? "" }))).toBe(
      "not_found",
    );
  });

  test("400 validation_failed for a mapping that does not fit the list", async () => {
    const { id } = await upload("A,B\n1,2\n");
    const bad = mapping(
      { column: 7, field: "title" },
      { column: 0, field: "sku" },
      { column: 1, field: "sku" },
      { column: 1, field: "external_id" },
    );
    const error = await errorFrom(imports().preview({ id, mapping: bad }));
    expect(error.details?.map(({ path }) => path)).toEqual([
      "mapping.columns.0",
      "mapping.columns.2",
      "mapping.columns.3",
    ]);
    expect(await codeFrom(imports().preview({ id, mapping: mapping() }))).toBe("validation_failed");
  });
});

describe("the import", () => {
  test("200: cards by the rules, with their events, SKUs and the batch's defaults", async () => {
    const batch = await dealer.asOwner.batches.create({
      name: "Estate",
      defaults: { set: "Storm", condition: "damaged", location: "A" },
    });
    const done = await bring(
      "Name,Set,Condition,Price,Location\nSerpent,,NM,2.50,\n,Sea,,,B\nFox,,,,\n",
      {},
      { batch_id: batch.id },
    );
    expect(done).toMatchObject({
      status: "imported",
      outcomes: { created: 3, failed: 0 },
      batch_id: batch.id,
    });
    const made = await cards();
    expect(made).toMatchObject([
      {
        title: "Serpent",
        set: "Storm",
        condition: "near_mint",
        location: "A",
        workflow_status: "priced",
        version: 1,
      },
      { title: null, set: "Sea", condition: "damaged", location: "B", workflow_status: "imported" },
      { title: "Fox", set: "Storm", workflow_status: "identified", identified_by: "manual" },
    ]);
    expect(new Set(made.map(({ sku }) => sku)).size).toBe(3);
    expect(await eventTypes(made[0]?.id ?? "")).toEqual([
      "card.identified",
      "card.workflow_status_changed",
      "card.priced",
      "card.workflow_status_changed",
    ]);
    expect(await dealer.asOwner.batches.get({ id: batch.id })).toMatchObject({
      status: "open",
      card_count: 3,
    });
    const { data } = await dealer.asOwner.cards.history({ id: made[0]?.id ?? "" });
    expect(data).toMatchObject([{ via: "import", actor: { kind: "member" } }]);
  });

  test("200: all or nothing refuses a list with an invalid row, and takes one without", async () => {
    const { id } = await check("Name,Price\nSerpent,1\nFox,free\n");
    const error = await errorFrom(imports().start({ id, mode: "all_or_nothing" }));
    expect(error).toMatchObject({ code: "conflict", message: "1 of the rows is invalid." });
    expect(await cards()).toEqual([]);
    const done = await bring(
      "Name,Price\nSerpent,1\nFox,2\n",
      {},
      { mode: "all_or_nothing", new_batch: { name: "New" } },
    );
    expect(done).toMatchObject({ status: "imported", outcomes: { created: 2 } });
    expect((await cards()).map(({ batch_id }) => batch_id)).toEqual([done.batch_id, done.batch_id]);
  });

  test("all or nothing: what the rules refuse is found before the first commit, and nothing is made", async () => {
    const { id: cardId } = await dealer.asOwner.cards.create({ sku: "L-1", title: "Fox" });
    const { id } = await check("SKU,Name,Qty\nN-1,Serpent,1\nL-1,Fox,5\n", {
      settings: { match: ["sku"], duplicates: "update", foreign_prices: "invalid" },
    });
    // Sold meanwhile: a count by hand is refused.
    await house.db.query("update card set workflow_status = 'sold', quantity = 0 where id = $1", [
      toUuid(cardId),
    ]);
    const done = await work(await imports().start({ id, mode: "all_or_nothing" }));
    expect(done).toMatchObject({ status: "checked", outcomes: { created: 0, failed: 0 } });
    expect(done.problem).toContain("Row 3: The card is sold");
    expect(await cards()).toHaveLength(1);
  });

  test("all or nothing: a row that is refused between the trial and its turn takes the others back", async () => {
    const fox = await dealer.asOwner.cards.create({ sku: "L-1", title: "Fox" });
    const rows = Array.from({ length: 60 }, (_, n) => `N-${n},Card ${n},1`);
    const { id } = await check(`SKU,Name,Qty\n${rows.join("\n")}\nL-1,Fox,5\n`, {
      settings: { match: ["sku"], duplicates: "update", foreign_prices: "invalid" },
    });
    const asked = await imports().start({ id, mode: "all_or_nothing" });
    const handler = handlers.get("import.commit");
    if (handler === undefined) throw new Error("Nobody imports");
    const step: WorkHandler = {
      run: (context) => handler.run({ ...context, renew: async () => false }),
    };
    while ((await imports().get({ id })).outcomes.created === 0) {
      await runChunk(house, step, asked.job_id ?? "");
    }
    await house.db.query("update card set workflow_status = 'sold', quantity = 0 where id = $1", [
      toUuid(fox.id),
    ]);
    const job = await runToEnd(house, handler, asked.job_id ?? "");
    expect(job).toMatchObject({ status: "failed", error: { code: "row_refused" } });
    expect(job.error?.message).toMatch(/^Row 62: The card is sold.* Nothing is kept\.$/u);
    const undoing = await imports().get({ id });
    expect(undoing.status).toBe("undoing");
    expect(await work(undoing)).toMatchObject({
      status: "undone",
      outcomes: { created: 0, undone: 60 },
    });
    const left = (await cards()).filter(({ workflow_status }) => workflow_status !== "archived");
    expect(left.map(({ sku }) => sku)).toEqual(["L-1"]);
  });

  test.each([
    ["skip", { outcomes: { skipped: 2, created: 1 } }, 1, 1],
    ["add_to_quantity", { outcomes: { added: 2, created: 1 } }, 1, 6],
    ["update", { outcomes: { updated: 2, created: 1 } }, 1, 3],
    ["create", { outcomes: { created: 3 } }, 3, 1],
  ] as const)("duplicates: %s", async (duplicates, answer, foxes, quantity) => {
    const fox = await dealer.asOwner.cards.create({
      title: "Fox",
      set: "Sea",
      notes: "kept",
      asking_price: { amount: 100, currency: "USD" },
    });
    const done = await bring(`${simple}Fox,Sea,9,2\nSerpent,Sea,1,1\nFox,Sea,9,3\n`, {
      settings: { match: ["identity"], duplicates, foreign_prices: "invalid" },
    });
    expect(done).toMatchObject({ status: "imported", ...answer });
    const made = await cards();
    expect(made.filter(({ title }) => title === "Fox")).toHaveLength(foxes);
    expect(await dealer.asOwner.cards.get({ id: fox.id })).toMatchObject({
      quantity,
      notes: "kept",
      asking_price: { amount: duplicates === "update" ? 900 : 100 },
    });
  });

  test("a repeated row finds the card that the earlier row has become, in the same chunk and later", async () => {
    const rows = Array.from({ length: 60 }, (_, n) => `Card ${n % 30},Sea,1,2`).join("\n");
    const done = await bring(`${simple}${rows}\n`, {
      settings: { match: ["identity"], duplicates: "add_to_quantity", foreign_prices: "invalid" },
    });
    expect(done.outcomes).toMatchObject({ created: 30, added: 30 });
    expect((await cards()).map(({ quantity }) => quantity)).toEqual(Array(30).fill(4));
  });

  test("by certificate and by a tool's id; SKUs that the format gives never meet those that rows say", async () => {
    await dealer.asOwner.cards.create({
      title: "Fox",
      grading: { grader: "PSA", grade: "9", cert_number: "77" },
    });
    await dealer.asOwner.cards.create({ title: "Moth", external_ids: { tcgplayer: "5001" } });
    const [first] = await cards();
    const next = (first?.sku ?? "").replace(/\d+$/u, (digits) =>
      String(Number(digits) + 2).padStart(digits.length, "0"),
    );
    const found = await check(
      `SKU,Name,Grading,TCG\n,Fox,PSA 9,\n,Moth,,5001\n,Auto,,\n${next},Said,,\n`,
      {
        mapping: mapping(
          { column: 0, field: "sku" },
          { column: 1, field: "title" },
          { column: 2, field: "grading" },
          { column: 3, field: "external_id", name: "tcgplayer" },
        ),
      },
    );
    expect(found.verdicts).toEqual({ valid: 3, duplicate: 1, invalid: 0, ignored: 0 });
    const done = await work(await imports().start({ id: found.id, mode: "valid_rows_only" }));
    expect(done.outcomes).toMatchObject({ created: 3, skipped: 1, failed: 0 });
    const skus = (await cards()).map(({ sku }) => sku);
    expect(new Set(skus).size).toBe(skus.length);
    expect(skus).toContain(next);
  });

  test("blank means leave: a list with ids brings its changes back to its cards", async () => {
    const fox = await dealer.asOwner.cards.create({ title: "Fox", set: "Sea", tags: ["a"] });
    const foreign = await (
      await house.dealer(`Other ${serial}`)
    ).asOwner.cards.create({ title: "Theirs" });
    const done = await bring(
      `card_id,title,set,location,asking_price\n${fox.id},,,B2,3.50\n${foreign.id},Mine,,,\n`,
      {
        mapping: mapping(
          { column: 0, field: "card_id" },
          { column: 1, field: "title" },
          { column: 2, field: "set" },
          { column: 3, field: "location" },
          { column: 4, field: "asking_price" },
        ),
      },
    );
    expect(done).toMatchObject({ verdicts: { valid: 1, invalid: 1 }, outcomes: { updated: 1 } });
    expect(await dealer.asOwner.cards.get({ id: fox.id })).toMatchObject({
      title: "Fox",
      set: "Sea",
      tags: ["a"],
      location: "B2",
      asking_price: { amount: 350 },
      version: 2,
    });
  });

  test("killed between two commits: nothing twice, nothing missing, and the counts are right", async () => {
    const rows = Array.from({ length: 150 }, (_, n) => `Card ${n},Sea,1,1`).join("\n");
    const { id } = await check(`${simple}${rows}\n`);
    const asked = await imports().start({ id, mode: "valid_rows_only" });
    const handler = handlers.get("import.commit");
    if (handler === undefined) throw new Error("Nobody imports");
    const killed: WorkHandler = {
      run: (context) => handler.run({ ...context, renew: async () => false }),
    };
    await runChunk(house, killed, asked.job_id ?? "");
    const halfway = await cards();
    expect(halfway.length).toBeGreaterThan(0);
    expect(halfway.length).toBeLessThan(150);
    expect((await imports().get({ id })).outcomes.created).toBe(halfway.length);
    // A commit that fails at its end leaves nothing of itself.
    const failing: WorkHandler = {
      run: (context) =>
        handler.run({ ...context, saveProgress: () => Promise.reject(new Error("killed")) }),
    };
    await expect(runChunk(house, failing, asked.job_id ?? "")).rejects.toThrow("killed");
    expect(await cards()).toHaveLength(halfway.length);
    await house.db.query("update job set lease_until = null, lease_token = null where id = $1", [
      toUuid(asked.job_id ?? ""),
    ]);
    expect(await work(asked)).toMatchObject({ status: "imported", outcomes: { created: 150 } });
    expect(new Set((await cards()).map(({ title }) => title)).size).toBe(150);
  });

  test("cancelled: what was committed stays, the batch is open, and it goes on or is undone", async () => {
    const rows = Array.from({ length: 150 }, (_, n) => `Card ${n},Sea,1,1`).join("\n");
    const { id } = await check(`${simple}${rows}\n`);
    const asked = await imports().start({
      id,
      mode: "valid_rows_only",
      new_batch: { name: "Box" },
    });
    const batchId = asked.batch_id ?? "";
    expect(await dealer.asOwner.batches.get({ id: batchId })).toMatchObject({
      status: "processing",
    });
    expect(await codeFrom(dealer.asOwner.batches.complete({ id: batchId }))).toBe("conflict");
    const handler = handlers.get("import.commit");
    await runChunk(
      house,
      {
        run: async (context) =>
          handler?.run({ ...context, renew: async () => false }) ?? { type: "done" },
      },
      asked.job_id ?? "",
    );
    await dealer.asOwner.jobs.cancel({ id: asked.job_id ?? "" });
    expect(await imports().get({ id })).toMatchObject({ status: "stopped" });
    expect(await dealer.asOwner.batches.get({ id: batchId })).toMatchObject({ status: "open" });
    const going = await imports().start({ id, mode: "valid_rows_only" });
    expect(going.batch_id).toBe(batchId);
    expect(await work(going)).toMatchObject({ status: "imported", outcomes: { created: 150 } });
  });

  test("409: a complete batch, a check that has not ended, and twice", async () => {
    const batch = await dealer.asOwner.batches.create({ name: "Done" });
    await dealer.asOwner.batches.complete({ id: batch.id });
    const uploaded = await upload("Name\nFox\n");
    expect(await codeFrom(imports().start({ id: uploaded.id, mode: "valid_rows_only" }))).toBe(
      "conflict",
    );
    const { id } = await check("Name\nFox\n");
    expect(
      await codeFrom(imports().start({ id, mode: "valid_rows_only", batch_id: batch.id })),
    ).toBe("batch_complete");
    expect(await codeFrom(imports().undo({ id }))).toBe("conflict");
    const both = await Promise.allSettled([
      imports().start({ id, mode: "valid_rows_only" }),
      imports().start({ id, mode: "valid_rows_only" }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const nothing = await check("Name,Price\nFox,free\n");
    expect(await codeFrom(imports().start({ id: nothing.id, mode: "valid_rows_only" }))).toBe(
      "conflict",
    );
  });
});

describe("the undo", () => {
  test("200: its cards are archived and their SKUs free; what it changed is given back where nobody changed it", async () => {
    const fox = await dealer.asOwner.cards.create({ sku: "F-1", title: "Fox", location: "A" });
    const moth = await dealer.asOwner.cards.create({ sku: "M-1", title: "Moth", location: "A" });
    const owl = await dealer.asOwner.cards.create({ sku: "O-1" });
    const done = await bring(
      "SKU,Name,Location,Price\nN-1,New,B,1\nF-1,,B,2\nM-1,,B,\nO-1,Owl,,\n",
      {
        settings: { match: ["sku"], duplicates: "update", foreign_prices: "invalid" },
      },
    );
    expect(done.outcomes).toMatchObject({ created: 1, updated: 3 });
    await dealer.asOwner.cards.update({ id: moth.id, location: "C" });
    const undone = await work(await imports().undo({ id: done.id }));
    expect(undone).toMatchObject({
      status: "undone",
      outcomes: { created: 0, updated: 0, undone: 3, kept: 1, failed: 0 },
    });
    const now = await cards();
    expect(now).toMatchObject([
      { id: fox.id, location: "A", asking_price: null, workflow_status: "identified" },
      { id: moth.id, location: "C" },
      { id: owl.id, title: null, status: "imported", workflow_status: "imported" },
      { title: "New", sku: null, workflow_status: "archived" },
    ]);
    const [kept] = (await imports().rows({ id: done.id, outcome: "kept" })).data;
    expect(kept).toMatchObject({ row: 4, problems: [{ message: "Changed since: location." }] });
    // The SKU is free: the same list can come again.
    expect((await bring("SKU,Name\nN-1,New\n")).outcomes.created).toBe(1);
    expect(await codeFrom(imports().undo({ id: done.id }))).toBe("conflict");
  });

  test("of many rows in chunks, killed on the way", async () => {
    const rows = Array.from({ length: 150 }, (_, n) => `Card ${n},Sea,1,1`).join("\n");
    const done = await bring(`${simple}${rows}\n`, {}, { new_batch: { name: "Box" } });
    const asked = await imports().undo({ id: done.id });
    const handler = handlers.get("import.undo");
    await runChunk(
      house,
      {
        run: async (context) =>
          handler?.run({ ...context, renew: async () => false }) ?? { type: "done" },
      },
      asked.job_id ?? "",
    );
    const halfway = (await imports().get({ id: done.id })).outcomes;
    expect(halfway.undone).toBeGreaterThan(0);
    expect(halfway.created + halfway.undone).toBe(150);
    expect((await work(asked)).outcomes).toMatchObject({ created: 0, undone: 150, kept: 0 });
    expect(new Set((await cards()).map(({ workflow_status }) => workflow_status))).toEqual(
      new Set(["archived"]),
    );
    const rowsOf = await house.db.query<{ count: number }>(
      "select count(*) as count from webhook_event where type = 'card.workflow_status_changed' and body like '%archived%' and account_id = $1",
      [toUuid(dealer.account.id)],
    );
    expect(rowsOf[0]?.count).toBe(150);
  });
});

describe("the export", () => {
  test("into an empty account and out again, it is the same list", async () => {
    const { asOwner } = dealer;
    await asOwner.cards.create({
      title: "=SUM(A1)",
      notes: '\'+x\r\n"y"',
      tags: ["a;b", "[c]"],
      set: "Sea",
      number: "1/2",
      asking_price: { amount: 1250, currency: "USD" },
    });
    await asOwner.cards.create({
      notes: " spaces ",
      quantity: 9,
      external_ids: { b: "2", a: "1" },
    });
    await asOwner.cards.create({
      title: "-1",
      language: "Elvish",
      grading: { grader: "House", grade: "A+", cert_number: "@1", qualifier: "OC" },
      purchase_price: { amount: 5, currency: "USD" },
    });
    const priced = await asOwner.cards.create({
      title: "Back",
      asking_price: { amount: 9, currency: "USD" },
    });
    await asOwner.cards.update({ id: priced.id, workflow_status: "identified" });
    const old = await asOwner.cards.create({ title: "Old" });
    await asOwner.cards.update({ id: old.id, workflow_status: "archived" });
    const reset = await asOwner.cards.create({ title: "Reset" });
    await asOwner.cards.update({ id: reset.id, workflow_status: "imported" });
    const text = await exported();
    const other = await house.dealer(`Empty ${serial}`);
    const done = await bring(text, {}, { mode: "all_or_nothing" }, other);
    expect(done).toMatchObject({ layout: "cardvault", outcomes: { created: 6 } });
    expect(await exported(other)).toBe(text);
    expect(text).toContain("'=SUM(A1)");
  });

  test("a list with ids changes nothing when it comes back as it went", async () => {
    await dealer.asOwner.cards.create({
      title: "Fox",
      tags: ["a"],
      asking_price: { amount: 100, currency: "USD" },
    });
    const before = await cards();
    const done = await bring(await exported(dealer, true));
    expect(done).toMatchObject({ outcomes: { updated: 1 } });
    expect(await cards()).toEqual(before);
  });

  test("JSON, lines of JSON, a filter, and an account without cards", async () => {
    const form = { layout: "cardvault", with_ids: false } as const;
    const all = { filter: {}, except: [] };
    const read = async (format: "json" | "ndjson" | "csv", selection: object = all) => {
      let text = "";
      const input = { ...form, format, selection: selection as typeof all };
      await exportCards(house.services, dealer.access, input, async (piece) => {
        text += piece;
      });
      return text;
    };
    expect(JSON.parse(await read("json"))).toEqual([]);
    expect(await read("ndjson")).toBe("");
    expect((await read("csv")).split("\r\n")).toHaveLength(2);
    const rows = Array.from(
      { length: 600 },
      (_, n) => `Card ${n},${n % 2 === 0 ? "Sea" : "Sky"},1,1`,
    );
    await bring(`${simple}${rows.join("\n")}\n`);
    const parsed = JSON.parse(await read("json")) as { title: string }[];
    expect(parsed.map(({ title }) => title)).toEqual(rows.map((_, n) => `Card ${n}`));
    expect(parsed[0]).toEqual(await dealer.asOwner.cards.get({ id: (await cards())[0]?.id ?? "" }));
    expect((await read("ndjson")).trim().split("\n")).toHaveLength(600);
    expect(
      (await read("csv", { filter: { set: ["sea"] }, except: [] })).split("\r\n"),
    ).toHaveLength(302);
  });
});
