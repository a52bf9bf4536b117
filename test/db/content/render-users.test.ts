import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createRetentionActivities } from '../../../activities/nights.ts';
import { renderContentAnew, setConfig } from '../../../cli/settings-commands.ts';
import { findRenewal, everything, type RenewalRow } from '../../../db/content/render-places.ts';
import { deleteContent, changeContent, createContent, type NewContent } from '../../../db/content/content.ts';
import { publishContent, unpublishContent } from '../../../db/content/publish-content.ts';
import { purgeVersions } from '../../../db/content/purge-versions.ts';
import {
  readPublishedByIdentifiers,
  readPublishedByIds,
  readPublishedOfCategories,
  readPublishedOfProducts,
  readPublishedOfSkus,
} from '../../../db/content/read-published.ts';
import { renewContent } from '../../../db/content/renew-content.ts';
import { cancelSchedule, createSchedule } from '../../../db/content/save-schedule.ts';
import { joined } from '../../../db/support/transact.ts';
import { versionsStoredOf, type RenderContent } from '../../../domain/content.ts';
import { invalid } from '../../../domain/errors.ts';
import { renderContent } from '../../../providers/content/render-content.ts';
import { commandContextOf } from '../../cli/support.ts';
import { booksOf } from '../../support/books.ts';
import { shownWith } from '../../support/books/content.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { publishedContent } from '../../support/builders/published-content.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce, twiceAtOnce } from '../../support/rivals.ts';

describe('purge versions', () => {
  let orm: Awaited<ReturnType<typeof testDatabase>>;
  let names = 0;
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(() => orm.close());
  const { fork, configure, versionsOf } = booksOf(() => orm);
  const by = { author: 'ada', now: new Date(), render: renderContent };

  /** A block that was saved so often. */
  async function aBlock(saves: number) {
    const wish = { identifier: `b-${++names}`, title: 'T', content: '1' };
    const contentId = await createContent(fork(), { kind: 'block', storeId: 0, author: 'ada', wish });
    const ref = { kind: 'block', contentId, ...by } as const;
    for (let n = 2; n <= saves; n++) await changeContent(fork(), { ...ref, wish: { content: `${n}` } });
    const versions = async () => (await versionsOf(contentId, 'number')).map(({ number }) => number);
    return { contentId, ref, versions };
  }

  test('the newest stay, and whatever was ever published; a repeat finds nothing', async () => {
    const { ref, versions } = await aBlock(8);
    await publishContent(fork(), { ...ref, number: 2 });
    await publishContent(fork(), { ...ref, number: 4 });
    await unpublishContent(fork(), ref);
    expect(await purgeVersions(fork(), { kept: 3, limit: 100 })).toBe(3);
    expect(await versions()).toEqual([2, 4, 6, 7, 8]);
    expect(await purgeVersions(fork(), { kept: 3, limit: 100 })).toBe(0);
    // It counts on, and what is there can be shown.
    await changeContent(fork(), { ...ref, wish: { content: '9' } });
    await publishContent(fork(), { ...ref, number: 2 });
    expect(await versions()).toEqual([2, 4, 6, 7, 8, 9]);
  });

  test('a version that a schedule waits to publish stays until the schedule is over', async () => {
    const { contentId, versions } = await aBlock(4);
    const plan = { action: 'publish', number: 1, dueAt: new Date('2040-01-01') } as const;
    const schedule = await createSchedule(fork(), { contentId, author: 'ada', wish: plan });
    await purgeVersions(fork(), { kept: 1, limit: 100 });
    expect(await versions()).toEqual([1, 4]);
    await cancelSchedule(fork(), schedule);
    await purgeVersions(fork(), { kept: 1, limit: 100 });
    expect(await versions()).toEqual([4]);
  });

  test('two nights at once remove each version once, batch by batch', async () => {
    await purgeVersions(fork(), { kept: 1, limit: 1_000 });
    const { versions } = await aBlock(12);
    const night = async () => {
      let removed = 0;
      for (let now = 1; now > 0; removed += now) now = await purgeVersions(fork(), { kept: 2, limit: 3 });
      return removed;
    };
    const nights = await twiceAtOnce(() => night());
    await night();
    expect(nights.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10);
    expect(await versions()).toEqual([11, 12]);
  });

  test('a publication that is under way keeps its version', async () => {
    const { ref, versions } = await aBlock(2);
    let isRendering = () => {};
    const begun = new Promise<void>((resolve) => (isRendering = resolve));
    let goOn = () => {};
    const purged = new Promise<void>((resolve) => (goOn = resolve));
    const render: typeof renderContent = async (tx, given) => {
      isRendering();
      await purged;
      return renderContent(tx, given);
    };
    const publishing = publishContent(fork(), { ...ref, number: 1, render });
    await begun;
    await purgeVersions(fork(), { kept: 1, limit: 1_000 });
    goOn();
    await publishing;
    expect(await versions()).toEqual([1, 2]);
  });

  test('a plan that is being made keeps its version, and one that comes too late is told', async () => {
    const { contentId, versions } = await aBlock(3);
    const wish = (number: number) => ({ action: 'publish', number, dueAt: new Date('2040-01-01') }) as const;
    const plan = (tx: EntityManager, number: number) =>
      createSchedule(tx, { contentId, author: 'ada', wish: wish(number) });
    await fork().transactional(async (tx) => {
      await plan(joined(tx), 1);
      await purgeVersions(fork(), { kept: 1, limit: 1_000 });
    });
    expect(await versions()).toEqual([1, 3]);
    await expect(plan(fork(), 2)).rejects.toThrow('The version %1 does not exist.');
  });

  test('the night goes by the setting of the shop', async () => {
    const { versions } = await aBlock(5);
    const night = createRetentionActivities({ orm });
    await night.purgeLeftovers({ limit: 1_000 });
    expect(await versions()).toHaveLength(5);
    await configure('vendor_cms/versions/kept', '2');
    expect(await night.purgeLeftovers({ limit: 1_000 })).toMatchObject({
      removed: { content_version: 3 },
      isDone: true,
    });
    expect(await versions()).toEqual([4, 5]);
  });

  test.each([
    [undefined, 100],
    ['7', 7],
    [' 7 ', 7],
    ['0', 1],
    ['-1', 100],
    ['many', 100],
    ['99999', 10_000],
  ])('a setting of %s keeps %i', (setting, kept) => {
    expect(versionsStoredOf(setting)).toBe(kept);
  });
});

