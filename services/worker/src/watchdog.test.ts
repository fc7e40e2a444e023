import type { JobsStatus } from "@cardvault/jobs";
import { createLogger } from "@cardvault/kit";
import { expect, onTestFinished, test } from "vitest";
import { startWatchdog } from "./watchdog.ts";
import type { Watchdog } from "./watchdog.ts";

interface Situation {
  ended: number;
  overdue: number;
  isAway: boolean;
}

function watch(situation: Situation): { watchdog: Watchdog; lines: string[] } {
  const lines: string[] = [];
  const watchdog = startWatchdog({
    logger: createLogger({
      name: "test",
      level: "fatal",
      destination: { write: (line: string) => void lines.push(line) },
    }),
    everyMs: 3_600_000,
    stalledMs: 0,
    jobs: () => ({
      runsEnded: () => situation.ended,
      runsInFlight: () => 0,
      status: (): Promise<JobsStatus> =>
        Promise.resolve({
          store: { kind: "postgres", isAway: situation.isAway },
          lanes: [],
          work: [
            {
              source: "delivery",
              unrelayed: 0,
              due: situation.overdue,
              open: situation.overdue,
              overdue: situation.overdue,
              oldestDueAt: null,
            },
          ],
        }),
    }),
  });
  onTestFinished(() => watchdog.stop());
  return { watchdog, lines };
}

test("overdue work and no run that ends is a stall, told loudly, until something ends", async () => {
  const situation = { ended: 3, overdue: 5, isAway: false };
  const { watchdog, lines } = watch(situation);
  expect(watchdog.isStalled()).toBe(false);
  await watchdog.look();
  expect(watchdog.isStalled()).toBe(true);
  expect(lines.join("")).toContain("stalled");
  situation.ended = 4;
  await watchdog.look();
  expect(watchdog.isStalled()).toBe(false);
});

test.each([
  ["nothing is overdue", { ended: 0, overdue: 0, isAway: false }],
  ["the store is away", { ended: 0, overdue: 5, isAway: true }],
])("it is none while %s", async (_, situation) => {
  const { watchdog, lines } = watch(situation);
  await watchdog.look();
  expect(watchdog.isStalled()).toBe(false);
  expect(lines).toEqual([]);
});
