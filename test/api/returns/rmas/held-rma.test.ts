import { afterAll, beforeAll, expect, test } from 'vitest';
import { setReturnStatus } from '../../../../db/returns/set-return-status.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aReturn } from '../../../support/builders/return.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
let returnId: number;
const { change, fork } = booksOf(() => api.orm);

/** The workflow of the return does what it does everywhere: it sets the status under the lock. */
const ask = async () => (await setReturnStatus(api.orm.em, { returnId, status: 'approved', noteId: null })) as never;

beforeAll(async () => {
  const workflows = {
    ask,
    signal: async () => undefined,
    start: async () => undefined,
    refuseWhileAway: async () => undefined,
    isReachable: async () => true,
  };
  api = await testApi({ workflows });
  const { locationId } = await aShop(fork());
  ({ returnId } = await aReturn(api.orm, { locationId, isAutoApproved: false, refundMethod: null }));
  await change('sale_return', { return_id: returnId }, { is_ready: false });
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
