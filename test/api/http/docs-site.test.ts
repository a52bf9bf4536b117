import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createCompression, createDocsSite, encodingOf } from '../../../api/http/docs-site.ts';
import { routes } from '../../../api/routes.ts';

const site = createDocsSite(routes, { title: 'Point of sale', version: '1.3.0' });

test('the first page has every operation under its chapter, with a search and no script that it needs', async () => {
  const { body } = (await site.page('/docs'))!;
  const shown = [...String(body).matchAll(/<details id="(\w+)">/g)].map(([, name]) => String(name));
  expect(shown.toSorted()).toEqual(routes.map(({ name }) => String(name)).toSorted());
  expect(String(body).indexOf('id="settleReturn"')).toBeGreaterThan(String(body).indexOf('<section id="return">'));
});

test('a chapter has a document of its own, with all that its operations lead to and nothing else', async () => {
  const { body } = (await site.page('/docs/layaway.json'))!;
  const document = JSON.parse(String(body)) as { paths: object; components: { schemas: object } };
  expect(Object.keys(document.paths)).toEqual([
    '/rest/V1/pos/layaways/{orderId}/payments',
    '/rest/V1/pos/layaways/{orderId}/cancel',
  ]);
  const named = [...String(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => String(name));
  expect(Object.keys(document.components.schemas).toSorted()).toEqual([...new Set(named)].toSorted());
});

test('an unknown chapter has no page', async () => {
  expect(await site.page('/docs/constructor')).toBeUndefined();
  expect(await site.page('/docs/nothing.json')).toBeUndefined();
});

test('a page goes over the line as small as its reader takes it', async () => {
  const compressed = createCompression();
  const text = 'the same again '.repeat(500);
  expect([encodingOf('gzip, deflate, br'), encodingOf('gzip'), encodingOf('identity'), encodingOf(undefined)]).toEqual([
    'br',
    'gzip',
    undefined,
    undefined,
  ]);
  expect(brotliDecompressSync(await compressed('/a', text, 'br')).toString()).toBe(text);
  expect(gunzipSync(await compressed('/a', text, 'gzip')).toString()).toBe(text);
});
