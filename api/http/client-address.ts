import { BlockList, isIPv6 } from 'node:net';
import { WrongSetting } from '../../providers/settings.ts';

/** A request's client: the nearest address that is not one of our own proxies. */
export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string;

/**
 * Reads `TRUSTED_PROXIES`: addresses and subnets, separated by commas. `X-Forwarded-For` counts only from a trusted
 * proxy. Throws `WrongSetting` for an invalid address.
 */
export function createClientAddress(trustedProxies: string): ClientAddress {
  const isTrusted = createTrust(trustedProxies);
  return (peer, forwardedFor) => {
    let client = plain(peer);
    const hops = forwardedFor?.split(',').map((hop) => plain(hop.trim())) ?? [];
    for (const hop of hops.toReversed()) {
      if (!isTrusted(client)) break;
      client = hop;
    }
    return client;
  };
}

/** Whether an address is one of our own proxies. Throws `WrongSetting` as above. */
export function createTrust(trustedProxies: string): (address: string) => boolean {
  const trusted = new BlockList();
  const words = trustedProxies.split(',').map((word) => word.trim());
  for (const word of words.filter((word) => word !== '')) trust(trusted, word);
  return (input) => {
    const address = plain(input);
    return trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}

function trust(list: BlockList, word: string): void {
  const [address = '', prefix] = word.split('/');
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  try {
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  } catch {
    throw new WrongSetting(
      `TRUSTED_PROXIES names ${JSON.stringify(word)}, but only addresses and subnets are allowed.`,
    );
  }
}

/** An IPv4 address that arrived on an IPv6 socket, written as IPv4. */
const plain = (address: string) => (address.startsWith('::ffff:') ? address.slice(7) : address);
