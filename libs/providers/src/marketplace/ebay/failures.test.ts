import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FaultKind } from "@cardvault/simulators";
import { createMemoryTurns } from "../../call/turns.ts";
import { openSandbox } from "../../fixtures.ts";
import type { Sandbox } from "../../fixtures.ts";
import type { MarketplaceFailureCode, MarketplacePort, Seller } from "../port.ts";
import { problemOf } from "../problems.ts";
import type { MarketplaceProblemCode } from "../problems.ts";
import { documentsFolder, hasDocuments, openDocuments } from "./documents.fixture.ts";
import { counted, ebayAt, found, item, newSeller, publish, terms } from "./ebay.fixture.ts";

let sandbox: Sandbox;
let port: MarketplacePort;
let seller: Seller;
beforeAll(async () => {
  sandbox = await openSandbox();
});
beforeEach(() => {
  sandbox.house = { ...sandbox.house, turns: createMemoryTurns() };
  port = ebayAt(sandbox);
  seller = newSeller();
});
afterAll(() => sandbox.stop());

const publishing = "POST /sell/inventory/v1/offer/*/publish";
const api = () => sandbox.access("ebay").baseUrl;

async function offerOf(): Promise<string> {
  await found(port.putItem(seller, item()));
  return (await found(port.createOffer(seller, terms()))).offerId;
}

describe("what eBay does wrong", () => {
  const failures: [FaultKind, MarketplaceFailureCode, boolean][] = [
    ["error", "unavailable", true],
    ["unavailable", "unavailable", true],
    ["dropped", "unavailable", true],
    ["rate_limited", "rate_limited", true],
    ["html", "malformed_answer", true],
    ["malformed", "malformed_answer", true],
    ["wrong_shape", "malformed_answer", true],
    ["huge", "malformed_answer", true],
    ["unauthorized", "unauthorized", false],
    ["refused", "refused", false],
  ];
  test.each(failures)("%s is %s", async (fault, code, isPassing) => {
    const offerId = await offerOf();
    await sandbox.fault("ebay", fault, { key: seller.key, on: publishing });
    const result = await port.publishOffer(seller, offerId);
    expect(result).toMatchObject({ ok: false, code, isPassing });
    await sandbox.clear("ebay");
    expect(await counted(sandbox, seller)).toMatchObject([{ listings_made: 0 }]);
    await found(port.publishOffer(seller, offerId));
    expect(await counted(sandbox, seller)).toMatchObject([{ listings_made: 1 }]);
  });

  test.each(["html", "malformed", "drip"] as const)(
    "%s in place of an answer to what was done: done once",
    async (fault) => {
      const offerId = await offerOf();
      await sandbox.fault("ebay", fault, {
        key: seller.key,
        on: publishing,
        when: "after",
        remaining: 1,
      });
      const hasty = ebayAt(sandbox, { deadlineMs: fault === "drip" ? 400 : 10_000 });
      const code = fault === "drip" ? "timeout" : "malformed_answer";
      expect(await hasty.publishOffer(seller, offerId)).toMatchObject({
        ok: false,
        code,
        isPassing: true,
      });
      await found(port.publishOffer(seller, offerId));
      expect(await counted(sandbox, seller)).toMatchObject([{ listings_made: 1 }]);
    },
  );

  test.each(["slow", "drip"] as const)("%s ends at the deadline", async (fault) => {
    const offerId = await offerOf();
    await sandbox.fault("ebay", fault, { key: seller.key, on: publishing, delay_ms: 60_000 });
    const hasty = ebayAt(sandbox, { deadlineMs: 400 });
    expect(await hasty.publishOffer(seller, offerId)).toMatchObject({
      ok: false,
      code: "timeout",
      isPassing: true,
    });
    await sandbox.clear("ebay");
  });

  test.each([25_001, 25_025])("%i passes, and is tried again", async (error_id) => {
    const offerId = await offerOf();
    const passing = { key: seller.key, on: publishing, status: 500, error_id };
    await sandbox.fault("ebay", "refused", { ...passing, remaining: 2 });
    const { report } = await found(port.publishOffer(seller, offerId));
    expect(report.tries).toBe(3);
    await sandbox.fault("ebay", "refused", passing);
    expect(await port.publishOffer(seller, offerId)).toMatchObject({
      ok: false,
      code: "unavailable",
      isPassing: true,
      report: { tries: 3 },
    });
    await sandbox.clear("ebay");
  });

  test("how long to wait is passed on", async () => {
    const offerId = await offerOf();
    const limited = { key: seller.key, on: publishing, retry_after_seconds: 900 };
    await sandbox.fault("ebay", "rate_limited", limited);
    expect(await port.publishOffer(seller, offerId)).toMatchObject({
      ok: false,
      code: "rate_limited",
      retryAfterMs: 900_000,
    });
    await sandbox.clear("ebay");
  });

  test("who gives up is answered", async () => {
    const signal = AbortSignal.abort();
    expect(await port.findOffer(seller, "B47-001", signal)).toMatchObject({ code: "cancelled" });
  });
});

