import { createHmac } from "node:crypto";

const secretPrefix = "whsec_";

function hmac(key: string | Buffer, parts: readonly string[], encoding: "hex" | "base64"): string {
  return createHmac("sha256", key).update(parts.join("."), "utf8").digest(encoding);
}

/**
 * The value of `X-Vault-Signature` (spec, section 5): `t=<seconds>,v1=<hex>`, the HMAC-SHA256 of
 * `<t>.<raw body>`. The key is the secret's text as the account was shown it, prefix and all.
 */
export function vaultSignature(secret: string, atSeconds: number, body: string): string {
  return `t=${atSeconds},v1=${hmac(secret, [String(atSeconds), body], "hex")}`;
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): for each secret `v1,<base64>`, the
 * HMAC-SHA256 of `<id>.<seconds>.<raw body>`. The key is what the secret's base64 stands for.
 */
export function standardSignature(
  secrets: readonly string[],
  messageId: string,
  atSeconds: number,
  body: string,
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
      return `v1,${hmac(key, [messageId, String(atSeconds), body], "base64")}`;
    })
    .join(" ");
}
