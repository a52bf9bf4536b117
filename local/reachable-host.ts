import { isIPv6 } from 'node:net';

/** Where this machine finds what listens on `HOST`: on all addresses is on the loopback too. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIPv6(host) ? `[${host}]` : host;
}
