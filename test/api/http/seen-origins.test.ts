import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createSeenOrigins } from '../../../api/http/seen-origins.ts';
import { parseSettings } from '../../../providers/settings.ts';

const asked = (headers: Record<string, string>, remoteAddress = '::ffff:10.0.0.7') =>
  ({ headers: { host: 'api:8080', ...headers }, socket: { remoteAddress } }) as unknown as IncomingMessage;
const forwarded = {
  'x-forwarded-proto': 'https, http',
  'x-forwarded-host': 'shop.example',
  'x-forwarded-port': '8443',
};

test.each([
  ['its own address', '', undefined, asked({}), ['http://api:8080']],
  ['nothing a stranger says', '10.0.0.8', undefined, asked(forwarded), ['http://api:8080']],
  ['what a trusted proxy says', '10.0.0.0/8', undefined, asked(forwarded), ['https://shop.example:8443']],
  [
    'a port that the host has already',
    '10.0.0.7',
    undefined,
    asked({ ...forwarded, 'x-forwarded-host': 'shop.example:444' }),
    ['https://shop.example:444'],
  ],
  ['the public address beside it', '', 'https://shop.example', asked({}), ['http://api:8080', 'https://shop.example']],
])('a caller may have seen %s', (_what, trusted, publicBaseUrl, request, origins) => {
  const settings = parseSettings({ TRUSTED_PROXIES: trusted, PUBLIC_BASE_URL: publicBaseUrl });
  expect(createSeenOrigins(settings)(request)).toEqual(origins);
});
