import { writeProviderOutcome } from "@cardvault/db";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHouse } from "../test-house.ts";
import type { Dealer, House } from "../test-house.ts";

let house: House;
let dealer: Dealer;
beforeAll(async () => {
  house = await openHouse();
  dealer = await house.dealer("Harbour Cards");
});
afterAll(() => house.close());

test("an owner sees how providers fare, and an operator how much they are used", async () => {
  const { db, clock } = house;
  const call = { provider: "cardsight", durationMs: 300 };
  await writeProviderOutcome(db, { ...call, code: null }, clock.now());
  for (let failure = 0; failure < 3; failure += 1) {
    expect((await dealer.asOwner.providers.health()).data[0]?.state).toBe("working");
    await writeProviderOutcome(db, { ...call, code: "unavailable" }, clock.now());
  }
  const failing = {
    provider: "cardsight",
    state: "failing",
    last_error: "unavailable",
    last_succeeded_at: clock.now().toISOString(),
    last_failed_at: clock.now().toISOString(),
    average_ms: 300,
  };
  expect((await dealer.asOwner.providers.health()).data).toEqual([{ ...failing, counts: null }]);
  const operator = house.caller({ ...dealer.owner, isOperator: true });
  expect((await operator.providers.health()).data).toEqual([
    { ...failing, counts: { succeeded: 1, failed: 3 } },
  ]);
  await writeProviderOutcome(db, { ...call, code: null }, clock.now());
  expect((await dealer.asOwner.providers.health()).data[0]?.state).toBe("working");
});
