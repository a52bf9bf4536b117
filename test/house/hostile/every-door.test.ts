import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { expectRefusal } from './expect-refusal.ts';
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

const posted = routes.filter(({ method }) => method === 'POST' || method === 'PUT');
const json = 'application/json';
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

type RefusedBody = readonly [string, string | Uint8Array, string, 'telemetry takes it'?];

/** All routes read them by the same code: one gets one of them, or none. */
const longBodies: readonly RefusedBody[] = [
  ['200,000 levels deep', `{"a":${nested(200_000)}}`, json, 'telemetry takes it'],
  ['200,000 levels and never closed', '['.repeat(200_000), json],
  ['more than 1 MB', `{"a":"${'x'.repeat(1_048_600)}"}`, json, 'telemetry takes it'],
];

/** What no route may take, whatever it is for. The last says that telemetry, which takes any JSON, takes it. */
const refusedBodies: readonly RefusedBody[] = [
  ['a NUL in a text', '{"a":"\\u0000"}', json, 'telemetry takes it'],
  ['a NUL in a key', '{"\\u0000":1}', json, 'telemetry takes it'],
  ['half of a character', '{"a":["\\udead"]}', json, 'telemetry takes it'],
  ['a NUL as it is', '{"a":"\0"}', json],
  ['a byte order mark', '\uFEFF{}', json],
  ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), json],
  ['UTF-16', Buffer.from('{}', 'utf16le'), json],
  ['a wrong charset', '{}', 'application/json; charset=iso-8859-1'],
  ['a form', 'a=1', 'application/x-www-form-urlencoded'],
  ['a text', '{}', 'text/plain'],
  ['gzip', gzipSync('{}'), json],
  ['no JSON', '{"a":NaN}', json],
  ['JSON with a tail', '{} {}', json],
];

test.each(posted.map((route, at): [string, AnyRoute, number] => [`${route.method} ${route.path}`, route, at]))(
  '%s takes no broken body',
  async (_name, route, at) => {
    const { path, token } = await besieged.shop.sampleOf(route);
    await besieged.journal.take();
    const long = shareOf(longBodies, { route: at, oneIn: 4 });
    for (const [what, body, type, exception] of [...refusedBodies, ...long]) {
      if (exception && route.takesAnyJson) continue;
      const answer = await besieged.api.call(route.method, path, { token, body, headers: { 'content-type': type } });
      expectRefusal(`${what}: ${route.method} ${path}`, answer);
    }
    expect(await besieged.journal.take()).toEqual([]);
  },
);

/** They are all read as a body without a single argument. */
const emptyBodies = [
  '[]',
  '[1]',
  '"text"',
  '5',
  '1e309',
  '-0',
  'null',
  'true',
  '{}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
];

test.each(
  posted.filter(({ body }) => body).map((route): [string, AnyRoute] => [`${route.method} ${route.path}`, route]),
)('%s answers every empty body alike', async (_name, route) => {
  const answers = new Set<string>();
  for (const body of emptyBodies) {
    const { path, token } = await besieged.shop.sampleOf(route);
    const { status, body: said } = await besieged.api.call(route.method, path, {
      token,
      body,
      headers: { 'content-type': json },
    });
    if (status !== 200)
      expectRefusal(`${body}: ${route.method} ${path}`, {
        status,
        body: said,
        headers: new Headers({ 'content-type': 'application/json; charset=utf-8' }),
      });
    answers.add(`${status} ${status === 200 ? '' : JSON.stringify(said)}`);
  }
  expect([...answers]).toHaveLength(1);
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
});
