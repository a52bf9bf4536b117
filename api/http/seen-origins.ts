import type { IncomingMessage } from 'node:http';
import type { Settings } from '../../providers/settings.ts';
import { createTrust } from './client-address.ts';

/** The schemes and hosts by which a caller may have reached us, such as `https://shop.example:8443`. */
export type SeenOrigins = (request: IncomingMessage) => readonly string[];

/**
 * The address of the request itself, and `PUBLIC_BASE_URL`. A proxy's headers about the original address count only
 * where `TRUSTED_PROXIES` names it.
 */
export function createSeenOrigins({ TRUSTED_PROXIES, PUBLIC_BASE_URL }: Settings): SeenOrigins {
  const isTrusted = createTrust(TRUSTED_PROXIES);
  const ofShop = PUBLIC_BASE_URL === undefined ? [] : [PUBLIC_BASE_URL];
  return ({ headers, socket }) => {
    const isOurs = isTrusted(socket.remoteAddress ?? '');
    const forwarded = (name: string) => (isOurs ? first(headers[`x-forwarded-${name}`]) : undefined);
    const scheme = forwarded('proto') ?? 'http';
    const host = forwarded('host') ?? headers.host ?? '';
    const port = forwarded('port');
    const isNamed = port === undefined || /:\d+$/.test(host);
    return [`${scheme}://${isNamed ? host : `${host}:${port}`}`, ...ofShop];
  };
}

/** The value from the proxy nearest to the caller. */
function first(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();
  return value === '' ? undefined : value;
}
