/** A hash of 32 bytes as PostgreSQL reads it into `bit(256)`. */
export function hashBits(hash: Uint8Array): string {
  return `x${Buffer.from(hash).toString("hex")}`;
}
