import { describe, expect, it } from "vitest";
import { EndpointSlots } from "./endpoint-slots.ts";

/** Slots of an endpoint whose attempts took so long until now; all of them are taken. */
async function fullSlots(slots: number, tookMs: number): Promise<EndpointSlots> {
  const all = new EndpointSlots(slots);
  await all.take("a");
  all.release("a", tookMs);
  for (let taken = 0; taken < slots; taken += 1) expect(await all.take("a")).toBe(true);
  return all;
}

describe("an endpoint without a free slot", () => {
  it("is put off at once where its attempts are slow", async () => {
    const slots = await fullSlots(2, 5_000);
    expect(slots.isFull("a")).toBe(true);
    expect(await slots.take("a")).toBe(false);
  });

  it("is put off at once where nothing is known of it: it may hang", async () => {
    const slots = new EndpointSlots(1);
    expect(await slots.take("a")).toBe(true);
    expect(await slots.take("a")).toBe(false);
  });

  it("is waited for where its attempts are quick, in the order of asking", async () => {
    const slots = await fullSlots(1, 5);
    const order: number[] = [];
    const waiting = [1, 2].map(async (number) => {
      expect(await slots.take("a")).toBe(true);
      order.push(number);
      slots.release("a", 5);
    });
    slots.release("a", 5);
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
    expect(await slots.take("a")).toBe(true);
  });

  it("is waited for by a few only, so that a lane keeps room for others", async () => {
    const slots = await fullSlots(1, 5);
    const waiting = [slots.take("a"), slots.take("a")];
    expect(slots.isFull("a")).toBe(true);
    expect(await slots.take("a")).toBe(false);
    slots.release("a", 5);
    expect(await waiting[0]).toBe(true);
    slots.release("a", 5);
    expect(await waiting[1]).toBe(true);
  });

  it("is no longer waited for once it has become slow", async () => {
    const slots = await fullSlots(1, 5);
    expect(await slots.take("a")).toBe(false);
    expect(slots.isFull("a")).toBe(true);
  });

  it("takes nothing from another endpoint", async () => {
    const slots = await fullSlots(1, 5_000);
    expect(await slots.take("b")).toBe(true);
  });
});
