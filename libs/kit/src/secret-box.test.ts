import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretBox, SecretBoxError } from "./secret-box.ts";
import type { SecretBoxErrorReason } from "./secret-box.ts";

const older = { id: "2025", key: randomBytes(32) };
const newer = { id: "2026-a", key: randomBytes(32) };
const row = "whe_01h455vb4pex5vsknk084sn02q";
const otherRow = "whe_01h455vb4pex5vsknk084sn02r";

function reasonOf(open: () => unknown): SecretBoxErrorReason | undefined {
  try {
    open();
  } catch (error) {
    if (error instanceof SecretBoxError) return error.reason;
    throw error;
  }
  return undefined;
}

describe("secret box", () => {
  it("gives back what was put in, whatever it is", () => {
    const box = createSecretBox([newer, older]);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, associatedData) => {
        const sealed = box.seal(plain, associatedData);
        expect(sealed).toMatch(/^v1\.2026-a\.[A-Za-z0-9_-]+$/);
        expect(box.open(sealed, associatedData)).toBe(plain);
      }),
    );
  });

  it("never closes twice the same way, and hides the secret", () => {
    const box = createSecretBox([newer]);
    const sealed = new Set(Array.from({ length: 100 }, () => box.seal("whsec_abc", row)));
    expect(sealed.size).toBe(100);
    for (const text of sealed) {
      expect(Buffer.from(text.split(".")[2] ?? "", "base64url").toString("latin1")).not.toContain(
        "whsec",
      );
    }
  });

  it("reads under every configured key and writes under the first", () => {
    const sealed = createSecretBox([older]).seal("a", row);
    const box = createSecretBox([newer, older]);
    expect(box.open(sealed, row)).toBe("a");
    expect(box.isStale(sealed)).toBe(true);
    expect(box.isStale(box.seal("a", row))).toBe(false);
    expect(createSecretBox([older, newer]).isStale(sealed)).toBe(false);
  });

  it("does not open in another row", () => {
    const box = createSecretBox([newer]);
    expect(reasonOf(() => box.open(box.seal("a", row), otherRow))).toBe("not_authentic");
  });

  it("says which key is missing", () => {
    const sealed = createSecretBox([older]).seal("a", row);
    expect(() => createSecretBox([newer]).open(sealed, row)).toThrow(/the key 2025/);
    expect(reasonOf(() => createSecretBox([newer]).open(sealed, row))).toBe("unknown_key");
  });

  it("does not open with another key of the same id, or under another key's id", () => {
    const sealed = createSecretBox([older]).seal("a", row);
    const impostor = createSecretBox([{ id: older.id, key: newer.key }]);
    expect(reasonOf(() => impostor.open(sealed, row))).toBe("not_authentic");
    const sameKeyOtherId = createSecretBox([{ id: "other", key: older.key }]);
    expect(reasonOf(() => sameKeyOtherId.open(sealed.replace("2025", "other"), row))).toBe(
      "not_authentic",
    );
  });

  it("does not open after any one bit was changed", () => {
    const box = createSecretBox([newer]);
    const sealed = box.seal("whsec_abc", row);
    const [version, id, text] = sealed.split(".");
    const bytes = Buffer.from(text ?? "", "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const forged = `${version}.${id}.${changed.toString("base64url")}`;
      expect(reasonOf(() => box.open(forged, row))).toBe("not_authentic");
    }
  });

  it.each([
    "",
    "v1",
    "v1..",
    "v1.2025.",
    "v2.2025.AAAA",
    "v1.2025.AAAA",
    "v1.a b.AAAA",
    "whsec_abc",
  ])("refuses %j as no sealed secret", (text) => {
    expect(reasonOf(() => createSecretBox([older]).open(text, row))).toBe("malformed");
  });

  it("does not start without a key, with a short one, or with two of one id", () => {
    expect(() => createSecretBox([])).toThrow(RangeError);
    expect(() => createSecretBox([{ id: "a", key: randomBytes(16) }])).toThrow(/32 bytes/);
    expect(() => createSecretBox([{ id: "a b", key: randomBytes(32) }])).toThrow(RangeError);
    expect(() => createSecretBox([older, { ...newer, id: "2025" }])).toThrow(/2025/);
  });
});
