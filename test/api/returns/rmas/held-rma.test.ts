import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aReturn } from '../../../support/builders/return.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
let returnId: number;
const { change, fork } = booksOf(() => api.orm);

beforeAll(async () => {
  api = await testApi();
  const { locationId } = await aShop(fork());
  ({ returnId } = await aReturn(api.orm, {
    locationId,
    refundMethod: 'cash',
    item: { inspectedCondition: 'damaged' },
  }));
  // Its goods have no place: its creation cannot be finished.
  await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: null });
});
afterAll(() => api.close());

test('a return whose creation is held is neither moved on nor deleted', async () => {
  const token = await api.tokenFor('Platform_Rma::magento_rma');
  const path = `/V1/returns/${returnId}`;
  const body = { rmaDataObject: { status: 'approved' } };
  await expectRefused({ send: () => api.call('PUT', path, { token, body }), status: 409, said: 'return_not_ready' });
  expect((await api.call('DELETE', path, { token })).status).toBe(400);
  expect((await api.call('GET', path, { token })).body).toMatchObject({ status: 'pending' });
});
