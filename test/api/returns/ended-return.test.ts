import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { terminalStatuses } from '../../../domain/returns/return-status.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

/** A return that has ended stays as it is, whatever is asked of it (spec 3.2); no workflow is needed to say so. */
let api: TestApi;
let locationId: number;
beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => api.close());

const { fork, change } = booksOf(() => api.orm);

test.each(terminalStatuses)(
  'a return that is %s: every verb answers it unchanged, only a cancel and another status are refused',
  async (status) => {
    const order = await anOrder(fork());
    const { returnId } = await createReturn(api.orm.em, {
      orderId: order.orderId,
      customerId: null,
      locationId,
      items: [anItem(order.itemIds[0]!)],
      comment: null,
      isAutoApproved: false,
      refundMethod: null,
      posSaleId: null,
    });
    await change('sale_return', { return_id: returnId }, { status });
    const call = (method: string, path = '', body?: object) =>
      api.call(method, `/V1/pos/rma/${returnId}${path}`, { token: api.tokens.register, ...(body ? { body } : {}) });
    const before = (await call('GET')).body;
    const [{ entity_id: rma_item_id }] = before.items;

    const answers = [
      await call('POST', '/settle', { method: 'original_payment', reference: 'T-1', adjustmentNegative: 1 }),
      await call('POST', '/close', { comment: 'again' }),
      await call('PUT', '/status', { status, comment: 'again' }),
      await call('POST', '/receive', { itemsJson: JSON.stringify([{ rma_item_id }]), locationId }),
      await call('POST', '/resolve', { resolutionsJson: JSON.stringify([{ rma_item_id, resolution_mode: 'repair' }]) }),
    ];

    expect(answers.map(({ status: code, body }) => ({ code, body }))).toEqual(
      answers.map(() => ({ code: 200, body: before })),
    );
    const told = answers.map(({ headers }) => headers.get(replayHeader));
    expect(told).toEqual(['true', 'true', null, 'true', 'true']);
    expect((await call('POST', '/cancel-refund', {})).status).toBe(400);
    expect((await call('PUT', '/status', { status: 'approved', comment: 'again' })).status).toBe(400);
    expect((await call('GET')).body).toEqual(before);
    expect(before.status).toBe(status);
  },
);
