import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntityManager } from '@mikro-orm/postgresql';
import { publishContent, unpublishContent } from '../../../db/content/publish-content.ts';
import { deleteContent } from '../../../db/content/delete-content.ts';
import {
  readPublishedByIdentifiers,
  readPublishedByIds,
  readPublishedOfCategories,
  readPublishedOfProducts,
  readPublishedOfSkus,
} from '../../../db/content/read-published.ts';
import { changeContent, createContent, type NewContent } from '../../../db/content/save-content.ts';
import type { RenderContent } from '../../../domain/content/render-content.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: Awaited<ReturnType<typeof testDatabase>>;
let productId: number;
beforeAll(async () => {
  orm = await testDatabase();
  productId = (await aShop(fork())).mug.entityId;
});
afterAll(() => orm.close());

/** `[name]` stands for that block's text as it is shown. */
const render: RenderContent<EntityManager> = async (em, { html, css, storeId }) => {
  const uses = [...html.matchAll(/\[(\w+)\]/g)].map(([, name]) => String(name));
  const blocks = await readPublishedByIdentifiers(em, { kind: 'block', identifiers: uses, storeId });
  const textOf = (name: string) => blocks.find(({ identifier }) => identifier === name)?.html ?? '';
  return {
    html: html.replaceAll(/\[(\w+)\]/g, (_, name: string) => textOf(name)),
    css: `safe ${css}`,
    uses,
    inViews: [],
  };
};
const { fork, change } = booksOf(() => orm);
const by = { author: 'ada', now: new Date(), render };
let names = 0;
const create = (content: string, more: Partial<NewContent> = {}) =>
  createContent(fork(), {
    ...{ kind: 'block', storeId: 0, author: 'ada' },
    ...more,
    wish: { identifier: `block_${++names}`, title: 'T', content, css: 'p {}', liveview: true, ...more.wish },
  });
const publish = (contentId: number, kind: NewContent['kind'] = 'block') =>
  publishContent(fork(), { kind, contentId, ...by });
const htmlOf = async (contentId: number) =>
  (await readPublishedByIds(fork(), { kind: 'block', ids: [contentId], storeId: 1 }))[0]?.html;

test('the content of a product is found by id and by sku, of a category by id, of each attribute the view’s own', async () => {
  const of = { kind: 'product_attribute', productId } as const;
  const wish = { identifier: 'description' };
  for (const [storeId, text] of [
    [0, 'all'],
    [2, 'ca'],
  ] as const)
    await publish(await create(text, { ...of, storeId, wish }), 'product_attribute');
  await create('a draft', { ...of, wish: { identifier: 'care' } });
  const shelf = { kind: 'category_attribute', categoryId: 2 } as const;
  await publish(await create('shelf', { ...shelf, wish }), 'category_attribute');

  const shown = (storeId: number) => readPublishedOfProducts(fork(), { productIds: [productId], storeId });
  expect(await shown(1)).toMatchObject([{ identifier: 'description', html: 'all', css: 'safe p {}', productId }]);
  expect(await shown(2)).toMatchObject([{ html: 'ca' }]);
  expect(await readPublishedOfSkus(fork(), { skus: ['MUG', 'NONE'], storeId: 2 })).toMatchObject([
    { sku: 'MUG', html: 'ca' },
  ]);
  expect(await readPublishedOfCategories(fork(), { categoryIds: [2], storeId: 2 })).toMatchObject([{ html: 'shelf' }]);
});

test('what the shop does not offer in a view has no texts there: a product disabled or elsewhere, a category inactive', async () => {
  const owner = { kind: 'product_attribute', productId } as const;
  await publish(await create('secret', { ...owner, wish: { identifier: 'secret' } }), owner.kind);
  const shelf = { kind: 'category_attribute', categoryId: 2 } as const;
  await publish(await create('secret', { ...shelf, wish: { identifier: 'secret' } }), shelf.kind);
  const shown = async (storeId = 1) => [
    (await readPublishedOfProducts(fork(), { productIds: [productId], storeId })).length > 0,
    (await readPublishedOfSkus(fork(), { skus: ['MUG'], storeId })).length > 0,
    (await readPublishedOfCategories(fork(), { categoryIds: [2], storeId })).length > 0,
  ];
  expect(await shown()).toEqual([true, true, true]);
  await change('product', { sku: 'MUG' }, { status: 2 });
  expect(await shown()).toEqual([false, false, true]);
  await change('product', { sku: 'MUG' }, { status: 1, website_ids: '{7}' });
  expect(await shown()).toEqual([false, false, true]);
  await change('product', { sku: 'MUG' }, { website_ids: '{1}' });
  await change('category', { entity_id: 2 }, { is_active: false });
  expect(await shown()).toEqual([true, true, false]);
  await change('category', { entity_id: 2 }, { is_active: true, view_words: '{"2": {"isActive": false}}' });
  expect([await shown(1), await shown(2)]).toEqual([
    [true, true, true],
    [true, true, false],
  ]);
  await change('category', { entity_id: 2 }, { view_words: '{}' });
});

test('with liveview off there is neither text nor HTML nor CSS, whatever it is asked by', async () => {
  const off = { identifier: 'hidden', liveview: false };
  const id = await create('canary', { wish: off });
  await publish(id);
  const empty = [{ liveview: false, content: '', html: '', css: '' }];
  expect(await readPublishedByIds(fork(), { kind: 'block', ids: [id], storeId: 1 })).toMatchObject(empty);
  const named = { kind: 'block', identifiers: ['hidden'], storeId: 1 } as const;
  expect(await readPublishedByIdentifiers(fork(), named)).toMatchObject(empty);
});

test('drafts, blocks asked for as pages, and those of another view are not there', async () => {
  const [draft, block, foreign] = [await create('x'), await create('x'), await create('x', { storeId: 2 })];
  for (const id of [block, foreign]) await publish(id);
  const read = (kind: 'page' | 'block', storeId: number) =>
    readPublishedByIds(fork(), { kind, ids: [draft, block, foreign], storeId });
  expect(await read('page', 1)).toEqual([]);
  expect((await read('block', 1)).map(({ contentId }) => contentId)).toEqual([block]);
});

test('a block that changes, is switched off or goes is rendered anew wherever it is part of', async () => {
  const inner = await create('hello', { wish: { identifier: 'inner' } });
  const outer = await create('<b>[inner]</b>');
  await publish(outer);
  expect(await htmlOf(outer)).toBe('<b></b>');
  await publish(inner);
  expect(await htmlOf(outer)).toBe('<b>hello</b>');

  const change = (wish: object) =>
    changeContent(fork(), { kind: 'block', contentId: inner, wish, author: 'ada', render });
  await change({ content: 'bye' });
  expect(await htmlOf(outer)).toBe('<b>hello</b>');
  await publish(inner);
  expect(await htmlOf(outer)).toBe('<b>bye</b>');
  await change({ isActive: false });
  expect(await htmlOf(outer)).toBe('<b></b>');
  await change({ isActive: true });
  await unpublishContent(fork(), { kind: 'block', contentId: inner, ...by });
  expect(await htmlOf(outer)).toBe('<b></b>');
  await publish(inner);
  await deleteContent(fork(), { kind: 'block', contentId: inner, render });
  expect(await htmlOf(outer)).toBe('<b></b>');
});
