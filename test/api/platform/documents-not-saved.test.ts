import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ expectsFaults: true });
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());
const books = booksOf(() => api.orm);

const cases = [
  { path: 'invoice', document: 'an invoice', items: 'sales_invoice_item', order: { paid: false, shipped: false } },
  { path: 'refund', document: 'a Creditmemo', items: 'sales_creditmemo_item', order: {} },
  { path: 'ship', document: 'a shipment', items: 'sales_shipment_item', order: { shipped: false } },
];

test.each(cases)(
  'what breaks while $document is saved is told in the platform’s words, and is made up for by a repeat',
  async ({ path, document, items, order }) => {
    const { orderId } = await anOrder(api.orm.em.fork(), order);
    const key = randomUUID();
    const make = () =>
      api.call('POST', `/V1/order/${orderId}/${path}`, {
        token: api.tokens.admin,
        body: {},
        headers: { 'Idempotency-Key': key },
      });
    const faultsBefore = api.faults.length;
    const mend = await books.refuseWrites({ to: items, says: 'disk is odd' });
    const broken = await make();
    await mend();

    expect({ status: broken.status, body: broken.body }).toEqual({
      status: 400,
      body: { message: `Could not save ${document}, see error log for details` },
    });
    expect(api.faults.slice(faultsBefore)).toMatchObject([{ message: expect.stringContaining('disk is odd') }]);
    expect(await make()).toMatchObject({ status: 200, body: expect.any(Number) });
  },
);
