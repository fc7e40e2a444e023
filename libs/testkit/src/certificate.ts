import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

// DER (ITU-T X.690), as much of it as a self-signed X.509 certificate (RFC 5280) needs.
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length =
    size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tags.sequence, ...parts);
const objectId = (hex: string): Buffer => der(tags.objectId, Buffer.from(hex, "hex"));
const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
const commonName = "550403";
const subjectAltName = "551d11";
const basicConstraints = "551d13";

function utcTime(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/[-:T]/gu, "").slice(2, 14);
  return der(tags.utcTime, Buffer.from(`${digits}Z`));
}

function alternativeName(host: string): Buffer {
  if (isIP(host) === 4) return der(0x87, Buffer.from(host.split(".").map(Number)));
  return der(0x82, Buffer.from(host));
}

export interface SelfSigned {
  /** PEM. A client that should trust the server takes it as its `ca`. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

/** A certificate for these host names and IPv4 addresses, signed by itself, valid from yesterday for a year. */
export function selfSigned(hosts: readonly string[]): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const dayMs = 86_400_000;
  const name = sequence(
    der(
      tags.set,
      sequence(objectId(commonName), der(tags.utf8String, Buffer.from("Card Vault test"))),
    ),
  );
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(8)]);
  const extensions = sequence(
    sequence(
      objectId(subjectAltName),
      der(tags.octetString, sequence(...hosts.map((host) => alternativeName(host)))),
    ),
    sequence(
      objectId(basicConstraints),
      der(tags.octetString, sequence(der(tags.boolean, Buffer.from([0xff])))),
    ),
  );
  const body = sequence(
    der(0xa0, der(tags.integer, Buffer.from([2]))),
    der(tags.integer, serial),
    ecdsaWithSha256,
    name,
    sequence(utcTime(new Date(Date.now() - dayMs)), utcTime(new Date(Date.now() + 365 * dayMs))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(
    body,
    ecdsaWithSha256,
    der(tags.bitString, Buffer.from([0]), signature),
  );
  const lines = certificate.toString("base64").match(/.{1,64}/gu) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
