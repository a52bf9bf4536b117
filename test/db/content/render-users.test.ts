import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteContent } from '../../../db/content/delete-content.ts';
import { findRenewal, type RenewalRow } from '../../../db/content/content-renewals.ts';
import { publishContent, unpublishContent } from '../../../db/content/publish-content.ts';
import { readPublishedByIdentifiers } from '../../../db/content/read-published.ts';
import { renewContent } from '../../../db/content/renew-content.ts';
import { changeContent } from '../../../db/content/save-content.ts';
import { invalid } from '../../../domain/errors.ts';
import type { RenderContent } from '../../../domain/content/render-content.ts';
import { booksOf } from '../../support/books.ts';
import { shownWith } from '../../support/books/content.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { publishedContent } from '../../support/builders/published-content.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

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

goneBy('a block on more pages is gone from all of them once a worker rendered them, when it is %s', async (_, end) => {
  const { ref, shown, renewal } = await anOffer(45);
  await end(fork(), ref);
  expect(await shown()).toEqual(['page: half price']);
  expect(await renewal()).toMatchObject({ places: 45, rendered: 0, finishedAt: null });
  await renderAll(await renewal());
  expect(await shown()).toEqual(['page: ']);
  expect(await renewal()).toMatchObject({ places: 45, rendered: 45, failures: [], finishedAt: expect.any(Date) });
});

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
