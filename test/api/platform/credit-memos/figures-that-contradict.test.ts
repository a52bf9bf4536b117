import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, booksHold } = booksOf(() => api.orm);

type Sale = Awaited<ReturnType<typeof anOrder>>;

const sale = (wanted: WantedOrder = {}) => anOrder(fork(), wanted);
const refund = ({ orderId }: Sale, memo: object) =>
  api.call('POST', '/V1/creditmemo/refund', {
    token: api.tokens.register,
    body: { creditmemo: { order_id: orderId, items: [], ...memo }, offlineRequested: true },
  });
const orderOf = async ({ orderId }: Sale) =>
  (await api.call('GET', `/V1/orders/${orderId}`, { token: api.tokens.register })).body;

test('money on a line of which no piece comes back leaves the line as it was', async () => {
  const order = await sale();
  const items = [{ order_item_id: order.itemIds[0], qty: 0, row_total: 10, tax_amount: 1 }];
  expect((await refund(order, { grand_total: 10, items })).status).toBe(200);
  expect((await orderOf(order)).items[0]).toMatchObject({ qty_refunded: 0, amount_refunded: 0, tax_refunded: 0 });
});

test.each([
  ['of one currency', {}, { grand_total: 100, base_grand_total: 1 }, 'baseGrandTotal'],
  [
    'nothing in the books',
    { currency: 'CAD', rate: '1.36' },
    { grand_total: 100, base_grand_total: 0 },
    'baseGrandTotal',
  ],
  ['nothing to the customer', { currency: 'CAD', rate: '1.36' }, { grand_total: 0, base_grand_total: 9 }, 'grandTotal'],
])('two totals that contradict each other are refused: %s', async (_what, wanted, memo, fieldName) => {
  const order = await sale({ ...wanted, storeId: 'rate' in wanted ? 2 : 1 });
  expect(await refund(order, memo)).toMatchObject({
    status: 400,
    body: { message: 'Invalid value of "%value" provided for the %fieldName field.', parameters: { fieldName } },
  });
  expect(await orderOf(order)).toMatchObject({ total_refunded: 0, base_total_refunded: 0 });
});

test.each([
  { subtotal: 900_000_000_000 },
  { subtotal_incl_tax: -5 },
  { shipping_incl_tax: 1_000 },
  { discount_amount: -900_000_000_000 },
  { adjustment_positive: 900_000_000_000, adjustment_negative: -900_000_000_000 },
  { adjustment: -900_000_000_000 },
])('a figure that no part of the order is worth is refused: %j', async (memo) => {
  const order = await sale();
  expect((await refund(order, { grand_total: 1, ...memo })).status).toBe(400);
  expect(await orderOf(order)).toMatchObject({ total_refunded: 0, subtotal_refunded: 0 });
});

test('rows of one line that are huge together are refused', async () => {
  const order = await sale();
  const row = { order_item_id: order.itemIds[0], qty: 1, row_total: 900_000_000_000 };
  expect((await refund(order, { grand_total: 1, items: [row, row] })).status).toBe(400);
});

test('an amount that the other currency cannot hold is refused, refunded or saved', async () => {
  const order = await sale({ storeId: 2, currency: 'CAD', rate: '0.0001' });
  const tooLarge = { status: 400, body: { message: 'The amount is too large in %1.', parameters: ['USD'] } };
  expect(await refund(order, { grand_total: 0.01, subtotal: 900_000_000_000 })).toMatchObject(tooLarge);
  const entity = { order_id: order.orderId, grand_total: 900_000_000_000 };
  const saved = await api.call('POST', '/V1/creditmemo', { token: api.tokens.register, body: { entity } });
  expect(saved).toMatchObject(tooLarge);
});

test('after all of it the books hold', async () => {
  await booksHold();
});
