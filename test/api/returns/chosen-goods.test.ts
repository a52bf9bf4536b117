import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { aPostedLine, aPostedSale } from '../../support/builders/posted-sale.ts';
import { booksOf } from '../../support/books.ts';
import { flow, opensACounter, register } from './settled-returns.ts';

/** A shirt that was chosen by colour: the register posts the shirt with its price, and the chosen one as its part. */
opensACounter();
const { shelf, promised, booksHold } = booksOf(() => flow.api.orm);
const admin = (method: string, path: string, body?: object) =>
  flow.api.call(method, path, { token: flow.api.tokens.admin, ...(body ? { body } : {}) });

beforeAll(async () => {
  for (const [sku, typeId] of [
    ['SHIRT', 'configurable'],
    ['RED', 'simple'],
  ])
    await admin('POST', '/V1/products', { product: { sku, name: sku, price: 50, type_id: typeId } });
  const sourceItems = [{ sku: 'RED', source_code: 'floor', quantity: 100, status: 1 }];
  await admin('POST', '/V1/inventory/source-items', { sourceItems });
});

/** Four shirts at 50 and 8 % tax, posted by the register. */
async function soldShirts({ sku, method, customerId }: { sku: string; method: string; customerId?: number }) {
  const money = { price: 50, row_total: 200, tax_amount: 16, row_total_incl_tax: 216 };
  const free = { price: 0, row_total: 0, tax_amount: 0, row_total_incl_tax: 0, price_incl_tax: 0, original_price: 0 };
  const inBoth = (figures: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(figures).flatMap(([name, value]) => [
        [name, value],
        [`base_${name}`, value],
      ]),
    );
  const sold = aPostedLine({ ...inBoth(money), sku, product_type: 'configurable', quote_item_id: 5, qty_ordered: 4 });
  const part = aPostedLine({ ...inBoth(free), sku: 'RED', qty_ordered: 4, parent_item: { quote_item_id: 5 } });
  const totals = { subtotal: 200, tax_amount: 16, subtotal_incl_tax: 216, grand_total: 216 };
  const payment = { method, last_trans_id: `pay_${randomUUID()}`, ...inBoth({ amount_ordered: 216 }) };
  const entity = aPostedSale({
    ...inBoth(totals),
    customer_id: customerId ?? null,
    customer_is_guest: customerId === undefined ? 1 : 0,
    items: [sold, part],
    payment,
  });
  const { status, body } = await register.call('PUT', '/V1/orders/create', { entity });
  expect({ status, body }).toMatchObject({ status: 200 });
  const [line, under] = body.items;
  expect(under).toMatchObject({ parent_item_id: line.item_id, sku: 'RED' });
  return { orderId: Number(body.entity_id), itemId: Number(line.item_id), partId: Number(under.item_id), line };
}
const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;

test.each(['RED', 'SHIRT'])(
  'a shirt sold as %s is invoiced and handed over in parts, and the chosen ones leave',
  async (sku) => {
    const before = await shelf('RED');
    const { orderId, itemId, line } = await soldShirts({ sku, method: 'checkmo' });
    expect(line).toMatchObject({ sku: 'RED', product_type: 'configurable', price: 50 });
    expect(await promised(orderId)).toBe(-4);

    const one = { items: [{ order_item_id: itemId, qty: 1 }] };
    expect(await admin('POST', `/V1/order/${orderId}/invoice`, one)).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ total_paid: 54, total_due: 162 });
    expect(await admin('POST', `/V1/order/${orderId}/ship`, one)).toMatchObject({ status: 200 });
    expect([await shelf('RED'), await promised(orderId)]).toEqual([before - 1, -3]);
    expect(await admin('POST', `/V1/order/${orderId}/invoice`, {})).toMatchObject({ status: 200 });
    expect(await admin('POST', `/V1/order/${orderId}/ship`, {})).toMatchObject({ status: 200 });
    expect([await shelf('RED'), await promised(orderId)]).toEqual([before - 4, 0]);
    expect(await orderOf(orderId)).toMatchObject({ state: 'complete', total_paid: 216 });
    await booksHold();
  },
);

async function handedOver(given: { sku: string; method: string; customerId?: number }) {
  const sale = await soldShirts(given);
  await admin('POST', `/V1/order/${sale.orderId}/invoice`, { capture: true });
  await admin('POST', `/V1/order/${sale.orderId}/ship`, {});
  return sale;
}

test.each(['RED', 'SHIRT'])(
  'a shirt sold as %s comes back by card, by hand and in one call, to its shelf',
  async (sku) => {
    const before = (await shelf('RED')) - 4;
    const sale = await handedOver({ sku, method: 'provider_a' });
    const good = { inspected_condition: 'pristine' };

    const byCard = await register.returnOne(sale, { refundMethod: 'original_payment' }, good);
    expect(byCard).toMatchObject({ status: 200, body: { status: 'closed', base_refund_total: 54 } });

    const byHand = await register.returnOne(sale, { refundMethod: 'cash' }, good);
    expect(await register.settle(byHand.body.id, { method: 'cash' })).toMatchObject({
      body: { status: 'closed', base_refund_total: 54 },
    });
    expect(await shelf('RED')).toBe(before + 2);
    expect(await orderOf(sale.orderId)).toMatchObject({ total_refunded: 108, state: 'complete' });

    const rest = [{ order_item_id: sale.itemId, qty: 2 }];
    const atOnce = await register.call('POST', '/V1/pos/rma/process', {
      ...{ orderId: sale.orderId, items: JSON.stringify(rest), resolution: 'refund', isOnline: false },
    });
    expect(atOnce).toMatchObject({ status: 200 });
    expect(await orderOf(sale.orderId)).toMatchObject({ total_refunded: 216, state: 'closed' });
    await booksHold();
  },
);