describe('read published', () => {
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
    expect(await readPublishedOfCategories(fork(), { categoryIds: [2], storeId: 2 })).toMatchObject([
      { html: 'shelf' },
    ]);
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
});

describe('render everything', () => {
  let orm: Awaited<ReturnType<typeof testDatabase>>;
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(() => orm.close());
  const { fork, find, findOne, insert, configure } = booksOf(() => orm);
  const shop = () => commandContextOf(orm);
  const path = 'general/store_information/name';

  const renewal = () => findRenewal(fork(), everything);
  async function work() {
    const { renewalId } = (await renewal())!;
    const given = { renewalId, render: renderContent, limit: 20, longestMs: 300, now: new Date() };
    for (let isDone = false; !isDone;) ({ isDone } = await renewContent(fork(), given));
  }
  const shown = async (contentId: number) => {
    const [published] = await find('content_publication', { content_id: contentId }, 'html');
    return [
      { store_id: null, ...published },
      ...(await find('content_view_text', { content_id: contentId }, 'store_id', 'html')),
    ];
  };

  test('content shows a setting as it is now, and a view that was added, once a worker was there', async () => {
    const content = 'At {{config path="general/store_information/name"}}';
    expect(await renderContentAnew(shop())).toMatchObject({ json: { places: 0 } });
    expect(await renewal()).toBeUndefined();
    const page = await publishedContent(fork(), { kind: 'page', identifier: 'about', content });
    await publishedContent(fork(), { kind: 'page', identifier: 'plain', content: 'Nothing to fill in' });

    await setConfig(shop(), path, 'Beans', {});
    await work();
    expect(await shown(page)).toEqual([{ store_id: null, html: 'At Beans' }]);
    expect(await renewal()).toMatchObject({ places: 1, rendered: 1, failed: 0 });

    const before = await renewal();
    await setConfig(shop(), path, 'Beans', {});
    await setConfig(shop(), 'vendor_pos/general/enabled', '1', {});
    expect(await renewal()).toEqual(before);

    await configure(path, 'Bohnen', 'stores', 7);
    const first = await findOne('store_view', { store_id: 1 }, 'website_id', 'name', 'currency_code');
    await insert('store_view', { ...first, store_id: 7, code: 'seven' });
    expect((await renderContentAnew(shop())).text).toBe('A worker begins within two minutes to render 1 text again.');
    await work();
    expect(await shown(page)).toEqual([
      { store_id: null, html: 'At Beans' },
      { store_id: 7, html: 'At Bohnen' },
    ]);

    await setConfig(shop(), path, null, {});
    await work();
    expect((await shown(page))[0]).toEqual({ store_id: null, html: 'At ' });
  });
});

