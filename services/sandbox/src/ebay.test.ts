import { createLogger } from "@cardvault/kit";
import { createTestDatabase, freePort } from "@cardvault/testkit";
import type { TestDatabase } from "@cardvault/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSandbox } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { readSandboxConfig } from "./settings.ts";

let database: TestDatabase;
let sandbox: Sandbox;
let other: Sandbox;
let token: string;
const seller = "acc_of_the_test";
const logger = createLogger({ name: "test", level: "silent" });

async function start(): Promise<Sandbox> {
  const port = await freePort();
  const env = { DATABASE_URL: database.url, SANDBOX_PORT: String(port) };
  return startSandbox(readSandboxConfig(env), logger);
}

beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = await start();
  other = await start();
  const answer = await fetch(`${sandbox.url}/ebay/identity/v1/oauth2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from("app:secret").toString("base64")}` },
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: `sandbox-${seller}`,
    }),
  });
  ({ access_token: token } = (await answer.json()) as { access_token: string });
});
afterAll(async () => {
  await sandbox.stop();
  await other.stop();
  await database.drop();
});

async function call(at: Sandbox, method: string, path: string, body?: object) {
  const answer = await fetch(`${at.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-language": "en-US",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: answer.status, json };
}

const inventory = "/ebay/sell/inventory/v1";
const offer = (sku: string): object => ({
  sku,
  marketplaceId: "EBAY_US",
  format: "FIXED_PRICE",
  availableQuantity: 30,
  categoryId: "183050",
  merchantLocationKey: "default",
  listingPolicies: {
    fulfillmentPolicyId: "6196932000",
    paymentPolicyId: "6196947000",
    returnPolicyId: "6196944000",
  },
  pricingSummary: { price: { value: "3.00", currency: "USD" } },
});

async function list(sku: string): Promise<string> {
  await call(sandbox, "PUT", `${inventory}/inventory_item/${sku}`, {
    availability: { shipToLocationAvailability: { quantity: 30 } },
    condition: "USED_VERY_GOOD",
    conditionDescriptors: [{ name: "40001", values: ["400010"] }],
    product: { title: sku, description: sku, imageUrls: ["https://vault.example.com/a.webp"] },
  });
  const made = await call(sandbox, "POST", `${inventory}/offer`, offer(sku));
  const offerId = String(made.json["offerId"]);
  expect((await call(sandbox, "POST", `${inventory}/offer/${offerId}/publish`)).status).toBe(200);
  return offerId;
}

const counted = async (at: Sandbox, sku: string) => {
  const { json } = await call(at, "GET", `/control/ebay/${seller}/listings`);
  return (json["data"] as Record<string, unknown>[]).find((one) => one["sku"] === sku);
};

test("a listing outlives the process, and its sales too", async () => {
  await list("KEPT-1");
  await call(sandbox, "POST", `/control/ebay/${seller}/orders`, { lines: [{ sku: "KEPT-1" }] });
  await sandbox.stop();
  sandbox = await start();
  const sold = { listing_status: "ACTIVE", quantity: 29, quantity_sold: 1, listings_made: 1 };
  expect(await counted(sandbox, "KEPT-1")).toMatchObject(sold);
  expect(await counted(other, "KEPT-1")).toMatchObject(sold);
});

test("requests at once, in two processes, make one offer and lose no sale", async () => {
  await list("ONCE-1");
  await call(sandbox, "PUT", `${inventory}/inventory_item/ONCE-2`, { product: { title: "B" } });
  const offers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      call(index % 2 === 0 ? sandbox : other, "POST", `${inventory}/offer`, offer("ONCE-2")),
    ),
  );
  expect(offers.filter(({ status }) => status === 201)).toHaveLength(1);
  const sales = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      call(index % 2 === 0 ? sandbox : other, "POST", `/control/ebay/${seller}/orders`, {
        lines: [{ sku: "ONCE-1" }],
      }),
    ),
  );
  expect(new Set(sales.map(({ json }) => json["order_id"])).size).toBe(20);
  expect(await counted(sandbox, "ONCE-1")).toMatchObject({ quantity: 10, quantity_sold: 20 });
  const orders = await call(sandbox, "GET", "/ebay/sell/fulfillment/v1/order?limit=200");
  const ids = (orders.json["orders"] as { orderId: string }[]).map(({ orderId }) => orderId);
  for (const { json } of sales) expect(ids).toContain(json["order_id"]);
});

test("what is refused changes nothing", async () => {
  const offerId = await list("REFUSED-1");
  const worse = { ...offer("REFUSED-1"), categoryId: "1" };
  expect((await call(sandbox, "PUT", `${inventory}/offer/${offerId}`, worse)).status).toBe(400);
  const { json } = await call(sandbox, "GET", `${inventory}/offer/${offerId}`);
  expect(json).toMatchObject({ categoryId: "183050", listing: { listingStatus: "ACTIVE" } });
});

test("refuses controls that it does not know", async () => {
  const control = `/control/ebay/${seller}`;
  for (const [path, body, status] of [
    ["/orders", { lines: [] }, 400],
    ["/orders", { lines: [{ sku: "NOBODY" }] }, 409],
    ["/consent", { state: "stolen" }, 400],
    ["/listings/NOBODY/end", {}, 409],
    ["/orders/1-2-3/cancel", {}, 404],
    ["/secrets", {}, 404],
  ] as const) {
    expect([path, (await call(sandbox, "POST", `${control}${path}`, body)).status]).toEqual([
      path,
      status,
    ]);
  }
  expect((await call(sandbox, "GET", "/control/ebay/")).status).toBe(404);
});
