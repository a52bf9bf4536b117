import { isIPv6 } from 'node:net';

/** Somebody who has a whole network of IPv6 is one caller. */
const ipv6Groups = 4;

/** An IPv6 address by the network it is in, as far as it is written out. */
export const networkOf = (address: string) => {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0')].slice(0, ipv6Groups).join(':');
};
