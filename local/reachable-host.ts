import { isIPv6 } from 'node:net';

/** The local address of a server that listens on `HOST`: a server on all addresses is also on the loopback. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIPv6(host) ? `[${host}]` : host;
}
