import { expect, test } from "vitest";
import {
  activities,
  mayDo,
  requireMayDo,
  restoreAccount,
  runningMs,
  suspendAccount,
} from "./account.ts";
import type { AccountState, Activity } from "./account.ts";

const now = new Date("2026-03-01T10:00:00.000Z");
const hour = (count: number) => new Date(now.getTime() + count * 3_600_000);
const active: AccountState = { environment: "live", currency: "USD", suspendedAt: null };
const suspended = suspendAccount(active, now).state;

test("an account is suspended and restored once each", () => {
  expect(suspended.suspendedAt).toEqual(now);
  expect(restoreAccount(suspended).state).toEqual(active);
  for (const call of [() => suspendAccount(suspended, now), () => restoreAccount(active)]) {
    expect(call).toThrow(expect.objectContaining({ code: "invalid_transition" }));
  }
});

test("suspended: members look, the marketplace is read, withdrawals and deliveries go on, nothing else", () => {
  const all = Object.keys(activities) as Activity[];
  expect(all.filter((activity) => mayDo(suspended, activity))).toEqual([
    "sign_in",
    "look",
    "read_marketplace",
    "withdraw",
    "deliver",
  ]);
  expect(all.every((activity) => mayDo(active, activity))).toBe(true);
  expect(() => requireMayDo(suspended, "call_api")).toThrow(
    expect.objectContaining({ code: "account_suspended", status: 403 }),
  );
  expect(() => requireMayDo(suspended, "deliver")).not.toThrow();
});

test("the clock of suspended work stands still", () => {
  const suspensions = [
    { from: hour(-5), to: hour(1) },
    { from: hour(2), to: hour(4) },
    { from: hour(9), to: null },
  ];
  expect(runningMs(now, hour(10), suspensions)).toBe(6 * 3_600_000);
  expect(runningMs(now, hour(10), [])).toBe(10 * 3_600_000);
  expect(runningMs(hour(2), hour(3), suspensions)).toBe(0);
});
