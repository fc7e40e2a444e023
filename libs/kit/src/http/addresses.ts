import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** What IANA has given out of IPv6 for the public internet so far. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address, as text, belongs to a machine on the public internet. Everything else is
 * refused: private, loopback, link-local, shared, multicast, reserved, documentation and benchmark
 * addresses, and the IPv6 forms that carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes("%") || isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // The library calls all that it has no name for unicast: ::7f00:1 too, which is 127.0.0.1 in the
  // deprecated IPv4-compatible form.
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}
