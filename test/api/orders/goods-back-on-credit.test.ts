import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { atOnce } from '../../support/rivals.ts';

/** Two mugs at 54 sold on credit, a part of it paid at once; goods come back before the rest is collected. */
let api: TestApi;
let locationId: number;
beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => api.close());

const { fork, storyOf, booksHold } = booksOf(() => api.orm);
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

async function soldOnCredit(paid: number, over: Record<string, unknown> = {}) {
  const entity = aPostedSale({
    total_paid: paid,
    base_total_paid: paid,
    extension_attributes: { pos_credit_due: 108 - paid },
    ...over,
  });
  const { body } = await call('POST', '/V1/orders', { entity });
  const orderId: number = body.entity_id;
  await call('POST', `/V1/order/${orderId}/ship`, {});
  return { orderId, itemId: body.items[0].item_id as number };
}

const refund = ({ orderId, itemId }: { orderId: number; itemId: number }, qty: number, more: object) =>
  call('POST', `/V1/order/${orderId}/refund`, { items: [{ order_item_id: itemId, qty }], arguments: more });
const collect = (orderId: number, reference: string, amount: number) =>
  call('POST', `/V1/pos/orders/${orderId}/due-payments`, { reference, amount });
const read = async (orderId: number) => {
  const { body } = await call('GET', `/V1/orders/${orderId}`);
  const { state, total_paid: paid, total_due: due, total_refunded: back, extension_attributes: more } = body;
  return { state, paid, due, back, creditDue: more.pos_credit_due };
};

test('nothing is due for goods that all came back: the order is closed and takes no money in any way', async () => {
  const sale = await soldOnCredit(40);
  expect((await refund(sale, 2, { adjustment_negative: 68 })).status).toBe(200);
  expect(await read(sale.orderId)).toEqual({ state: 'closed', paid: 40, due: 68, back: 40, creditDue: 0 });
  expect(await storyOf(sale.orderId)).toContain(
    'Credit due fell from $68.00 to $0.00: the goods of credit memo 000000001 were not paid yet.',
  );

  expect(await collect(sale.orderId, 'late', 68)).toMatchObject({ status: 400 });
  expect(await collect(sale.orderId, 'a-cent', 0.01)).toMatchObject({ status: 400 });
  const { body } = await call(
    'GET',
    `/V1/invoices?searchCriteria[filter_groups][0][filters][0][field]=order_id
    &searchCriteria[filter_groups][0][filters][0][value]=${sale.orderId}`.replaceAll(/\s+/g, ''),
  );
  for (const { entity_id: invoiceId } of body.items)
    expect((await call('POST', `/V1/invoices/${invoiceId}/capture`)).status).toBe(400);
  expect(await read(sale.orderId)).toMatchObject({ paid: 40, back: 40 });
  await booksHold();
});

test('of two, one came back: what the other is worth is due, and once it is paid it can come back for all of it', async () => {
  const sale = await soldOnCredit(40);
  await refund(sale, 1, { adjustment_negative: 14 });
  expect(await read(sale.orderId)).toMatchObject({ state: 'processing', creditDue: 54, back: 40 });
  expect(await collect(sale.orderId, 'too-much', 54.01)).toMatchObject({
    status: 400,
    body: { message: 'The amount %1 exceeds the remaining credit due of %2.', parameters: ['54.01', '54'] },
  });
  expect((await collect(sale.orderId, 'a-part', 20)).body).toMatchObject({ remaining_due: 34 });
  expect((await collect(sale.orderId, 'the-rest', 34)).body).toMatchObject({ remaining_due: 0, paid_total: 94 });
  expect(await collect(sale.orderId, 'once-more', 14)).toMatchObject({ status: 400 });
  expect(await read(sale.orderId)).toMatchObject({ state: 'complete', creditDue: 0, paid: 94 });
  await booksHold();

  expect((await refund(sale, 1, {})).status).toBe(200);
  expect(await read(sale.orderId)).toMatchObject({ state: 'closed', paid: 94, back: 94 });
  await booksHold();
});

