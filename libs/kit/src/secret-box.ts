import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A key of 32 bytes and the name by which sealed texts say that it closed them. */
export interface SecretBoxKey {
  /** 1 to 32 of `A-Z a-z 0-9 _ -`. */
  id: string;
  key: Uint8Array;
}

/**
 * Secrets that must be read back, closed with AES-256-GCM (NIST SP 800-38D). The associated data
 * is the id of the row: a sealed text that is copied into another row does not open there.
 */
export interface SecretBox {
  /** `v1.<key id>.<base64url of 12 bytes nonce, ciphertext and 16 bytes tag>`. */
  seal(plain: string, associatedData: string): string;
  /** @throws SecretBoxError if it was closed by an unknown key, for another row, or was changed. */
  open(sealed: string, associatedData: string): string;
  /** Whether a sealed text was closed by another key than the one in use, and should be sealed anew. */
  isStale(sealed: string): boolean;
}

export type SecretBoxErrorReason = "malformed" | "unknown_key" | "not_authentic";

/** A sealed text that does not open. Its message has neither the text nor what is in it. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";
  readonly reason: SecretBoxErrorReason;

  constructor(reason: SecretBoxErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const nonceBytes = 12;
const tagBytes = 16;
const sealedForm = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/;

/**
 * A box whose first key closes and all of whose keys open.
 * @throws RangeError without a key, with two of the same id, or with one that has not 32 bytes.
 */
export function createSecretBox(keys: readonly SecretBoxKey[]): SecretBox {
  const [current] = keys;
  if (current === undefined) throw new RangeError("A secret box needs a key.");
  const keysById = new Map<string, Uint8Array>();
  for (const { id, key } of keys) {
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) {
      throw new RangeError("The id of an encryption key must be 1 to 32 of A-Z a-z 0-9 _ -.");
    }
    if (key.byteLength !== 32) throw new RangeError(`The encryption key ${id} must be 32 bytes.`);
    if (keysById.has(id)) throw new RangeError(`Two encryption keys have the id ${id}.`);
    keysById.set(id, Uint8Array.from(key));
  }
  const { id: currentId } = current;
  const currentKey = keysById.get(currentId) ?? current.key;

  return {
    seal: (plain, associatedData) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", currentKey, nonce);
      cipher.setAAD(authenticated(currentId, associatedData));
      const body = Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final()]);
      return `v1.${currentId}.${Buffer.concat([body, cipher.getAuthTag()]).toString("base64url")}`;
    },
    open: (sealed, associatedData) => {
      const [id, bytes] = parseSealed(sealed);
      const key = keysById.get(id);
      if (key === undefined) {
        throw new SecretBoxError(
          "unknown_key",
          `The secret was encrypted with the key ${id}, which is not among the configured ones.`,
        );
      }
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(authenticated(id, associatedData));
      decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
      try {
        const plain = decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes));
        return Buffer.concat([plain, decipher.final()]).toString("utf8");
      } catch {
        throw new SecretBoxError(
          "not_authentic",
          `The secret does not open with the key ${id}: another key of that id closed it, it belongs to another row, or it was changed.`,
        );
      }
    },
    isStale: (sealed) => parseSealed(sealed)[0] !== currentId,
  };
}

/** The version and the key's id are authenticated too, so that neither can be exchanged. */
function authenticated(keyId: string, associatedData: string): Buffer {
  return Buffer.from(`v1.${keyId}.${associatedData}`, "utf8");
}

function parseSealed(sealed: string): [keyId: string, bytes: Buffer] {
  const [, keyId, text] = sealedForm.exec(sealed) ?? [];
  const bytes = Buffer.from(text ?? "", "base64url");
  if (keyId === undefined || bytes.length < nonceBytes + tagBytes) {
    throw new SecretBoxError("malformed", "The text is not a sealed secret.");
  }
  return [keyId, bytes];
}
