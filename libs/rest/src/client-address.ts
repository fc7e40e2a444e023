import { isIPv6 } from "node:net";

const mappedPrefix = "::ffff:";

/** The eight groups of an IPv6 address; `::` stands for as many zeros as are missing. */
function groupsOf(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

/**
 * Whose window a request without a valid token is counted in: the IPv4 address, or the /64 of an IPv6
 * address, since one client has at least that much.
 */
export function addressKey(address: string): string {
  const [plain = ""] = address.toLowerCase().split("%");
  if (plain.startsWith(mappedPrefix) && plain.includes(".")) {
    return `address:${plain.slice(mappedPrefix.length)}`;
  }
  if (!isIPv6(plain)) return `address:${plain}`;
  const network = groupsOf(plain).slice(0, 4);
  return `address:${network.map((group) => group.toString(16)).join(":")}::/64`;
}
