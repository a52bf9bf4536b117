import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderContentAnew } from '../../../cli/render-content.ts';
import { setConfig } from '../../../cli/set-config.ts';
import { findRenewal } from '../../../db/content/content-renewals.ts';
import { renewContent } from '../../../db/content/renew-content.ts';
import { everything } from '../../../db/content/render-places.ts';
import { renderContent } from '../../../providers/content/render-content.ts';
import { commandContextOf } from '../../cli/support.ts';
import { publishedContent } from '../../support/builders/published-content.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

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
