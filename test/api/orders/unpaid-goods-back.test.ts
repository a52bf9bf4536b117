import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

/** Two mugs at 54 on credit, of which nothing is paid. One of them comes back. */
let api: TestApi;
let orderId: number;
let itemId: number;
let invoiceId: number;
let locationId: number;
let one: object[];
beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(fork()));
  const entity = aPostedSale({ extension_attributes: { pos_credit_due: 108 } });
  const { body } = await call('POST', '/V1/orders', { entity });
  orderId = body.entity_id;
  itemId = body.items[0].item_id;
  one = [{ order_item_id: itemId, qty: 1 }];
  const [invoice] = await find('sales_invoice', { order_id: orderId }, 'entity_id');
  invoiceId = invoice!.entity_id;
  await call('POST', `/V1/order/${orderId}/ship`, {});
});
afterAll(() => api.close());

const { fork, find, booksHold } = booksOf(() => api.orm);
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const collect = (reference: string, amount: number) =>
  call('POST', `/V1/pos/orders/${orderId}/due-payments`, { reference, amount });
const cameBack = async () => {
  const row = { qty_requested: 1, reason: 'Changed mind', condition: 'Unopened', resolution: 'Refund' };
  const items = JSON.stringify([{ order_item_id: itemId, ...row }]);
  const wish = { orderId, customerId: 0, items, autoApprove: true, locationId };
  return (await call('POST', '/V1/pos/rma', wish)).body;
};

test('a save says what is owed for goods that are kept, and their invoice takes the place of the one of all', async () => {
  const rma = await cameBack();
  for (const money of [`/V1/pos/rma/${rma.id}/settle`, `/V1/order/${orderId}/refund`])
    expect((await call('POST', money, { method: 'cash', items: one })).status).toBe(400);
  const lines = [{ rma_item_id: rma.items[0].entity_id, resolution_mode: 'exchange', refund_method: null }];
  expect(
    (await call('POST', `/V1/pos/rma/${rma.id}/resolve`, { resolutionsJson: JSON.stringify(lines) })).body,
  ).toMatchObject({ status: 'resolved' });

  const saved = { entity: { entity_id: orderId, extension_attributes: { pos_credit_due: 54 } } };
  expect(await call('POST', '/V1/orders', saved)).toMatchObject({ status: 200 });
  expect((await collect('too-much', 54.01)).status).toBe(400);
  expect((await collect('the-other', 54)).body).toMatchObject({ remaining_due: 0, total_due: 54 });
  expect((await collect('once-more', 1)).status).toBe(400);

  const cancelled = { entity: { entity_id: invoiceId, state: 3 } };
  expect((await call('POST', '/V1/invoices', cancelled)).body).toMatchObject({ state: 3 });
  expect((await call('POST', `/V1/order/${orderId}/invoice`, { capture: true, items: one })).status).toBe(200);
  expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({
    total_paid: 54,
    total_invoiced: 54,
    items: [{ qty_invoiced: 1 }],
  });
  await booksHold();
});
