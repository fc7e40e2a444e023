import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSandbox } from "../../fixtures.ts";
import type { Sandbox } from "../../fixtures.ts";
import type { MarketplacePort, Seller } from "../port.ts";
import { documentsFolder, hasDocuments, openDocuments } from "./documents.fixture.ts";
import {
  counted,
  dropAnswer,
  ebayAt,
  found,
  item,
  newSeller,
  policies,
  publish,
  terms,
} from "./ebay.fixture.ts";

let sandbox: Sandbox;
let port: MarketplacePort;
beforeAll(async () => {
  sandbox = await openSandbox();
  port = ebayAt(sandbox);
});
afterAll(() => sandbox.stop());

const sell = "/sell/inventory/v1";
const publishing = `POST ${sell}/offer/*/publish`;

/** Requests that a call has sent. */
async function sent(call: () => Promise<unknown>) {
  const before = sandbox.requests.length;
  await call();
  return sandbox.requests.slice(before).map(({ request }) => ({
    line: `${request.method} ${request.path}`,
    query: String(request.query),
    headers: request.headers,
    body: request.body.toString("utf8"),
  }));
}

describe("what is sent, byte by byte", () => {
  test("a token, what the category takes, and the item", async () => {
    const seller = newSeller();
    const own = ebayAt(sandbox);
    const [token, conditions, put, ...others] = await sent(() =>
      found(own.putItem(seller, item())),
    );
    expect(others).toEqual([]);
    expect(token).toMatchObject({
      line: "POST /identity/v1/oauth2/token",
      headers: {
        authorization: `Basic ${Buffer.from("vault-app:vault-secret").toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: `grant_type=refresh_token&refresh_token=sandbox-${seller.key}`,
    });
    expect(conditions).toMatchObject({
      line: "GET /sell/metadata/v1/marketplace/EBAY_US/get_item_condition_policies",
      query: "filter=categoryIds%3A%7B183454%7D",
    });
    expect(put).toMatchObject({
      line: `PUT ${sell}/inventory_item/B47-001`,
      headers: {
        authorization: expect.stringMatching(/^Bearer v\^1\.1#/) as string,
        "content-type": "application/json",
        "content-language": "en-US",
        "x-ebay-c-marketplace-id": "EBAY_US",
      },
    });
    expect(put?.body).toBe(
      '{"availability":{"shipToLocationAvailability":{"quantity":1}},"condition":"USED_VERY_GOOD",' +
        '"conditionDescriptors":[{"name":"40001","values":["400010"]}],"product":{"title":' +
        '"1999 Ember Coast Charged Serpent #12 Near Mint","description":"Charged Serpent, 12/102, Ember ' +
        'Coast.","aspects":{"Game":["Pokémon TCG"],"Set":["Ember Coast"]},"imageUrls":' +
        '["https://vault.example.com/photos/a1.webp"]}}',
    );
  });

  test("the offer, its listing, its revision and its end", async () => {
    const seller = newSeller();
    await found(port.putItem(seller, item()));
    const [offer] = await sent(() => found(port.createOffer(seller, terms())));
    expect(offer?.line).toBe(`POST ${sell}/offer`);
    const body =
      '"availableQuantity":1,"categoryId":"183454","listingDescription":"Charged Serpent, 12/102, ' +
      'Ember Coast.","listingDuration":"GTC","includeCatalogProductDetails":false,"listingPolicies":' +
      '{"fulfillmentPolicyId":"6196932000","paymentPolicyId":"6196947000","returnPolicyId":"6196944000"},' +
      '"merchantLocationKey":"default","pricingSummary":{"price":{"value":"12.50","currency":"USD"}}}';
    expect(offer?.body).toBe(
      `{"sku":"B47-001","marketplaceId":"EBAY_US","format":"FIXED_PRICE",${body}`,
    );
    const { offerId } = await found(port.createOffer(seller, terms()));
    const lines = await sent(async () => {
      await found(port.publishOffer(seller, offerId));
      const price = { amount: 5, currency: "USD" };
      await found(port.updateOffer(seller, offerId, terms({ price })));
      await found(port.withdrawOffer(seller, offerId));
    });
    expect(lines.map(({ line }) => line)).toEqual([
      `POST ${sell}/offer/${offerId}/publish`,
      `PUT ${sell}/offer/${offerId}`,
      `POST ${sell}/offer/${offerId}/withdraw`,
    ]);
    expect(lines[0]?.body).toBe("");
    expect(lines[1]?.body).toBe(`{${body.replace("12.50", "0.05")}`);
  });

  test("a description is text: what a provider wrote into it is no markup of the listing's page", async () => {
    const seller = newSeller();
    const description = `Rare <script>alert(1)</script>\n<img src=x onerror="alert('2')"> & more`;
    const html =
      "Rare &lt;script&gt;alert(1)&lt;/script&gt;<br>" +
      "&lt;img src=x onerror=&quot;alert(&#39;2&#39;)&quot;&gt; &amp; more";
    const lines = await sent(async () => {
      await found(port.putItem(seller, item({ description })));
      await found(port.createOffer(seller, terms({ description })));
    });
    const bodies = lines.slice(-2).map(({ body }) => JSON.parse(body) as unknown);
    expect(bodies).toMatchObject([
      { product: { description: html } },
      { listingDescription: html },
    ]);
  });

  test("a graded card: its grader, its grade and its certificate", async () => {
    const seller = newSeller();
    const grading = { grader: "psa", grade: "9", cert_number: "81234567", qualifier: null };
    const [, put] = await sent(() =>
      found(port.putItem(seller, item({ condition: null, grading }))),
    );
    expect(JSON.parse(put?.body ?? "")).toMatchObject({
      condition: "LIKE_NEW",
      conditionDescriptors: [
        { name: "27501", values: ["275010"] },
        { name: "27502", values: ["275022"] },
        { name: "27503", additionalInfo: "81234567" },
      ],
    });
    const { offerId } = await found(port.createOffer(seller, terms()));
    await found(port.publishOffer(seller, offerId));
  });

  test("conditions by the words that each category has for them", async () => {
    const seller = newSeller();
    const valueOf = async (categoryId: string, condition: "lightly_played" | "damaged") => {
      const lines = await sent(() =>
        found(port.putItem(seller, item({ sku: "C-1", categoryId, condition }))),
      );
      const put = lines.at(-1)?.body ?? "";
      return (JSON.parse(put) as { conditionDescriptors: object[] }).conditionDescriptors;
    };
    expect(await valueOf("183454", "lightly_played")).toEqual([
      { name: "40001", values: ["400015"] },
    ]);
    expect(await valueOf("261328", "lightly_played")).toEqual([
      { name: "40001", values: ["400011"] },
    ]);
    expect(await valueOf("183050", "damaged")).toEqual([{ name: "40001", values: ["400013"] }]);
  });
});

describe("the life of a listing", () => {
  test("none, published, sold out, and what it shows at each", async () => {
    const seller = newSeller();
    const offer = async () => (await found(port.findOffer(seller, "B47-001"))).offer;
    expect(await offer()).toBeNull();
    await found(port.putItem(seller, item({ quantity: 2 })));
    const { offerId } = await found(port.createOffer(seller, terms({ quantity: 2 })));
    expect(await offer()).toMatchObject({ offerId, state: "none", externalListingId: null });
    const { externalListingId, url } = await found(port.publishOffer(seller, offerId));
    expect(url).toBe(`https://www.ebay.com/itm/${externalListingId}`);
    expect(await offer()).toEqual({
      offerId,
      sku: "B47-001",
      state: "active",
      isEndedByMarketplace: false,
      externalListingId,
      url,
      price: { amount: 1_250, currency: "USD" },
      quantity: 2,
      quantitySold: 0,
    });
    const sale = { lines: [{ sku: "B47-001" }] };
    await sandbox.control(`/ebay/${seller.key}/orders`, sale);
    expect(await offer()).toMatchObject({ state: "active", quantity: 1, quantitySold: 1 });
    await sandbox.control(`/ebay/${seller.key}/orders`, sale);
    const ended = { state: "ended", isEndedByMarketplace: false, externalListingId };
    expect(await offer()).toMatchObject({ ...ended, quantity: 0, quantitySold: 2 });
  });

  test("a listing of which nothing is left stays where the seller keeps it", async () => {
    const seller = newSeller();
    await sandbox.control(`/ebay/${seller.key}/options`, { out_of_stock_control: true });
    await publish(port, seller);
    await sandbox.control(`/ebay/${seller.key}/orders`, { lines: [{ sku: "B47-001" }] });
    const { offer } = await found(port.findOffer(seller, "B47-001"));
    expect(offer).toMatchObject({ state: "out_of_stock", quantity: 0 });
  });

  test("shows as active for a while after its sale", async () => {
    const seller = newSeller();
    await sandbox.control(`/ebay/${seller.key}/options`, { listing_lag_ms: 240_000 });
    await publish(port, seller);
    await sandbox.control(`/ebay/${seller.key}/orders`, { lines: [{ sku: "B47-001" }] });
    const state = async () => (await found(port.findOffer(seller, "B47-001"))).offer?.state;
    expect(await state()).toBe("active");
    await sandbox.control(`/ebay/${seller.key}/clock`, { advance_ms: 240_000 });
    expect(await state()).toBe("ended");
  });

  test("withdrawn, published again: another listing of the same offer", async () => {
    const seller = newSeller();
    const first = await publish(port, seller);
    await found(port.withdrawOffer(seller, first.offerId));
    const { offer } = await found(port.findOffer(seller, "B47-001"));
    expect(offer).toMatchObject({ state: "none", externalListingId: null, url: null });
    const again = await publish(port, seller);
    expect(again.offerId).toBe(first.offerId);
    expect(again.externalListingId).not.toBe(first.externalListingId);
  });

  test("ended by the marketplace, and relisted outside", async () => {
    const seller = newSeller();
    const { externalListingId } = await publish(port, seller);
    await sandbox.control(`/ebay/${seller.key}/listings/B47-001/end`, {});
    const offer = async () => (await found(port.findOffer(seller, "B47-001"))).offer;
    const ended = { state: "ended", isEndedByMarketplace: true, externalListingId };
    expect(await offer()).toMatchObject(ended);
    const relisted = await sandbox.control<{ listing_id: string }>(
      `/ebay/${seller.key}/listings/B47-001/relist`,
      {},
    );
    expect(relisted.listing_id).not.toBe(externalListingId);
    const active = { state: "active", externalListingId: relisted.listing_id };
    expect(await offer()).toMatchObject(active);
  });

  test("sellers are apart: one's SKU is nobody else's", async () => {
    const [one, other] = [newSeller(), newSeller()];
    const { offerId } = await publish(port, one);
    expect((await found(port.findOffer(other, "B47-001"))).offer).toBeNull();
    expect(await port.updateOffer(other, offerId, terms())).toMatchObject({
      ok: false,
      code: "not_found",
      isPassing: false,
    });
  });
});

describe("every call can be repeated", () => {
  test("made twice, it is there once", async () => {
    const seller = newSeller();
    const first = await publish(port, seller);
    const { offerId, externalListingId } = first;
    expect(await publish(port, seller)).toMatchObject({ offerId, externalListingId });
    await found(port.withdrawOffer(seller, first.offerId));
    await found(port.withdrawOffer(seller, first.offerId));
    await found(port.withdrawOffer(seller, "800000000001"));
    expect(await counted(sandbox, seller)).toMatchObject([
      { sku: "B47-001", offers_made: 1, listings_made: 1, withdrawn: 1 },
    ]);
  });

  test.each([
    ["the item", `PUT ${sell}/inventory_item/*`],
    ["the offer", `POST ${sell}/offer`],
    ["the publication", publishing],
    ["the withdrawal", `POST ${sell}/offer/*/withdraw`],
  ])("an answer that is lost after %s was taken changes nothing", async (_name, on) => {
    const seller = newSeller();
    await dropAnswer(sandbox, seller, on);
    const { offerId, externalListingId } = await publish(port, seller);
    const { offer } = await found(port.findOffer(seller, "B47-001"));
    expect(offer).toMatchObject({ offerId, externalListingId, state: "active" });
    await found(port.withdrawOffer(seller, offerId));
    expect(await counted(sandbox, seller)).toMatchObject([
      { offers_made: 1, listings_made: 1, withdrawn: 1, listing_id: null },
    ]);
  });

  test("a location whose answer is lost is made once", async () => {
    const seller = newSeller();
    await dropAnswer(sandbox, seller, `POST ${sell}/location/*`);
    const place = { key: "shop", name: "Shop", country: "US", postalCode: "43215" };
    await found(port.createLocation(seller, { ...place, city: "Columbus", stateOrProvince: "OH" }));
    await found(port.createLocation(seller, place));
    expect((await found(port.readSetup(seller))).locations).toEqual([
      { key: "default", name: "Card room" },
      { key: "shop", name: "Shop" },
    ]);
  });
});

describe("what a seller and a category have", () => {
  test("policies with their defaults, and locations", async () => {
    const setup = await found(port.readSetup(newSeller()));
    expect(setup).toMatchObject({
      paymentPolicies: [{ id: policies.paymentPolicyId, isDefault: true }],
      returnPolicies: [{ id: policies.returnPolicyId, isDefault: true }],
      fulfillmentPolicies: [
        { id: policies.fulfillmentPolicyId, isDefault: true },
        { id: "6196933000", isDefault: false },
      ],
      locations: [{ key: policies.locationKey, name: "Card room" }],
    });
  });

  test("a seller who has set up nothing has nothing", async () => {
    const seller = newSeller();
    await sandbox.control(`/ebay/${seller.key}/options`, { is_set_up: false });
    expect(await found(port.readSetup(seller))).toMatchObject({
      paymentPolicies: [],
      returnPolicies: [],
      fulfillmentPolicies: [],
      locations: [],
    });
  });

  test("what a category wants, asked once for all sellers", async () => {
    const own = ebayAt(sandbox);
    const rules = await found(own.readCategory(newSeller(), "261328"));
    expect(rules.requiredAspects).toEqual(["Sport"]);
    expect(rules.graders).toContain("PSA");
    expect(rules.conditions).toEqual([
      "near_mint",
      "lightly_played",
      "moderately_played",
      "heavily_played",
      "damaged",
    ]);
    const again = await sent(() => found(own.readCategory(newSeller(), "261328")));
    expect(again).toEqual([]);
  });

  test("a category that cards are not listed in", async () => {
    expect(await port.readCategory(newSeller(), "1")).toMatchObject({
      ok: false,
      code: "refused",
      problems: [{ code: "category_invalid", field: "category_id" }],
    });
  });
});

describe("orders", () => {
  const from = new Date("2026-02-15T11:00:00Z");
  const orderOf = (seller: Seller, lines: object[], more: object = {}) =>
    sandbox.control<{ order_id: string }>(`/ebay/${seller.key}/orders`, { lines, ...more });
  const read = (seller: Seller, to: Date, next?: string) =>
    found(port.readOrders(seller, { from, to, next }));

  test("what was sold, for how much, and what eBay takes", async () => {
    const seller = newSeller();
    const { externalListingId } = await publish(port, seller, { quantity: 3 });
    const price = { value: "11.00", currency: "USD" };
    const { order_id } = await orderOf(seller, [{ sku: "B47-001", quantity: 2, price }]);
    const to = new Date("2026-02-15T12:00:00Z");
    const page = await read(seller, to);
    expect(page).toMatchObject({
      next: null,
      orders: [
        {
          orderId: order_id,
          createdAt: to,
          modifiedAt: to,
          isCancelled: false,
          isPaid: true,
          fee: { amount: 398, currency: "USD" },
          lines: [
            {
              sku: "B47-001",
              externalListingId,
              title: item().title,
              quantity: 2,
              total: { amount: 2_200, currency: "USD" },
            },
          ],
        },
      ],
    });
    const request = sandbox.requests.at(-1)?.request;
    expect(request?.query.get("filter")).toBe(
      "lastmodifieddate:[2026-02-15T11:00:00.000Z..2026-02-15T12:00:00.000Z]",
    );
  });

  test("unpaid, paid, cancelled: each moves it to where it was changed", async () => {
    const seller = newSeller();
    await publish(port, seller, { quantity: 2 });
    const { order_id } = await orderOf(seller, [{ sku: "B47-001", without_sku: true }], {
      is_paid: false,
    });
    const states: unknown[] = [];
    for (const [minutes, change] of [
      [0, ""],
      [1, "/pay"],
      [2, "/cancel"],
    ] as const) {
      if (change !== "") {
        await sandbox.control(`/ebay/${seller.key}/clock`, { advance_ms: 60_000 });
        await sandbox.control(`/ebay/${seller.key}/orders/${order_id}${change}`, {});
      }
      const at = new Date(Date.parse("2026-02-15T12:00:00Z") + minutes * 60_000);
      const { orders } = await found(port.readOrders(seller, { from: at, to: at }));
      states.push(
        orders.map(({ isPaid, isCancelled, lines }) => [isPaid, isCancelled, lines[0]?.sku]),
      );
    }
    expect(states).toEqual([[[false, false, null]], [[true, false, null]], [[true, true, null]]]);
  });

  test("120 orders come in pages; one that is changed meanwhile hides no other", async () => {
    const seller = newSeller();
    await publish(port, seller, { quantity: 200 });
    const made: string[] = [];
    for (let count = 0; count < 120; count += 1) {
      made.push((await orderOf(seller, [{ sku: "B47-001" }])).order_id);
    }
    const to = new Date("2026-02-15T12:00:00Z");
    const first = await read(seller, to);
    // The last one made stands first: those behind it move up by one.
    await sandbox.control(`/ebay/${seller.key}/clock`, { advance_ms: 1_000 });
    await sandbox.control(`/ebay/${seller.key}/orders/${made.at(-1)}/cancel`, {});
    const seen = new Set(first.orders.map(({ orderId }) => orderId));
    let pages = 1;
    for (let { next } = first; next !== null; pages += 1) {
      const page = await read(seller, to, next);
      for (const { orderId } of page.orders) seen.add(orderId);
      next = page.next;
    }
    expect([...seen].sort()).toEqual(made.sort());
    expect(pages).toBe(3);
  });
});

const exchanges = hasDocuments ? "" : ` (skipped: ${documentsFolder} is not there)`;
describe.skipIf(!hasDocuments)(`by eBay's own documents${exchanges}`, () => {
  test("everything that was sent and answered above is as they say", ({ annotate }) => {
    const check = openDocuments();
    const checked = sandbox.answers
      .filter(({ protocol }) => protocol === "ebay")
      .flatMap(({ request, answer }) => check(request, answer) ?? []);
    expect(checked.flatMap(({ problems }) => problems)).toEqual([]);
    const operations = new Set(checked.map(({ operation }) => operation));
    expect([...operations].sort()).toEqual([
      "GET /commerce/taxonomy/v1/category_tree/{category_tree_id}/get_item_aspects_for_category",
      "GET /commerce/taxonomy/v1/get_default_category_tree_id",
      "GET /sell/account/v1/fulfillment_policy",
      "GET /sell/account/v1/payment_policy",
      "GET /sell/account/v1/return_policy",
      "GET /sell/fulfillment/v1/order",
      "GET /sell/inventory/v1/location",
      "GET /sell/inventory/v1/offer",
      "GET /sell/inventory/v1/offer/{offerId}",
      "GET /sell/metadata/v1/marketplace/{marketplace_id}/get_item_condition_policies",
      "POST /sell/inventory/v1/location/{merchantLocationKey}",
      "POST /sell/inventory/v1/offer",
      "POST /sell/inventory/v1/offer/{offerId}/publish",
      "POST /sell/inventory/v1/offer/{offerId}/withdraw",
      "PUT /sell/inventory/v1/inventory_item/{sku}",
      "PUT /sell/inventory/v1/offer/{offerId}",
    ]);
    expect(checked.length).toBeGreaterThan(100);
    return annotate(`${checked.length} exchanges of ${operations.size} operations checked`);
  });
});
