import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

/** A request that only reads may come from anywhere: a foreign page cannot read the answer. */
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);
const everyAddress = new Set(['0.0.0.0', '::']);

/**
 * Why a request is refused; undefined where it is accepted.
 *
 * A foreign page can reach the loopback by a host name that leads there (DNS rebinding), or by a form. The first has
 * a foreign `Host`, the second a foreign `Origin`.
 *
 * @param host the address the server listens on
 * @param names its other names
 */
export function foreignRequest(
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { host, names }: { host: string; names: readonly string[] },
): string | undefined {
  const called = hostnameOf(headers.host);
  if (called === undefined || !(isLoopback(called) || [host, ...names].includes(called) || isAnyOf(host, called)))
    return 'This server is not called by that Host.';
  if (reads.has(method)) return undefined;
  const { origin } = headers;
  const isOwn = origin === undefined || origin === `http://${headers.host}` || origin === `https://${headers.host}`;
  return isOwn && headers['sec-fetch-site'] !== 'cross-site' ? undefined : 'Another site sent this request.';
}

/** A server on all addresses accepts every address of the machine; only a name can be pointed here by others. */
const isAnyOf = (host: string, called: string) => everyAddress.has(host) && isIP(called) !== 0;

const isLoopback = (name: string) =>
  name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));

/** Without the port, lower case, IPv6 without its brackets. */
function hostnameOf(host: string | undefined): string | undefined {
  const [, name] = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return name?.toLowerCase().replaceAll(/[[\]]/g, '');
}