describe("why eBay refuses, in a dealer's words", () => {
  const explained: [number, MarketplaceProblemCode][] = [
    [25_003, "price_invalid"],
    [25_004, "quantity_invalid"],
    [25_005, "category_invalid"],
    [25_006, "listing_option_invalid"],
    [25_007, "fulfillment_policy_invalid"],
    [25_008, "payment_policy_invalid"],
    [25_009, "return_policy_invalid"],
    [25_011, "tax_invalid"],
    [25_012, "location_invalid"],
    [25_013, "group_invalid"],
    [25_014, "photos_invalid"],
    [25_015, "photo_address_invalid"],
    [25_016, "field_invalid"],
    [25_017, "information_missing"],
    [25_018, "seller_account_incomplete"],
    [25_019, "listing_not_revisable"],
    [25_020, "package_invalid"],
    [25_021, "condition_invalid"],
    [25_022, "aspect_invalid"],
    [25_023, "compatibility_invalid"],
    [25_026, "selling_limit"],
    [25_028, "field_invalid"],
    [25_029, "category_field_missing"],
    [25_096, "on_hold"],
    [25_110, "regulation_missing"],
    [25_002, "refused"],
    [99_999, "refused"],
  ];
  test.each(explained)("%i is %s", async (error_id, code) => {
    const offerId = await offerOf();
    const refused = { key: seller.key, on: publishing, error_id, remaining: 1 };
    await sandbox.fault("ebay", "refused", refused);
    const result = await port.publishOffer(seller, offerId);
    const problems = [problemOf(code)];
    expect(result).toMatchObject({ ok: false, code: "refused", isPassing: false, problems });
    // What eBay wrote is in the log, and nowhere else.
    expect(JSON.stringify(result)).not.toMatch(/Simulated|<b>|internal/i);
  });

  test.each([25_702, 25_713])("%i is not there", async (error_id) => {
    const offerId = await offerOf();
    const refused = { key: seller.key, on: publishing, error_id, remaining: 1 };
    await sandbox.fault("ebay", "refused", refused);
    const code = error_id === 25_702 ? "sku_unknown" : "offer_unknown";
    expect(await port.publishOffer(seller, offerId)).toMatchObject({
      ok: false,
      code: "not_found",
      problems: [problemOf(code)],
    });
  });

  test("everything that is wrong at once, each at its field", async () => {
    const wrong = { imageUrls: ["http://vault.example.com/a.webp"], aspects: {} };
    await found(port.putItem(seller, item(wrong)));
    const none = { paymentPolicyId: "1", returnPolicyId: "1", fulfillmentPolicyId: "1" };
    const price = { amount: 100, currency: "EUR" };
    const { offerId } = await found(
      port.createOffer(seller, terms({ ...none, price, locationKey: "gone" })),
    );
    const result = await port.publishOffer(seller, offerId);
    expect(result).toMatchObject({ ok: false, code: "refused" });
    const fields = result.ok ? [] : result.problems.map(({ code, field }) => [code, field]);
    expect(fields).toEqual([
      ["price_invalid", "price"],
      ["aspect_missing", "aspects"],
      ["fulfillment_policy_invalid", "fulfillment_policy"],
      ["payment_policy_invalid", "payment_policy"],
      ["return_policy_invalid", "return_policy"],
      ["location_invalid", "location_key"],
      ["photo_address_invalid", "photos"],
    ]);
  });

  test.each([
    ["a condition is missing", { condition: null }, "condition_missing", "condition"],
    ["the title is too long", { title: "x".repeat(81) }, "title_invalid", "title"],
    ["the SKU is too long", { sku: "x".repeat(51) }, "sku_invalid", "sku"],
    [
      "the grade is none that eBay knows",
      {
        condition: null,
        grading: { grader: "PSA", grade: "11", cert_number: null, qualifier: null },
      },
      "grade_unknown",
      "grading.grade",
    ],
    [
      "the certificate is too long",
      {
        condition: null,
        grading: { grader: "PSA", grade: "9", cert_number: "1".repeat(31), qualifier: null },
      },
      "certificate_invalid",
      "grading.cert_number",
    ],
    ["the category is none of cards", { categoryId: "9" }, "category_invalid", "category_id"],
  ])("%s", async (_name, more, code, field) => {
    expect(await port.putItem(seller, item(more))).toMatchObject({
      ok: false,
      code: "refused",
      isPassing: false,
      problems: [{ code, field }],
    });
  });

  test("a grader that eBay has no name for is another one", async () => {
    const grading = { grader: "XYZ", grade: "10.0", cert_number: null, qualifier: null };
    await found(port.putItem(seller, item({ condition: null, grading })));
    const { body } = sandbox.requests.at(-1)?.request ?? {};
    expect(JSON.parse(String(body))).toMatchObject({
      conditionDescriptors: [{ values: ["2750123"] }, { values: ["275020"] }],
    });
  });

  test("a live listing is not revised into nonsense", async () => {
    const { offerId } = await publish(port, seller);
    const none = terms({ price: { amount: 0, currency: "USD" } });
    expect(await port.updateOffer(seller, offerId, none)).toMatchObject({
      ok: false,
      code: "refused",
      problems: [{ code: "price_invalid" }],
    });
    const { offer } = await found(port.findOffer(seller, "B47-001"));
    expect(offer).toMatchObject({ state: "active", price: { amount: 1_250 } });
  });
});

