import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRoute } from '../../../api/http/route.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { pageSample } from '../../support/page-sample.ts';

interface Sample {
  countOpenReturnsRoute: AnyRoute;
}

let api: TestApi;
const books = booksOf(() => api.orm);
beforeAll(async () => {
  const name = 'count-open-returns.ts';
  const sample = await pageSample<Sample>('docs/extend/route.md', `db/returns/${name}`, `api/returns/${name}`);
  api = await testApi({ routes: [sample.countOpenReturnsRoute] });
});
afterAll(() => api.close());

test('the sample of docs/extend/route.md counts the open returns of a location', async () => {
  const { locationId } = await aShop(books.fork());
  const [{ returnId: open }, { returnId: over }] = [await aRequestedReturn(api.orm), await aRequestedReturn(api.orm)];
  await books.change('sale_return', { return_id: [open, over] }, { location_id: locationId });
  await books.change('sale_return', { return_id: over }, { status: 'closed' });
  const ask = (id: number, token?: string) =>
    api.call('GET', `/V1/pos/locations/${id}/open-returns`, token === undefined ? {} : { token });

  expect(await ask(locationId, api.tokens.register)).toMatchObject({
    status: 200,
    body: { location_id: locationId, open: 1 },
  });
  expect(await ask(404, api.tokens.register)).toMatchObject({ body: { location_id: 404, open: 0 } });
  expect(await ask(locationId)).toMatchObject({ status: 401 });
});
