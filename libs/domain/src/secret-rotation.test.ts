import { describe, expect, test } from "vitest";
import {
  rotateSecret,
  settleSecrets,
  standardSignatureSecrets,
  switchSecretNow,
  vaultSignatureSecret,
} from "./secret-rotation.ts";

const now = new Date("2026-03-01T10:00:00.000Z");
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const still = { current: "old", next: null, switchAt: null };

describe.each([
  ["1h", 3_600],
  ["24h", 86_400],
  ["7d", 604_800],
] as const)("a rotation in %s", (choice, seconds) => {
  const waiting = rotateSecret(still, "new", choice, now);
  const before = new Date(after(seconds).getTime() - 1);

  test("signs with the old secret until the moment, then with the new", () => {
    expect(waiting.switchAt).toEqual(after(seconds));
    expect(vaultSignatureSecret(waiting, now)).toBe("old");
    expect(vaultSignatureSecret(waiting, before)).toBe("old");
    expect(vaultSignatureSecret(waiting, after(seconds))).toBe("new");
  });

  test("signs the Standard Webhooks header with both until then", () => {
    expect(standardSignatureSecrets(waiting, before)).toEqual(["old", "new"]);
    expect(standardSignatureSecrets(waiting, after(seconds))).toEqual(["new"]);
  });

  test("a second one before the moment is a conflict, after it none", () => {
    for (const again of ["now", "1h"] as const) {
      expect(() => rotateSecret(waiting, "third", again, before)).toThrow(
        expect.objectContaining({ code: "conflict" }),
      );
    }
    expect(rotateSecret(waiting, "third", "1h", after(seconds))).toMatchObject({
      current: "new",
      next: "third",
    });
  });

  test("can be brought forward to now", () => {
    expect(switchSecretNow(waiting, now)).toEqual({ current: "new", next: null, switchAt: null });
    expect(() => switchSecretNow(waiting, after(seconds))).toThrow(
      expect.objectContaining({ code: "conflict" }),
    );
  });
});

test("a rotation now takes effect at once, and settling changes nothing that stands", () => {
  expect(rotateSecret(still, "new", "now", now)).toEqual({ ...still, current: "new" });
  expect(settleSecrets(still, now)).toBe(still);
  expect(standardSignatureSecrets(still, now)).toEqual(["old"]);
});