describe("tokens and consent", () => {
  const tokens = () =>
    sandbox.requests.filter(({ request }) => request.path === "/identity/v1/oauth2/token").length;

  test("one token serves many calls, and each seller has one of its own", async () => {
    const before = tokens();
    for (let call = 0; call < 3; call += 1) await found(port.findOffer(seller, "B47-001"));
    expect(tokens() - before).toBe(1);
    await found(port.findOffer(newSeller(), "B47-001"));
    expect(tokens() - before).toBe(2);
  });

  test("one that has ended before its time is renewed, and the call goes on", async () => {
    await found(port.findOffer(seller, "B47-001"));
    await sandbox.control(`/ebay/${seller.key}/clock`, { advance_ms: 3 * 3_600_000 });
    const before = tokens();
    await found(port.findOffer(seller, "B47-001"));
    expect(tokens() - before).toBe(1);
  });

  test.each(["revoked", "expired"] as const)("a consent that is %s", async (state) => {
    await found(port.findOffer(seller, "B47-001"));
    await sandbox.control(`/ebay/${seller.key}/consent`, { state });
    // An expired one ends with the access token that it gave last.
    await sandbox.control(`/ebay/${seller.key}/clock`, { advance_ms: 3 * 3_600_000 });
    for (const call of [
      () => port.findOffer(seller, "B47-001"),
      () => port.putItem(seller, item()),
      () => port.withdrawOffer(seller, "1"),
      () => port.readSetup(seller),
    ]) {
      expect(await call()).toMatchObject({ ok: false, code: "consent_revoked", isPassing: false });
    }
    await sandbox.control(`/ebay/${seller.key}/consent`, { state: "given" });
    await found(port.findOffer(seller, "B47-001"));
  });

  test("a key of the installation that eBay does not know is no consent's fault", async () => {
    const on = "POST /identity/v1/oauth2/token";
    await sandbox.fault("ebay", "unauthorized", { key: seller.key, on });
    const result = await port.findOffer(seller, "B47-001");
    expect(result).toMatchObject({ ok: false, code: "unauthorized", isPassing: false });
    await sandbox.clear("ebay");
  });

  async function consent(hint: string): Promise<URL> {
    const asked = new URL(port.consentUrl("state-1"));
    expect(asked.searchParams.get("scope")).toContain("sell.fulfillment");
    asked.searchParams.set("login_hint", hint);
    const answer = await fetch(asked, { redirect: "manual" });
    expect(answer.status).toBe(302);
    return new URL(answer.headers.get("location") ?? "");
  }

  test("an owner agrees: the code is good once, and its refresh token from then on", async () => {
    const back = await consent("card-dealer");
    expect(`${back.origin}${back.pathname}`).toBe(
      "https://vault.example.com/auth/marketplace/callback",
    );
    expect(back.searchParams.get("state")).toBe("state-1");
    const code = back.searchParams.get("code") ?? "";
    const { refreshToken, refreshTokenEndsAt } = await found(port.exchangeCode(code));
    expect(refreshTokenEndsAt.toISOString()).toBe("2027-08-17T00:00:00.000Z");
    await found(port.findOffer({ key: "acc_live", refreshToken }, "B47-001"));
    const used = { ok: false, code: "refused", problems: [{ code: "code_invalid" }] };
    expect(await port.exchangeCode(code)).toMatchObject(used);
    expect(await port.exchangeCode("v^1.1#nonsense")).toMatchObject(used);
    const other = ebayAt(sandbox, { clientId: "another-app" });
    expect(await other.findOffer({ key: "acc_live", refreshToken }, "B47-001")).toMatchObject({
      code: "consent_revoked",
    });
  });

  test("a code of another application's consent is refused", async () => {
    const code = (await consent("card-dealer-2")).searchParams.get("code") ?? "";
    const other = ebayAt(sandbox, { clientId: "another-app" });
    expect(await other.exchangeCode(code)).toMatchObject({ ok: false, code: "refused" });
  });
});

