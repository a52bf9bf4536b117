import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteContent } from '../../../db/content/delete-content.ts';
import { publishContent, unpublishContent } from '../../../db/content/publish-content.ts';
import { readPublishedByIdentifiers } from '../../../db/content/read-published.ts';
import { changeContent } from '../../../db/content/save-content.ts';
import { invalid } from '../../../domain/errors.ts';
import type { RenderContent } from '../../../domain/content/render-content.ts';
import { publishedContent } from '../../support/builders/published-content.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';

let orm: Awaited<ReturnType<typeof testDatabase>>;
let names = 0;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(orm.em.fork());
});
afterAll(() => orm.close());
const em = () => orm.em.fork();

const render: RenderContent<EntityManager> = async (tx, { html, css, storeId }) => {
  const name = html.replace('page of ', '');
  const [block] = await readPublishedByIdentifiers(tx, { kind: 'block', identifiers: [name], storeId });
  return { html: `page: ${block?.html ?? ''}`, css, uses: html.startsWith('page of') ? [name] : [] };
};

/** A block on so many pages. */
async function anOffer(places: number) {
  const identifier = `offer-${++names}`;
  const contentId = await publishedContent(em(), { identifier, content: 'half price' });
  await em().execute(
    `with i as (insert into content_item (kind, identifier, title, content, liveview, published_number, changed_by)
        select 'page', ? || '-' || n, 'P', 'page of ' || ?, true, 1, 'ada' from generate_series(1, ?::int) n
        returning content_id, content),
      v as (insert into content_version (content_id, number, title, content, css, author)
        select content_id, 1, 'P', content, '', 'ada' from i)
    insert into content_publication (content_id, number, title, content, html, css, uses, published_by)
      select content_id, 1, 'P', content, 'page: half price', 'p{}', array[?], 'ada' from i`,
    [identifier, identifier, places, identifier],
  );
  const shown = async () =>
    (
      await em().execute<{ html: string }[]>('select distinct html from content_publication where uses @> array[?]', [
        identifier,
      ])
    ).map(({ html }) => html);
  return { shown, ref: { kind: 'block', contentId, author: 'ada', render, now: new Date() } as const };
}

test.each([
  ['unpublished', unpublishContent],
  ['deleted', deleteContent],
  ['switched off', (tx: EntityManager, ref: Ref) => changeContent(tx, { ...ref, wish: { liveview: false } })],
  ['inactive', (tx: EntityManager, ref: Ref) => changeContent(tx, { ...ref, wish: { isActive: false } })],
  ['renamed', (tx: EntityManager, ref: Ref) => changeContent(tx, { ...ref, wish: { identifier: `was-${++names}` } })],
])('a block on more pages than can be published at once is gone from all of them once it is %s', async (_, end) => {
  const { ref, shown } = await anOffer(601);
  await expect(publishContent(em(), ref)).rejects.toThrow('This block is part of more than %1 others.');
  expect(await shown()).toEqual(['page: half price']);
  await end(em(), ref);
  expect(await shown()).toEqual(['page: ']);
});
type Ref = Awaited<ReturnType<typeof anOffer>>['ref'];

test('a page that cannot be rendered without the block is emptied; what fails otherwise changes nothing', async () => {
  const { ref, shown } = await anOffer(2);
  const failing = (error: Error) => unpublishContent(em(), { ...ref, render: () => Promise.reject(error) });
  await expect(failing(new Error('the connection broke'))).rejects.toThrow('the connection broke');
  expect(await shown()).toEqual(['page: half price']);
  await failing(invalid('Too deep.'));
  expect(await shown()).toEqual(['']);
  await publishContent(em(), ref);
  expect(await shown()).toEqual(['page: page: ']);
});
