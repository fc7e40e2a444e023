import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkLimits, nextSize, runChunks } from "./run-chunks.ts";

const size = fc.integer({ min: chunkLimits.least, max: chunkLimits.most });
const heldMs = fc.double({ min: 0, max: 60_000, noNaN: true });

describe("the size of the next chunk", () => {
  test("stays within its limits, and never grows by more than half", () => {
    fc.assert(
      fc.property(size, heldMs, (before, ms) => {
        const next = nextSize(before, ms, chunkLimits);
        expect(next).toBeGreaterThanOrEqual(chunkLimits.least);
        expect(next).toBeLessThanOrEqual(Math.min(chunkLimits.most, Math.ceil(before * 1.5)));
      }),
    );
  });

  test("comes to what fits, whatever a card costs", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.3, max: 90, noNaN: true }), size, (msPerCard, first) => {
        let now = first;
        for (let chunk = 0; chunk < 20; chunk += 1) {
          now = nextSize(now, now * msPerCard, chunkLimits);
        }
        const fits = Math.min(chunkLimits.most, Math.floor(chunkLimits.targetMs / msPerCard));
        expect(Math.abs(now - fits)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("a run", () => {
  const limits = { ...chunkLimits, size: 1 };

  test("ends with the last chunk, when it is told to, and when it is another's", async () => {
    let steps = 0;
    const step = (last: number) => () => {
      steps += 1;
      return Promise.resolve({ heldMs: 0, isLast: steps === last });
    };
    const renew = (answers: boolean) => ({ renew: () => Promise.resolve(answers) });
    expect(await runChunks(renew(true), limits, step(3))).toBe(true);
    expect(steps).toBe(3);
    steps = 0;
    expect(await runChunks(renew(false), limits, step(3))).toBe(false);
    expect(steps).toBe(1);
    steps = 0;
    const stopped = () => Promise.resolve({ heldMs: 0, isLast: false, mustStop: true });
    expect(await runChunks(renew(true), limits, stopped)).toBe(false);
  });

  test("leaves the rest to the next one when its time is over", async () => {
    const over = { ...limits, runMs: 0 };
    const step = () => Promise.resolve({ heldMs: 0, isLast: false });
    const renew = () => Promise.reject(new Error("It has ended"));
    expect(await runChunks({ renew }, over, step)).toBe(false);
  });
});