test('a fee is a fee: where the money for the goods was there, all of the rest stays due', async () => {
  const sale = await soldOnCredit(60);
  await refund(sale, 1, { adjustment_negative: 5 });
  expect(await read(sale.orderId)).toMatchObject({ creditDue: 48, back: 49 });
  expect((await collect(sale.orderId, 'rest', 48)).body).toMatchObject({ remaining_due: 0, paid_total: 108 });
  await booksHold();
});

test('money without goods leaves what is due', async () => {
  const sale = await soldOnCredit(40);
  await refund(sale, 0, { adjustment_positive: 5, shipping_amount: 0 });
  expect(await read(sale.orderId)).toMatchObject({ creditDue: 68, back: 5 });
  await refund(sale, 2, { adjustment_negative: 73 });
  expect(await read(sale.orderId)).toMatchObject({ state: 'closed', creditDue: 0, back: 40 });
  await booksHold();
});

test('a save cannot ask for goods that came back; it can ask for less', async () => {
  const sale = await soldOnCredit(40);
  await refund(sale, 1, { adjustment_negative: 14 });
  const save = (due: number) =>
    call('POST', '/V1/orders', { entity: { entity_id: sale.orderId, extension_attributes: { pos_credit_due: due } } });
  expect((await save(54.01)).status).toBe(400);
  expect((await save(30)).status).toBe(200);
  expect((await save(54)).status).toBe(200);
  expect(await read(sale.orderId)).toMatchObject({ creditDue: 54 });
});

test('eight tills collect while the goods come back: the customer never pays more than goods that are out', async () => {
  const sale = await soldOnCredit(40);
  await Promise.all([
    atOnce(8, (at) => collect(sale.orderId, `till-${at}`, 10)),
    refund(sale, 1, { adjustment_negative: 14 }),
  ]);
  const { paid, back, creditDue, due } = await read(sale.orderId);
  await collect(sale.orderId, 'all-there-is', Math.min(creditDue, due));
  const after = await read(sale.orderId);
  expect(paid - 40).toBeLessThanOrEqual(80);
  // As much as was paid before the goods came back is a fee of the memo, and stays owed.
  expect(after.paid - back).toBeGreaterThanOrEqual(54);
  expect(after.paid - back).toBeLessThanOrEqual(68);
  await booksHold();
});

test.each([
  // All of it: the 40 go back, and nothing is owed.
  { qty: 2, back: 40, due: 0, state: 'closed' },
  // One of two: no more than the 40 are there, and the other one is still to be paid.
  { qty: 1, back: 40, due: 54, state: 'processing' },
])(
  'by the register, $qty of two mugs give back what is there, and $due stays due',
  async ({ qty, back, due, state }) => {
    const [bySteps, atOnce] = [await soldOnCredit(40), await soldOnCredit(40)];
    const row = { order_item_id: bySteps.itemId, qty_requested: qty, resolution: 'Refund' };
    const wish = { orderId: bySteps.orderId, items: JSON.stringify([row]), autoApprove: true, locationId };
    const { body: rma } = await call('POST', '/V1/pos/rma', { ...wish, refundMethod: 'cash' });
    expect((await call('POST', `/V1/pos/rma/${rma.id}/settle`, { method: 'cash' })).body).toMatchObject({
      status: 'closed',
      base_handback: back,
    });
    const items = JSON.stringify([{ order_item_id: atOnce.itemId, qty }]);
    const collapsed = { orderId: atOnce.orderId, items, resolution: 'refund', isOnline: false };
    expect((await call('POST', '/V1/pos/rma/process', collapsed)).body).toMatchObject({ refund_total: back });
    for (const { orderId } of [bySteps, atOnce])
      expect(await read(orderId)).toMatchObject({ state, back, creditDue: due, paid: 40 });
    await booksHold();
  },
);
