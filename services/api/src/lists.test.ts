import type { Card, CardImport } from "@cardvault/contract";
import { accountHeader, maxImportBytes } from "@cardvault/contract";
import { newId, toUuid } from "@cardvault/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, publicUrl } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let anna: Dealer;
let ben: Dealer;
let cookie: string;
let address: URL;
beforeAll(async () => {
  house = await openHouse();
  anna = await house.dealer("Anna");
  ben = await house.dealer("Ben");
  cookie = await house.cookie(anna);
  address = new URL(await house.app.listen({ host: "127.0.0.1", port: 0 }));
});
afterAll(() => house.close());

interface Answer {
  status: number;
  body: CardImport & { error?: { code: string; message: string } };
}

async function send(
  body: FormData | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(new URL("/trpc/files/import", address), {
    method: "POST",
    headers: { cookie, origin: publicUrl, [accountHeader]: anna.account.id, ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

function formOf(...files: (string | Uint8Array<ArrayBuffer>)[]): FormData {
  const form = new FormData();
  for (const bytes of files) form.append("file", new Blob([bytes]), "../my list.csv");
  return form;
}

function get(query: string, headers: Record<string, string> = { cookie }): Promise<Response> {
  return fetch(new URL(`/trpc/files/cards${query}`, address), { headers });
}

function post(body: string): Promise<Response> {
  const headers = {
    cookie,
    origin: publicUrl,
    [accountHeader]: anna.account.id,
    "content-type": "application/json",
  };
  return fetch(new URL("/trpc/files/cards", address), { method: "POST", headers, body });
}

describe("POST /trpc/files/import", () => {
  test("200: the import, which the procedures go on with", async () => {
    const { status, body } = await send(formOf("Name,Price\nSerpent,2.50\n"));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "uploaded", file_size: 24, headers: ["Name", "Price"] });
    expect(await anna.asOwner.imports.get({ id: body.id })).toEqual(body);
    const preview = await anna.asOwner.imports.preview({ id: body.id });
    expect(preview.status).toBe("checking");
  });

  test("200: a name that no database holds is kept as far as it can be", async () => {
    const boundary = "between";
    const body = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a\u0000b.csv"\r\n\r\nName\nFox\n\r\n--${boundary}--\r\n`;
    const answer = await send(body, {
      "content-type": `multipart/form-data; boundary=${boundary}`,
    });
    expect([answer.status, answer.body.file_name]).toEqual([200, "ab.csv"]);
  });

  test("413 body_too_large, and nothing is kept", async () => {
    const before = (await anna.asOwner.imports.list()).data.length;
    const { status, body } = await send(formOf(new Uint8Array(maxImportBytes + 1).fill(97)));
    expect([status, body.error?.code]).toEqual([413, "body_too_large"]);
    expect((await anna.asOwner.imports.list()).data).toHaveLength(before);
  }, 60_000);

  test.each<[string, number, string, () => Promise<Answer>]>([
    [
      "no form",
      415,
      "unsupported_media_type",
      () => send("Name\nFox\n", { "content-type": "text/csv" }),
    ],
    ["a form without a file", 400, "validation_failed", () => send(formOf())],
    ["an empty file", 400, "validation_failed", () => send(formOf(""))],
    [
      "another origin",
      403,
      "not_permitted",
      () => send(formOf("A\n"), { origin: "https://evil.example" }),
    ],
    ["nobody signed in", 401, "sign_in_required", () => send(formOf("A\n"), { cookie: "" })],
    [
      "another's account",
      404,
      "not_found",
      () => send(formOf("A\n"), { [accountHeader]: ben.account.id }),
    ],
    [
      "a bearer token",
      401,
      "sign_in_required",
      () => send(formOf("A\n"), { cookie: "", authorization: `Bearer ${anna.token}` }),
    ],
  ])("%s: %i %s", async (_, status, code, ask) => {
    const answer = await ask();
    expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  });
});

describe("GET and POST /trpc/files/cards", () => {
  test("200: a download by a link that names its account", async () => {
    const response = await get(`?account=${anna.account.id}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/csv");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="cards-\d{4}/u,
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const lines = (await response.text()).trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain("Charged Serpent");
  });

  test("200: a selection by its filter, and one named in a body, as JSON", async () => {
    const filter = JSON.stringify({ filter: { status: ["imported"] } });
    const query = `?account=${anna.account.id}&format=json&selection=${encodeURIComponent(filter)}`;
    const found = (await (await get(query)).json()) as Card[];
    expect(found.map(({ id }) => id)).toEqual([anna.cards[1].id]);
    const response = await fetch(new URL("/trpc/files/cards", address), {
      method: "POST",
      headers: {
        cookie,
        origin: publicUrl,
        [accountHeader]: anna.account.id,
        "content-type": "application/json",
      },
      body: JSON.stringify({
        format: "ndjson",
        selection: { ids: [anna.cards[0].id, ben.cards[0].id] },
      }),
    });
    // Another account's card selects nothing.
    expect(
      (await response.text())
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as Card).id),
    ).toEqual([anna.cards[0].id]);
  });

  test.each<[string, number, string, () => Promise<Response>]>([
    ["another's account", 404, "not_found", () => get(`?account=${ben.account.id}`)],
    ["no account", 404, "not_found", () => get("")],
    ["nobody signed in", 401, "sign_in_required", () => get(`?account=${anna.account.id}`, {})],
    [
      "an unknown layout",
      400,
      "validation_failed",
      () => get(`?account=${anna.account.id}&layout=excel`),
    ],
    [
      "an unknown filter",
      400,
      "validation_failed",
      () => get(`?account=${anna.account.id}&selection=%7B%22filter%22%3A%7B%22x%22%3A1%7D%7D`),
    ],
    ["no JSON", 400, "validation_failed", () => get(`?account=${anna.account.id}&selection=x`)],
    [
      "neither true nor false",
      400,
      "validation_failed",
      () => get(`?account=${anna.account.id}&with_ids=maybe`),
    ],
    ["half of a body", 400, "invalid_json", () => post("{")],
    ["an empty body", 400, "invalid_json", () => post("")],
  ])("%s: %i %s", async (_, status, code, ask) => {
    const response = await ask();
    const body = (await response.json()) as { error: { code: string } };
    expect([response.status, body.error.code]).toEqual([status, code]);
  });
});

describe("GET /trpc/files/job-items", () => {
  const fromJob = (job: string, account = anna.account.id, headers?: Record<string, string>) =>
    fetch(new URL(`/trpc/files/job-items?account=${account}&job=${job}`, address), {
      headers: headers ?? { cookie },
    });
  /** A job that has failed for so many cards, all of them of one title. */
  async function failedJob(by: Dealer, count: number, title: string): Promise<string> {
    const { db } = house.services;
    const { id } = await by.asOwner.bulk.start({
      selection: { ids: [by.cards[0].id] },
      action: { type: "move", location: null },
    });
    await db.query(
      `with made as (
         insert into card (id, account_id, sku, title, status, workflow_status, created_at, updated_at)
         select uuidv7(), account_id, 'ROW-' || n, $3, status, workflow_status, created_at, updated_at
         from card, generate_series(1, $2::int) n where id = $1 returning id
       )
       insert into job_item (job_id, card_id, outcome, code, message) select $4::uuid, id, 'failed', 'conflict', '=1+1' from made`,
      [toUuid(by.cards[0].id), count, title, toUuid(id)],
    );
    return id;
  }

  test("200: every card that has something to say, beyond ten thousand, and no formula", async () => {
    const id = await failedJob(anna, 10_500, "=HYPERLINK(1)");
    const response = await fromJob(id);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/csv");
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${id}.csv"`);
    const lines = (await response.text()).trimEnd().split("\r\n");
    expect(lines[0]).toBe("card_id,sku,title,outcome,code,message");
    expect(lines).toHaveLength(10_501);
    expect(lines[1]).toMatch(/^card_\w+,ROW-\d+,'=HYPERLINK\(1\),failed,conflict,'=1\+1$/);
    expect(new Set(lines).size).toBe(10_501);
  });

  test("200: a job without remarks is the head alone", async () => {
    const { id } = await anna.asOwner.bulk.start({
      selection: { ids: [anna.cards[0].id] },
      action: { type: "move", location: "A" },
    });
    expect(await (await fromJob(id)).text()).toBe("card_id,sku,title,outcome,code,message\r\n");
  });

  test("404 for another account's job, as for none; 401 for nobody", async () => {
    const foreign = await failedJob(ben, 1, "x");
    for (const id of [foreign, "job_x", newId("job")]) {
      const response = await fromJob(id);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
    }
    expect((await fromJob(foreign, ben.account.id)).status).toBe(404);
    expect((await fromJob(foreign, anna.account.id, {})).status).toBe(401);
  });
});

describe("GET /trpc/files/sales", () => {
  const sales = (query = "", account = anna.account.id, headers?: Record<string, string>) =>
    fetch(new URL(`/trpc/files/sales?account=${account}${query}`, address), {
      headers: headers ?? { cookie },
    });

  test("200: the ledger with its profit, and no formula; its filters", async () => {
    const card = await anna.asOwner.cards.create({
      title: "=HYPERLINK(1)",
      purchase_price: { amount: 900, currency: "USD" },
    });
    await anna.asOwner.cards.recordSale({
      id: card.id,
      price: { amount: 850, currency: "USD" },
      fee: { amount: 25, currency: "USD" },
      place: "Harbour card show",
    });
    const response = await sales();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/csv");
    expect(response.headers.get("content-disposition")).toMatch(/filename="sales-[-0-9]+\.csv"/u);
    const lines = (await response.text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(",8.50,0.00,0.00,0.25,9.00,-0.75,");
    expect(lines[1]).toContain(",'=HYPERLINK(1),");
    const other = await sales("&kind=marketplace");
    expect((await other.text()).trimEnd().split("\r\n")).toHaveLength(1);
  });

  test("400 for a filter that there is not, 401 without a session", async () => {
    expect((await sales("&colour=red")).status).toBe(400);
    expect((await sales("&from=yesterday")).status).toBe(400);
    expect((await sales("", anna.account.id, {})).status).toBe(401);
  });
});
