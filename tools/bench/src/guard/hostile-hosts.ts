/** Addresses that no customer's receiver has: each range by its first, its last or its best-known one. */
const hostileV4 = [
  // Loopback, this network.
  "127.0.0.1",
  "127.0.0.53",
  "127.255.255.254",
  "0.0.0.0",
  "0.1.2.3",
  // Private (RFC 1918), shared by carriers (RFC 6598).
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.254",
  "192.168.0.1",
  "192.168.255.255",
  "100.64.0.1",
  "100.127.255.254",
  // Link-local with the clouds' metadata services.
  "169.254.0.1",
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  // Protocols, documentation, benchmarks, relays.
  "192.0.0.192",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "198.18.0.1",
  "198.19.255.255",
  "192.88.99.1",
  // Multicast, reserved, broadcast.
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
];

const hostileV6 = [
  "::1",
  "::",
  "fc00::1",
  "fd00:ec2::254",
  "fdff:ffff::1",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "ff02::1",
  "ff0e::1",
  "100::1",
  "2001::1",
  "2001:2::1",
  "2001:10::1",
  "2001:db8::1",
  "3fff::1",
  "5f00::1",
];

/** Of these every spelling is tried: this machine, a private network and a metadata service. */
const spelled = ["127.0.0.1", "10.0.0.1", "169.254.169.254"];

export const hostileAddresses: readonly string[] = [
  ...hostileV4,
  ...hostileV6,
  ...spelled.flatMap(carriersOf),
];

/** As they may stand in a URL. */
export const hostileHosts: readonly string[] = [
  ...hostileAddresses.map((address) => (address.includes(":") ? `[${address}]` : address)),
  ...spelled.flatMap(spellingsOf),
];

function bytesOf(address: string): number[] {
  return address.split(".").map(Number);
}

/** Ways to write an IPv4 address that a URL's host allows. */
function spellingsOf(address: string): string[] {
  const bytes = bytesOf(address);
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  const number = ((first * 256 + second) * 256 + third) * 256 + fourth;
  const lastTwo = third * 256 + fourth;
  const lastThree = second * 65_536 + lastTwo;
  return [
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    `${first}.${lastThree}`,
    `${first}.${second}.${lastTwo}`,
    `0x${first.toString(16)}.${lastThree}`,
    bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
    bytes.map((byte) => `0${byte.toString(8)}`).join("."),
    `${address}.`,
    address.replaceAll(".", "。"),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
  ];
}

/** IPv6 addresses that hold an IPv4 one: mapped, translated, compatible, NAT64, 6to4, Teredo. */
function carriersOf(address: string): string[] {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytesOf(address);
  const hex = (high: number, low: number): string => (high * 256 + low).toString(16);
  const words = `${hex(first, second)}:${hex(third, fourth)}`;
  return [
    `::ffff:${address}`,
    `::ffff:0:${address}`,
    `::${address}`,
    `64:ff9b::${address}`,
    `64:ff9b:1::${words}`,
    `2002:${words}::`,
    `2001:0:${words}::`,
  ];
}