test('a damaged shirt is paid back as credit, and the chosen one lies with the damaged goods', async () => {
  const customerId = await aCustomerWithCredit(flow.api.orm, '1.00');
  const sale = await handedOver({ sku: 'SHIRT', method: 'checkmo', customerId });
  const before = { floor: await shelf('RED'), damaged: await shelf('RED', 'damaged') };

  const back = await register.returnOne(sale, { refundMethod: 'store_credit' }, { inspected_condition: 'damaged' });
  const settle = () => register.settle(back.body.id, { method: 'store_credit' });
  expect(await settle()).toMatchObject({ body: { status: 'closed', base_refund_total: 54 } });
  expect(await settle()).toMatchObject({ body: { status: 'closed', base_refund_total: 54 } });

  expect(await shelf('RED')).toBe(before.floor);
  expect(await shelf('RED', 'damaged')).toBe((before.damaged ?? 0) + 1);
  expect(await orderOf(sale.orderId)).toMatchObject({ total_refunded: 54, state: 'complete' });
  await booksHold();
});

const documents = {
  invoice: (orderId: number, items: object[]) => admin('POST', `/V1/order/${orderId}/invoice`, { items }),
  shipment: (orderId: number, items: object[]) => admin('POST', `/V1/order/${orderId}/ship`, { items }),
};

describe.each(['invoice', 'shipment'] as const)('a shirt named beside its part, in an %s', (kind) => {
  test('counts once', async () => {
    const { orderId, itemId, partId } = await soldShirts({ sku: 'RED', method: 'checkmo' });
    const rows = [itemId, partId].map((order_item_id) => ({ order_item_id, qty: 1 }));
    expect(await documents[kind](orderId, rows)).toMatchObject({ status: 200 });
    const [line] = (await orderOf(orderId)).items;
    expect(line).toMatchObject(kind === 'invoice' ? { qty_invoiced: 1 } : { qty_shipped: 1 });
    await booksHold();
  });

  test('is nothing by its part alone', async () => {
    const { orderId, partId } = await soldShirts({ sku: 'RED', method: 'checkmo' });
    expect(await documents[kind](orderId, [{ order_item_id: partId, qty: 1 }])).toMatchObject({ status: 400 });
    expect((await orderOf(orderId)).items[0]).toMatchObject({ qty_invoiced: 0, qty_shipped: 0 });
  });
});

test.each([
  ['beside its shirt', true],
  ['alone', false],
])('a part %s is refused in a refund, a preview and a return, and nothing is written', async (_how, isBeside) => {
  const { orderId, itemId, partId } = await handedOver({ sku: 'RED', method: 'checkmo' });
  const ids = isBeside ? [itemId, partId] : [partId];
  const rows = (field: string) => ids.map((order_item_id) => ({ order_item_id, [field]: 1 }));
  const before = await orderOf(orderId);
  const { locationId } = flow.shop;
  const refused = [
    await admin('POST', `/V1/order/${orderId}/refund`, { items: rows('qty') }),
    await register.call('POST', '/V1/pos/refunds/preview', { orderId, items: JSON.stringify(rows('qty')) }),
    await register.call('POST', '/V1/pos/rma', { orderId, items: JSON.stringify(rows('qty_requested')), locationId }),
    await register.call('POST', '/V1/pos/rma/process', {
      ...{ orderId, items: JSON.stringify(rows('qty')), resolution: 'refund', isOnline: false },
    }),
  ];
  expect(refused.map(({ status, body }) => [status, body.message])).toMatchInlineSnapshot(`
    [
      [
        400,
        "Creditmemo Document Validation Error(s):
    The creditmemo contains incorrect product items.",
      ],
      [
        400,
        "Creditmemo Document Validation Error(s):
    The creditmemo contains incorrect product items.",
      ],
      [
        400,
        "An item cannot be returned: more was requested than is left to return.",
      ],
      [
        400,
        "An item cannot be returned: more was requested than is left to return.",
      ],
    ]
  `);
  expect(await orderOf(orderId)).toEqual(before);
  expect((await register.call('GET', `/V1/pos/rma/order/${orderId}`)).body).toEqual([]);
  await booksHold();
});

test('an order that is sent back with the shirt’s own SKU still promises the chosen ones', async () => {
  const { orderId, itemId } = await soldShirts({ sku: 'SHIRT', method: 'checkmo' });
  const entity = { entity_id: orderId, items: [{ item_id: itemId, sku: 'SHIRT', qty_ordered: 3 }] };
  const { status, body } = await register.call('POST', '/V1/orders', { entity });
  expect({ status, sku: body.items[0].sku }).toEqual({ status: 200, sku: 'RED' });
  expect(await promised(orderId)).toBe(-3);
  await booksHold();
});

test('the part of a shirt is no line that a customer brings back', async () => {
  const sale = await handedOver({ sku: 'RED', method: 'checkmo' });
  const { body } = await register.call('GET', `/V1/pos/rma/eligibility/${sale.orderId}`);
  expect(body.lines).toMatchObject([{ order_item_id: sale.itemId, qty_returnable: 4 }]);
  const refused = await register.returnOne({ orderId: sale.orderId, itemId: sale.partId }, { refundMethod: 'cash' });
  expect(refused).toMatchObject({ status: 400 });
});
