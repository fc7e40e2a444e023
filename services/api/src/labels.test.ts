import { accountHeader } from "@cardvault/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, publicUrl } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let anna: Dealer;
let ben: Dealer;
let cookie: string;
beforeAll(async () => {
  house = await openHouse();
  anna = await house.dealer("Anna");
  ben = await house.dealer("Ben");
  cookie = await house.cookie(anna);
});
afterAll(() => house.close());

const order = (dealer: Dealer) => ({
  subjects: { type: "cards", selection: { ids: dealer.cards.map(({ id }) => id) } },
  template: "avery_l7160",
});

function send(payload: object, headers: Record<string, string> = {}) {
  return house.app.inject({
    method: "POST",
    url: "/inventory/labels",
    headers: { cookie, origin: publicUrl, [accountHeader]: anna.account.id, ...headers },
    payload,
  });
}

describe("POST /inventory/labels", () => {
  test("200: a PDF, or one page as SVG", async () => {
    const pdf = await send(order(anna));
    expect(pdf.statusCode).toBe(200);
    expect(pdf.headers).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": 'attachment; filename="labels.pdf"',
      "cache-control": "no-store",
    });
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.rawPayload.toString("latin1").trimEnd().endsWith("%%EOF")).toBe(true);
    const svg = await send({ ...order(anna), format: "svg" });
    expect(svg.headers["content-type"]).toContain("image/svg+xml");
    expect(svg.body).toMatch(/^<svg .*<path /s);
  });

  test("places: named ones, and all within one", async () => {
    await anna.asOwner.cards.create({ location: "Vault/1" });
    const template = "zebra_2x1";
    const named = { subjects: { type: "locations", paths: ["New/1", "New/2"] }, template };
    expect((await send(named)).statusCode).toBe(200);
    const within = { subjects: { type: "locations_within", path: "Vault" }, template } as const;
    expect(await anna.asOwner.labels.preview(within)).toMatchObject({
      labels: 1,
      pages: 1,
      is_cut: false,
      not_covered: "",
    });
  });

  const never = { type: "cards", selection: { ids: ["card_01kjn2z6g0fgz9pqafd9r83gq3"] } };

  test.each(["pdf", "svg"])(
    "400 for no labels, as %s; another account's cards are none",
    async (format) => {
      const details = [
        { path: "subjects", message: "Nothing to print: there is none of these in the account" },
      ];
      for (const subjects of [never, order(ben).subjects]) {
        const none = await send({ ...order(anna), subjects, format });
        expect(none.statusCode).toBe(400);
        expect(none.json()).toMatchObject({ error: { code: "validation_failed", details } });
      }
    },
  );

  test("400 for a page after the last", async () => {
    const after = await send({ ...order(anna), format: "svg", page: 2 });
    expect(after.statusCode).toBe(400);
    expect(after.json()).toMatchObject({
      error: { details: [{ path: "page", message: "Must be at most 1, the last page" }] },
    });
  });

  test.each([
    ["400 for an unknown template", 400, { template: "avery_1" }, {}],
    ["401 for nobody", 401, {}, { cookie: "" }],
    ["403 for another origin", 403, {}, { origin: "https://evil.example" }],
  ] as const)("%s", async (_, status, change, headers) => {
    expect((await send({ ...order(anna), ...change }, headers)).statusCode).toBe(status);
  });

  test("404 for an account that is not one's own, and 401 for a token", async () => {
    const foreign = await send(order(anna), { [accountHeader]: ben.account.id });
    expect(foreign.statusCode).toBe(404);
    const token = { cookie: "", authorization: `Bearer ${anna.token}` };
    expect((await send(order(anna), token)).statusCode).toBe(401);
  });
});
