import { accountHeader } from "@cardvault/contract";
import { newId } from "@cardvault/kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse, publicUrl } from "./test-house.ts";
import type { Dealer, House } from "./test-house.ts";

let house: House;
let anna: Dealer;
let cookie: string;
beforeAll(async () => {
  house = await openHouse();
  anna = await house.dealer("Anna");
  cookie = await house.cookie(anna);
});
afterAll(() => house.close());

const patchEach = async (patches: object[]) => {
  const { statusCode, body } = await house.app.inject({
    method: "POST",
    url: "/trpc/bulk.patchEach",
    headers: { cookie, origin: publicUrl, [accountHeader]: anna.account.id },
    payload: { patches },
  });
  return { statusCode, body, size: JSON.stringify({ patches }).length };
};

test("200: the rows of a spreadsheet begin a job", async () => {
  const patches = anna.cards.map(({ id, version }, row) => ({
    id,
    patch: { location: `Box ${row}` },
    if_version: version,
  }));
  const { statusCode, body } = await patchEach(patches);
  expect(statusCode).toBe(200);
  expect(body).toContain('"kind":"bulk.patch_each"');
});

test("five thousand rows with several fields each are read; more than 2 MB is 413", async () => {
  const rows = (notes: string) =>
    Array.from({ length: 5_000 }, () => ({
      id: newId("card"),
      patch: { title: "A title of a usual length", location: "Box 12 > Row 3", notes },
      if_version: 1,
    }));
  const many = await patchEach(rows("x".repeat(200)));
  expect(many.size).toBeGreaterThan(1_500_000);
  // They are read, looked up, and are nobody's.
  expect([many.statusCode, many.body.includes("patches.0.id")]).toEqual([404, true]);
  expect((await patchEach(rows("x".repeat(400)))).statusCode).toBe(413);
});
