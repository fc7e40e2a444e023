import { Resolver as CaresResolver } from "node:dns/promises";

/** Turns a host name into all of its addresses, of both families. Throws or answers none if there is none. */
export interface AddressResolver {
  resolve(hostname: string): Promise<readonly string[]>;
}

/**
 * Asks the name servers of the machine, or these (`127.0.0.1:53`), by c-ares. `dns.lookup` would share four threads with the
 * file system, so that a few slow names would stop everything. The hosts file is not read.
 */
export function createDnsResolver(servers?: readonly string[]): AddressResolver {
  const resolver = new CaresResolver({ timeout: 2_000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return {
    resolve: async (hostname) => {
      const answers = await Promise.allSettled([
        resolver.resolve4(hostname),
        resolver.resolve6(hostname),
      ]);
      const addresses = answers.flatMap((it) => (it.status === "fulfilled" ? it.value : []));
      const [first] = answers;
      if (addresses.length === 0 && first.status === "rejected") throw first.reason as Error;
      return addresses;
    },
  };
}