describe('render users', () => {
  let orm: Awaited<ReturnType<typeof testDatabase>>;
  let names = 0;
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(() => orm.close());
  const books = booksOf(() => orm);
  const { fork, find, change, remove } = books;
  const pagesOf = (identifier: string) => find('content_item', { content: `page of ${identifier}` }, 'content_id');

  /** `page of NAME` has that block within. */
  const render: RenderContent<EntityManager> = async (tx, { html, css, storeId }) => {
    if (!html.startsWith('page of ')) return { html, css, uses: [], inViews: [] };
    const name = html.slice('page of '.length);
    const [block] = await readPublishedByIdentifiers(tx, { kind: 'block', identifiers: [name], storeId });
    return { html: `page: ${block?.html ?? ''}`, css, uses: [name], inViews: [] };
  };

  const publish = async (ref: Ref, content: string) => {
    await changeContent(fork(), { ...ref, wish: { content } });
    await publishContent(fork(), ref);
  };
  const step = (renewal: RenewalRow | undefined, how = render, longestMs = 60_000) =>
    renewContent(fork(), { renewalId: renewal?.renewalId ?? 0, render: how, limit: 20, longestMs, now: new Date() });
  const renderAll = async (renewal: RenewalRow | undefined, how = render) => {
    for (let isDone = false; !isDone;) ({ isDone } = await step(renewal, how));
  };

  /** A block on so many pages. */
  async function anOffer(places: number) {
    const identifier = `offer-${++names}`;
    const contentId = await publishedContent(fork(), { identifier, content: 'half price' });
    const page = { title: 'P', content: `page of ${identifier}` };
    await books.insertAll(
      'content_item',
      manyRecords(places, (n) => ({
        ...{ ...page, kind: 'page', identifier: `${identifier}-${n}`, liveview: true, published_number: 1 },
        changed_by: 'ada',
      })),
    );
    const pages = await pagesOf(identifier);
    const first = pages.map((item) => ({ ...item, ...page, number: 1 }));
    await books.insertAll(
      'content_version',
      first.map((version) => ({ ...version, css: '', author: 'ada' })),
    );
    const shows = { html: 'page: half price', css: 'p{}', uses: [identifier], published_by: 'ada' };
    await books.insertAll(
      'content_publication',
      first.map((version) => ({ ...version, ...shows })),
    );
    const shown = () => shownWith(books, identifier);
    const renewal = () => findRenewal(fork(), identifier);
    return {
      shown,
      renewal,
      ref: { kind: 'block', contentId, identifier, author: 'ada', render, now: new Date() } as const,
    };
  }

  const goneBy = test.each([
    ['unpublished', unpublishContent],
    ['deleted', deleteContent],
    ['switched off', (tx: EntityManager, ref: Ref) => changeContent(tx, { ...ref, wish: { liveview: false } })],
    ['inactive', (tx: EntityManager, ref: Ref) => changeContent(tx, { ...ref, wish: { isActive: false } })],
    ['renamed', (tx: EntityManager, ref: Ref) => changeContent(tx, { ...ref, wish: { identifier: `was-${++names}` } })],
  ]);

  goneBy(
    'a block on 20 pages, counted in each of two views, is gone from all of them at once when it is %s',
    async (_, end) => {
      const { ref, shown } = await anOffer(10);
      await end(fork(), ref);
      expect(await shown()).toEqual(['page: ']);
    },
  );

  goneBy(
    'a block on more pages is gone from all of them once a worker rendered them, when it is %s',
    async (_, end) => {
      const { ref, shown, renewal } = await anOffer(45);
      await end(fork(), ref);
      expect(await shown()).toEqual(['page: half price']);
      expect(await renewal()).toMatchObject({ places: 45, rendered: 0, finishedAt: null });
      await renderAll(await renewal());
      expect(await shown()).toEqual(['page: ']);
      expect(await renewal()).toMatchObject({ places: 45, rendered: 45, failures: [], finishedAt: expect.any(Date) });
    },
  );

  test('a block on many pages is published in all of them, each the old or the new, however many render at once', async () => {
    const { ref, shown, renewal } = await anOffer(45);
    await publish(ref, 'a third off');
    const begun = await renewal();
    expect(await shown()).toEqual(['page: half price']);
    await step(begun);
    expect((await shown()).toSorted()).toEqual(['page: a third off', 'page: half price']);
    expect(await renewal()).toMatchObject({ places: 45, rendered: 20, finishedAt: null });
    // It changes again half-way: all of them are rendered once more, those that waited first.
    await publish(ref, 'free');
    expect(await renewal()).toMatchObject({ renewalId: begun?.renewalId, rendered: 0 });
    expect((await renewal())?.renderedUpTo).toBe((await renewal())?.until);
    await eightAtOnce(() => renderAll(begun));
    expect(await shown()).toEqual(['page: free']);
    expect(await renewal()).toMatchObject({ places: 45, rendered: 45 });
    const before = await renewal();
    await step(begun);
    expect(await renewal()).toEqual(before);
  });

  test('what cannot be rendered with the new block keeps its old text and is named; of one taken back it is emptied', async () => {
    const { ref, shown, renewal } = await anOffer(21);
    const refuse = () => Promise.reject(invalid('Too %1.', ['deep']));
    await publish(ref, 'free');
    await renderAll(await renewal(), refuse);
    expect(await shown()).toEqual(['page: half price']);
    const { failures, ...counts } = (await renewal()) ?? {};
    expect(counts).toMatchObject({ places: 21, rendered: 0, failed: 21, finishedAt: expect.any(Date) });
    expect([failures?.length, failures?.[0]]).toEqual([20, { contentId: expect.any(Number), refusal: 'Too deep.' }]);
    await unpublishContent(fork(), ref);
    await renderAll(await renewal(), refuse);
    expect(await shown()).toEqual(['']);
  });

  test('a fault is not a refusal: the step is undone and tried again', async () => {
    const { ref, shown, renewal } = await anOffer(21);
    await publish(ref, 'free');
    const begun = await renewal();
    await expect(step(begun, () => Promise.reject(new Error('the connection broke')))).rejects.toThrow('connection');
    expect(await renewal()).toEqual(begun);
    await renderAll(begun);
    expect(await shown()).toEqual(['page: free']);
  });

  test('pages that come last get their turn, however often the block changes meanwhile; then all show the newest', async () => {
    const { ref, shown, renewal } = await anOffer(30);
    const oneByOne = async () => step(await renewal(), render, 0);
    for (let n = 1; n <= 30; n++) {
      await publish(ref, `offer ${n}`);
      await oneByOne();
    }
    expect(await shown()).not.toContain('page: half price');
    await publish(ref, 'the last');
    for (let n = 0; n < 7; n++) await oneByOne();
    await publish(ref, 'the very last');
    await renderAll(await renewal());
    expect(await shown()).toEqual(['page: the very last']);
    expect(await renewal()).toMatchObject({ places: 30, rendered: 30, failed: 0 });
  });

  test('others may publish after each place that took long; it is done when no place is left', async () => {
    const { ref, shown, renewal } = await anOffer(11);
    await publish(ref, 'free');
    expect(await renewal()).toMatchObject({ places: 11, rendered: 0 });
    for (let n = 1; n < 11; n++)
      expect(await step(await renewal(), render, 0)).toMatchObject({ rendered: n, isDone: false });
    expect(await step(await renewal(), render, 0)).toMatchObject({ rendered: 11, isDone: true });
    expect(await shown()).toEqual(['page: free']);
  });

  test('pages of one view count once: 20 of them are rendered at once', async () => {
    const { ref, shown, renewal } = await anOffer(20);
    await change('content_item', { content: `page of ${ref.identifier}` }, { store_id: 1 });
    await publish(ref, 'free');
    expect([await shown(), await renewal()]).toEqual([['page: free'], undefined]);
  });

  test('places that became few are rendered at once, without waiting for a worker', async () => {
    const { ref, shown, renewal } = await anOffer(11);
    await publish(ref, 'free');
    const begun = await renewal();
    await remove('content_item', (await pagesOf(ref.identifier)).at(-1));
    await publish(ref, 'gone soon');
    expect([await shown(), await renewal()]).toEqual([['page: gone soon'], undefined]);
    await expect(step(begun)).rejects.toThrow('The renewal %1 does not exist.');
  });

  type Ref = Awaited<ReturnType<typeof anOffer>>['ref'];

  test('a page that cannot be rendered without the block is emptied; what fails otherwise changes nothing', async () => {
    const { ref, shown } = await anOffer(2);
    const failing = (error: Error) => unpublishContent(fork(), { ...ref, render: () => Promise.reject(error) });
    await expect(failing(new Error('the connection broke'))).rejects.toThrow('the connection broke');
    expect(await shown()).toEqual(['page: half price']);
    await failing(invalid('Too deep.'));
    expect(await shown()).toEqual(['']);
    await publishContent(fork(), ref);
    expect(await shown()).toEqual(['page: half price']);
  });
});
