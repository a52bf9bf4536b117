import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createCompression, createDocsSite, encodingOf } from '../../../api/http/docs-site.ts';
import { routes } from '../../../api/routes.ts';

const site = createDocsSite(routes, { title: 'Point of sale', version: '1.3.0' });

/** A tenth of a second on a mobile line of 9 Mbit/s. */
const mostOverTheLine = 40_000;

const textAt = async (path: string) => String((await site.page(path))!.body);
const shownIn = (page: string) => [...page.matchAll(/<details id="(\w+)"/g)].map(([, name]) => String(name));

test('the first page has a line for every operation under its chapter, and nothing that holds it up', async () => {
  const page = await textAt('/docs');
  expect(shownIn(page).toSorted()).toEqual(routes.map(({ name }) => String(name)).toSorted());
  expect(page.indexOf('id="settleReturn"')).toBeGreaterThan(page.indexOf('<section id="return">'));
  expect(page).not.toMatch(/rel="stylesheet"|<script(?![^>]* defer)/);
  expect((await createCompression()('/docs', page, 'gzip')).length).toBeLessThan(mostOverTheLine);
});

test('what an operation says is on the page of its chapter, which the first page fetches when one is opened', async () => {
  const links = [...(await textAt('/docs')).matchAll(/href="(\/docs\/[a-z-]+\.html)"/g)].map(([, path = '']) => path);
  const pages = await Promise.all(links.map(textAt));
  expect(pages.flatMap(shownIn).toSorted()).toEqual(routes.map(({ name }) => String(name)).toSorted());
  expect(await textAt('/docs/return.html')).toContain('Receive it first.');
  expect(await textAt('/docs/return.html')).toContain('-X POST &quot;$POS/rest/V1/pos/rma/');
  expect(await textAt('/docs/index.js')).toContain(`fetch('/docs/' + chapter + '.html')`);
});

test('the page of a chapter shows the fields that its operations take and answer, without a script', async () => {
  const page = await textAt('/docs/sell.html');
  expect(page).toContain(
    '<code>request.<wbr>skus</code></td><td>list of string (at most 255), at most 500000, <b>needed</b>',
  );
  // An object that several operations share stands once, and each leads to it.
  expect(page).toContain('href="/docs/sell.html#shape-OrderItem"');
  expect(page.match(/id="shape-OrderItem"/g)).toHaveLength(1);
  const document = JSON.parse(await textAt('/docs/sell.json')) as { components: { schemas: Record<string, object> } };
  const { Order: order } = document.components.schemas as Record<string, { properties: object }>;
  for (const name of Object.keys(order!.properties)) expect(page).toContain(`<code>${name}</code>`);
});

test('every operation has a call to copy', async () => {
  const links = [...(await textAt('/docs')).matchAll(/href="(\/docs\/[a-z-]+\.html)"/g)].map(([, path = '']) => path);
  for (const page of await Promise.all(links.map(textAt)))
    for (const operation of page.split('<details ').slice(1)) expect(operation).toContain('curl -g');
  expect(await textAt('/docs/index.js')).toContain("replaceAll('$POS', location.origin)");
});

test('the search finds an operation by its path, its purpose, its refusals and its examples', async () => {
  const texts = JSON.parse(await textAt('/docs/search.json')) as Record<string, string>;
  expect(Object.keys(texts).toSorted()).toEqual(routes.map(({ name }) => String(name)).toSorted());
  for (const word of ['/v1/pos/rma/:rmaid/settle', 'give the money back', 'gateway_uncertain', '"method":"cash"'])
    expect(texts['settleReturn']).toContain(word);
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
