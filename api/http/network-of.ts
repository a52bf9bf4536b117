import { isIPv6 } from 'node:net';

/** A caller with a whole IPv6 network counts as one. */
const ipv6Groups = 4;

/** The network of an IPv6 address, from its written groups. */
export const networkOf = (address: string) => {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0')].slice(0, ipv6Groups).join(':');
};
