import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { aBesiegedShop, type BesiegedShop } from './a-besieged-shop.ts';
import { shareOf } from './share-of.ts';

let besieged: BesiegedShop;
beforeAll(async () => {
  besieged = await aBesiegedShop();
});
afterAll(async () => {
  expect(besieged.api.faults).toEqual([]);
  await besieged.api.close();
});

const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`;
const withVariables = routes.filter(({ path }) => path.includes('/:'));

/** Nothing of the kind exists, however the server may read it. */
const hostileSegments = [
  '0',
  '-1',
  '9223372036854775808',
  '99999999999999999999999999999999999999',
  '1%2e%2e',
  '%2e%2e',
  '1%00',
  '%ff',
  '%',
  '1%0a',
  '1%0d%0aX:%201',
  '1e3',
  '__proto__',
  'constructor',
  '%27%20or%201=1--',
  '%d9%a1',
  'x'.repeat(4_000),
];

/** What no HTTP client would send goes out as bytes. */
const send = (method: string, path: string, token: string, headers = '') =>
  rawRequest(
    besieged.api.url,
    `${method} /rest${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  );

test.each(withVariables.map((route, at): [string, AnyRoute, number] => [nameOf(route), route, at]))(
  '%s finds nothing under any odd name',
  async (_name, route, at) => {
    const { token } = await besieged.shop.sampleOf(route);
    await besieged.journal.take();
    for (const variable of route.path.match(/:\w+/g) ?? []) {
      for (const segment of shareOf(hostileSegments, { route: at, oneIn: 3 })) {
        const path = route.path.replace(variable, segment).replaceAll(/:\w+/g, '999999');
        const { status, text } = await send(route.method, path, token);
        // Lists of nothing are empty; what is taken out again may be gone already.
        const isExpected = status === 200 || [400, 401, 404].includes(status);
        expect({ path, status, isExpected, text: isExpected ? '' : text }).toMatchObject({
          isExpected: true,
          text: '',
        });
        if (status !== 200) expect(Object.keys(JSON.parse(text))).toContain('message');
      }
    }
    expect(await besieged.journal.take()).toEqual([]);
  },
);

test.each(routes.map((route): [string, AnyRoute] => [nameOf(route), route]))(
  '%s has no other verbs, and no header makes one',
  async (_name, route) => {
    const path = route.path.replaceAll(/:\w+/g, '999999');
    const { token } = await besieged.shop.sampleOf(route);
    await besieged.journal.take();
    for (const verb of ['HEAD', 'TRACE', 'PATCH'])
      expect({ path, verb, status: (await send(verb, path, token)).status }).toEqual({ path, verb, status: 405 });
    const plain = await send('GET', path, token);
    for (const verb of ['DELETE', 'PUT', 'POST']) {
      const overrides = ['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method'].map(
        (name) => `${name}: ${verb}\r\n`,
      );
      expect(await send('GET', `${path}?_method=${verb}`, token, overrides.join(''))).toEqual(plain);
    }
    expect(await besieged.journal.take()).toEqual([]);
  },
);