describe("what the simulator itself insists on", () => {
  async function token(): Promise<string> {
    await found(port.findOffer(seller, "x"));
    return sandbox.requests.at(-1)?.request.headers.authorization ?? "";
  }

  test("language, type and token", async () => {
    const url = `${api()}/sell/inventory/v1/inventory_item/A-1`;
    const authorization = await token();
    const put = (headers: Record<string, string>) =>
      fetch(url, { method: "PUT", headers, body: JSON.stringify({ product: { title: "A" } }) });
    const type = { "content-type": "application/json" };
    const language = { "content-language": "en-US" };
    const statuses = [
      await put({ authorization, ...type, ...language }),
      await put({ authorization, ...type }),
      await put({ authorization, ...language, "content-type": "text/plain" }),
      await put({ ...type, ...language, authorization: "Bearer v^1.1#i^1#user#e30" }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 400, 400, 401]);
  });

  test("an item is read, listed and deleted, and its offer with it", async () => {
    await publish(port, seller);
    const headers = { authorization: await token() };
    const base = `${api()}/sell/inventory/v1`;
    const read = await fetch(`${base}/inventory_item/B47-001`, { headers });
    expect(await read.json()).toMatchObject({ sku: "B47-001", locale: "en_US" });
    const list = await fetch(`${base}/inventory_item?limit=10&offset=0`, { headers });
    expect(await list.json()).toMatchObject({ total: 1, inventoryItems: [{ sku: "B47-001" }] });
    const gone = await fetch(`${base}/inventory_item/B47-001`, { method: "DELETE", headers });
    expect(gone.status).toBe(204);
    expect((await fetch(`${base}/inventory_item/B47-001`, { headers })).status).toBe(404);
    expect((await found(port.findOffer(seller, "B47-001"))).offer).toBeNull();
  });

  test("an order by its id, and none by another", async () => {
    await publish(port, seller);
    const { order_id } = await sandbox.control<{ order_id: string }>(`/ebay/${seller.key}/orders`, {
      lines: [{ sku: "B47-001" }],
    });
    const headers = { authorization: await token() };
    const base = `${api()}/sell/fulfillment/v1/order`;
    const order = await fetch(`${base}/${order_id}`, { headers });
    expect(await order.json()).toMatchObject({ orderId: order_id, sellerId: seller.key });
    expect((await fetch(`${base}/1-2-3`, { headers })).status).toBe(404);
    const statuses = [];
    for (const filter of [
      "lastmodifieddate:[2026-02-15T12:00:00.000Z..2026-02-15T11:00:00.000Z]",
      "lastmodifieddate:[2026-02-15..]",
      "lastmodifieddate:[..2026-02-15T11:00:00.000Z]",
      "lastmodifieddate:[2026-02-15T12:00:00.000Z..2027-02-15T11:00:00.000Z]",
    ]) {
      const query = new URLSearchParams({ filter }).toString();
      statuses.push((await fetch(`${base}?${query}`, { headers })).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400]);
  });

  test("an offer is deleted, and its listing with it", async () => {
    const { offerId } = await publish(port, seller);
    const headers = { authorization: await token() };
    const url = `${api()}/sell/inventory/v1/offer/${offerId}`;
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(204);
    expect((await found(port.findOffer(seller, "B47-001"))).offer).toBeNull();
  });
});

test("no secret, no token and nothing that eBay wrote is in plain sight", () => {
  const logged = sandbox.logged();
  expect(logged).not.toContain("vault-secret");
  expect(logged).not.toMatch(/sandbox-acc_\d|v\^1\.1#i\^1/);
});

const skipped = hasDocuments ? "" : ` (skipped: ${documentsFolder} is not there)`;
describe.skipIf(!hasDocuments)(`by eBay's own documents${skipped}`, () => {
  test("refusals too are as they say", ({ annotate }) => {
    const check = openDocuments();
    const checked = sandbox.answers
      .filter(({ protocol, request }) => protocol === "ebay" && request.body.length < 10_000)
      .filter(({ request }) => request.headers["content-type"] !== "text/plain")
      .flatMap(({ request, answer }) => check(request, answer) ?? []);
    expect(checked.flatMap(({ problems }) => problems)).toEqual([]);
    const refused = checked.filter(({ status }) => status >= 400);
    expect(refused.length).toBeGreaterThan(10);
    return annotate(`${checked.length} exchanges checked, ${refused.length} of them refusals`);
  });
});
