import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Everything that isn't a public unicast address: this machine, its network, the cloud's own services. */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by a carrier's customers
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, and the metadata of cloud machines
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast and reserved
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4');
}
/** In IPv6 only 2000::/3 is public, except for these ranges, or those that contain an IPv4 address. */
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23], // Teredo, benchmarking, ORCHID
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6');
}

export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return notPublic.check(address, 'ipv4');
  if (family === 6) return !publicV6.check(address, 'ipv6') || notPublic.check(address, 'ipv6');
  return true;
}

export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
}

type Found = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;
export type Lookup = (hostname: string, options: LookupOptions, found: Found) => void;

/**
 * dns.lookup for a socket, refusing names that resolve to a private network. The check is here, on the
 * addresses that are then connected to: a name looked up twice may resolve differently.
 */
export const lookupPublic: Lookup = (hostname, options, found) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, []);
    if (addresses.some(({ address }) => isPrivateAddress(address))) {
      return found(new PrivateAddress('The address is in a private network.'), []);
    }
    if (options.all) return found(null, addresses);
    const [first] = addresses;
    found(null, first?.address ?? '', first?.family ?? 4);
  });
};
