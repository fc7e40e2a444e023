import { eventTypes } from "@cardvault/contract";
import { findEndpoint } from "@cardvault/db";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeFrom, errorFrom, openHouse } from "../../test-house.ts";
import type { Dealer, House } from "../../test-house.ts";

let house: House;
let dealer: Dealer;
let serial = 0;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  serial += 1;
  dealer = await house.dealer(`Harbour Cards ${serial}`);
});
afterAll(() => house.close());

const url = "https://hooks.example.com/vault";
const endpoints = () => dealer.asOwner.webhooks.endpoints;

async function openedSecret(id: string) {
  const stored = await findEndpoint(house.db, dealer.account.id, id);
  return house.services.secretBox.open(stored?.sealedSecret ?? "", id);
}

describe("endpoints.create", () => {
  test("200: all events unless told otherwise; the secret is shown once and stored sealed", async () => {
    const { endpoint, secret } = await endpoints().create({ url });
    expect(endpoint).toMatchObject({ url, enabled: true, events: eventTypes });
    expect(Buffer.from(secret.replace("whsec_", ""), "base64")).toHaveLength(32);
    expect(await openedSecret(endpoint.id)).toBe(secret);
    const rows = await house.db.query("select * from webhook_endpoint");
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(await endpoints().list()).toEqual({ data: [endpoint] });
    expect(await endpoints().get({ id: endpoint.id })).toEqual(endpoint);
    expect(JSON.stringify(await dealer.asOwner.accounts.trail({}))).not.toContain(secret);
  });

  test("200: the named events only", async () => {
    const events = ["card.priced" as const];
    const { endpoint } = await endpoints().create({ url, events });
    expect(endpoint.events).toEqual(events);
  });

  test.each([
    "http://hooks.example.com/",
    "https://127.0.0.1/",
    "http://127.0.0.1:9000/",
    "https://[::1]/",
    "https://localhost/",
    "https://hooks.example.com:8443/",
    "https://user:password@hooks.example.com/",
    "https://db.internal/",
  ])("400 validation_failed for %s, also in a test account", async (wrong) => {
    const trial = await house.dealer(`Trial ${(serial += 1)}`, { environment: "test" });
    for (const { asOwner } of [dealer, trial]) {
      const error = await errorFrom(asOwner.webhooks.endpoints.create({ url: wrong }));
      expect([error.code, error.details?.[0]?.path]).toEqual(["validation_failed", "url"]);
    }
  });

  test("409 conflict for the 21st, also when the last two are made at the same moment", async () => {
    for (let i = 0; i < 19; i += 1) await endpoints().create({ url });
    const both = await Promise.allSettled([
      endpoints().create({ url }),
      endpoints().create({ url }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await codeFrom(endpoints().create({ url }))).toBe("conflict");
    const [first] = (await endpoints().list()).data;
    await endpoints().delete({ id: first?.id ?? "" });
    await endpoints().create({ url });
  });

  test("403 not_permitted for a member, who sees none either", async () => {
    const clerk = house.caller(await house.member(dealer, `Clerk ${serial}`, "member"));
    expect(await codeFrom(clerk.webhooks.endpoints.create({ url }))).toBe("not_permitted");
    expect(await codeFrom(clerk.webhooks.endpoints.list())).toBe("not_permitted");
  });
});

test("a loopback receiver needs both the local start and a test account", async () => {
  const local = await openHouse({ allowsLoopbackReceivers: true });
  const loopback = "http://127.0.0.1:4000/";
  const live = await local.dealer("Live Cards");
  const trial = await local.dealer("Trial Cards", { environment: "test" });
  expect(await codeFrom(live.asOwner.webhooks.endpoints.create({ url: loopback }))).toBe(
    "validation_failed",
  );
  const { endpoint } = await trial.asOwner.webhooks.endpoints.create({ url: loopback });
  expect(endpoint.url).toBe(loopback);
  await local.close();
});

describe("endpoints.update", () => {
  test("200: what is given changes, the rest stays", async () => {
    const { endpoint } = await endpoints().create({ url, description: "till" });
    house.clock.advance(1_000);
    const updated = await endpoints().update({ id: endpoint.id, events: ["listing.sold"] });
    const updatedAt = house.clock.now().toISOString();
    expect(updated).toEqual({ ...endpoint, events: ["listing.sold"], updated_at: updatedAt });
    expect(await endpoints().update({ id: endpoint.id, description: null })).toMatchObject({
      description: null,
    });
  });

  test("412 precondition_failed where a member is not what was read of it, and nothing is changed", async () => {
    const { endpoint } = await endpoints().create({ url, description: "till" });
    const { id, description, events } = endpoint;
    await endpoints().update({ id, description: "shop", expected: { description } });
    const late = { id, description: "stall", events: ["listing.sold" as const] };
    const call = endpoints().update({ ...late, expected: { description, events } });
    expect(await codeFrom(call)).toBe("precondition_failed");
    expect(await endpoints().get({ id })).toMatchObject({ description: "shop", events });
    expect(
      await endpoints().update({ id, events: ["listing.sold"], expected: { events } }),
    ).toMatchObject({ description: "shop", events: ["listing.sold"] });
  });

  test("200: disabled by hand, and enabled again", async () => {
    const { endpoint } = await endpoints().create({ url });
    const disabled = await endpoints().update({ id: endpoint.id, enabled: false });
    expect(disabled).toMatchObject({
      enabled: false,
      disabled_reason: "by_hand",
      disabled_at: house.clock.now().toISOString(),
    });
    expect(await endpoints().update({ id: endpoint.id, enabled: true })).toEqual(endpoint);
  });

  test("400 validation_failed for an address that must not be called", async () => {
    const { endpoint } = await endpoints().create({ url });
    const call = endpoints().update({ id: endpoint.id, url: "https://10.0.0.1/" });
    expect(await codeFrom(call)).toBe("validation_failed");
  });
});

describe("endpoints.delete", () => {
  test("200: it is gone for every procedure", async () => {
    const { endpoint } = await endpoints().create({ url });
    const { id } = endpoint;
    await endpoints().delete({ id });
    expect(await endpoints().list()).toEqual({ data: [] });
    for (const call of [
      () => endpoints().get({ id }),
      () => endpoints().update({ id, enabled: true }),
      () => endpoints().delete({ id }),
      () => endpoints().rotate({ id }),
      () => endpoints().switchNow({ id }),
    ]) {
      expect(await codeFrom(call())).toBe("not_found");
    }
  });
});

describe("endpoints.rotate and switchNow", () => {
  test("200: the old secret signs until the moment, then the new one does", async () => {
    const { endpoint, secret } = await endpoints().create({ url });
    const rotated = await endpoints().rotate({ id: endpoint.id, switch: "1h" });
    const switchesAt = new Date(house.clock.now().getTime() + 3_600_000).toISOString();
    expect(rotated.endpoint.secret_switches_at).toBe(switchesAt);
    expect(rotated.secret).not.toBe(secret);
    expect(await openedSecret(endpoint.id)).toBe(secret);
    house.clock.advance(3_600_000);
    expect((await endpoints().get({ id: endpoint.id })).secret_switches_at).toBeNull();
    await endpoints().rotate({ id: endpoint.id, switch: "7d" });
    expect(await openedSecret(endpoint.id)).toBe(rotated.secret);
  });

  test("200: now, at once or brought forward", async () => {
    const { endpoint } = await endpoints().create({ url });
    const first = await endpoints().rotate({ id: endpoint.id, switch: "now" });
    expect(await openedSecret(endpoint.id)).toBe(first.secret);
    const second = await endpoints().rotate({ id: endpoint.id });
    const switched = await endpoints().switchNow({ id: endpoint.id });
    expect(switched.secret_switches_at).toBeNull();
    expect(await openedSecret(endpoint.id)).toBe(second.secret);
  });

  test("409 conflict for a second rotation, and for a switch that nothing waits for", async () => {
    const { endpoint } = await endpoints().create({ url });
    expect(await codeFrom(endpoints().switchNow({ id: endpoint.id }))).toBe("conflict");
    await endpoints().rotate({ id: endpoint.id });
    expect(await codeFrom(endpoints().rotate({ id: endpoint.id }))).toBe("conflict");
  });
});
