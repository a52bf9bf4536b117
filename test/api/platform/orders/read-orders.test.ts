import { expect, test } from 'vitest';
import { aPostedLine } from '../../../support/builders/posted-sale.ts';
import { booksOf } from '../../../support/books.ts';
import { opensAnOrderDesk, api, call, place, filter } from './an-order-desk.ts';

opensAnOrderDesk();

const { linesOf, change } = booksOf(() => api.orm);
const list = async (criteria: string) => (await call('GET', `/V1/orders?${criteria}`)).body;

test('lines are answered net of discount, and kept gross', async () => {
  const order = await place({
    items: [
      aPostedLine({
        discount_amount: 10,
        base_discount_amount: 10,
        weee_tax_applied_amount: 1,
        base_weee_tax_applied_amount: 1,
        weee_tax_applied_row_amount: 2,
        base_weee_tax_applied_row_amnt: 2,
      }),
      aPostedLine({
        sku: 'PLATE',
        row_total: 5,
        base_row_total: 5,
        tax_amount: 0,
        base_tax_amount: 0,
        discount_amount: 8,
        base_discount_amount: 8,
      }),
    ],
  });
  const net = [
    { row_total: 90, base_row_total: 90, row_total_incl_tax: 100, base_row_total_incl_tax: 99 },
    { row_total: 0, base_row_total: 0, row_total_incl_tax: 0, base_row_total_incl_tax: 0 },
  ];
  expect(order).toMatchObject({ items: net });
  const stored = () => linesOf(order.entity_id, 'row_total', 'row_total_incl_tax');
  const gross = [
    { row_total: '100.0000', row_total_incl_tax: '108.0000' },
    { row_total: '5.0000', row_total_incl_tax: '108.0000' },
  ];
  expect(await stored()).toEqual(gross);
  // Sent back as they were read, they stay what they are.
  expect((await call('POST', '/V1/orders', { entity: order })).body).toMatchObject({ items: net });
  expect(await stored()).toEqual(gross);
});

test('an unknown order is 404, one with a name for an id 400', async () => {
  const missing = { message: "The entity that was requested doesn't exist. Verify the entity and try again." };
  expect(await call('GET', '/V1/orders/999999')).toMatchObject({ status: 404, body: missing });
  expect(await call('GET', '/V1/orders/999999/statuses')).toMatchObject({ status: 404, body: missing });
  expect(await call('POST', '/V1/orders/999999/cancel')).toMatchObject({ status: 404, body: missing });
  const unnamed = { status: 400, body: { message: 'An ID is needed. Set the ID and try again.' } };
  expect(await call('GET', '/V1/orders/0')).toMatchObject(unnamed);
  expect(await call('GET', '/V1/orders/0/statuses')).toMatchObject(unnamed);
  for (const verb of ['cancel', 'hold', 'unhold', 'comments'])
    expect(
      await api.call('POST', `/V1/orders/0/${verb}`, { token: api.tokens.admin, body: { statusHistory: {} } }),
    ).toMatchObject(unnamed);
  expect(await call('GET', '/V1/orders/abc')).toMatchObject({
    status: 400,
    body: { message: 'The "abc" value\'s type is invalid. The "int" type was expected. Verify and try again.' },
  });
});

test('a customer’s own token does not open the shop’s orders', async () => {
  const { entity_id: id } = await place();
  const token = await api.customerToken(7);
  expect((await api.call('GET', `/V1/orders/${id}`, { token })).status).toBe(401);
});

test('orders are found by any column of theirs', async () => {
  const order = await place({
    customer_email: 'Finder@Example.com',
    grand_total: 77.5,
    base_grand_total: 77.5,
    extension_attributes: { pos_sale_id: 'find-me' },
  });
  const ids = async (criteria: string) =>
    (await list(criteria)).items.map((item: { entity_id: number }) => item.entity_id);
  const day = order.created_at.slice(0, 10);
  for (const [field, value, condition] of [
    ['increment_id', order.increment_id, 'eq'],
    ['pos_sale_id', 'find-me', 'eq'],
    ['customer_email', 'finder@example.com', 'eq'],
    ['customer_email', 'finder%', 'like'],
    ['grand_total', '77.5', 'eq'],
    ['base_total_due', '77.50', 'eq'],
    ['entity_id', String(order.entity_id), 'in'],
  ] as const) {
    expect([field, await ids(filter(field, value, condition))]).toEqual([field, [order.entity_id]]);
  }
  for (const [field, value, condition] of [
    ['state', 'new', 'eq'],
    ['created_at', `${day} 00:00:00`, 'gteq'],
    ['is_virtual', '0', 'eq'],
    ['store_name', 'Main%', 'like'],
    ['coupon_code', '', 'null'],
  ] as const) {
    expect([field, await ids(filter(field, value, condition))]).toEqual([
      field,
      expect.arrayContaining([order.entity_id]),
    ]);
  }
});

test('the moment read from an order finds that order, and nothing newer than itself', async () => {
  const order = await place({ customer_lastname: 'Punctual' });
  const { created_at: second } = order;
  await change('sales_order', { customer_lastname: 'Punctual' }, { created_at: `${second}.7+00` });
  const found = async (condition: string) =>
    (await list(`${filter('customer_lastname', 'Punctual')}&${filter('created_at', order.created_at, condition, 1)}`))
      .total_count;
  for (const condition of ['eq', 'in', 'lteq', 'to', 'gteq', 'from', 'like', 'finset'])
    expect([condition, await found(condition)]).toEqual([condition, 1]);
  for (const condition of ['gt', 'lt', 'neq', 'nin'])
    expect([condition, await found(condition)]).toEqual([condition, 0]);
});

test('a list is the orders as they are read, in pages, newest first if asked', async () => {
  const [older, newer] = [await place({ customer_lastname: 'Pager' }), await place({ customer_lastname: 'Pager' })];
  const criteria = `${filter('customer_lastname', 'Pager')}&searchCriteria[sortOrders][0][field]=entity_id&searchCriteria[pageSize]=1`;
  const first = await list(criteria);
  expect(first).toMatchObject({ total_count: 2, items: [newer], search_criteria: { page_size: 1 } });
  expect((await list(`${criteria}&searchCriteria[currentPage]=2`)).items).toEqual([older]);
  expect(await list(`${criteria}&searchCriteria[currentPage]=9`)).toMatchObject({ total_count: 2, items: [] });
});

test('a field that is not a column of an order cannot be searched', async () => {
  for (const field of ['sku', 'method', 'city', 'extension_attributes', 'base_pending_refund']) {
    expect(await call('GET', `/V1/orders?${filter(field, 'x')}`)).toMatchObject({ status: 400 });
  }
  expect(await call('GET', '/V1/orders')).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'searchCriteria' } },
  });
});

test('a line is read as its order shows it, by its id or by a search', async () => {
  const order = await place({ items: [aPostedLine({ discount_amount: 10, base_discount_amount: 10 })] });
  const [line] = order.items;
  expect((await call('GET', `/V1/orders/items/${line.item_id}`)).body).toEqual(line);
  const { items, total_count } = (
    await call('GET', `/V1/orders/items?${filter('order_id', order.entity_id)}&${filter('row_total', '100', 'eq', 1)}`)
  ).body;
  expect({ items, total_count }).toEqual({ items: [line], total_count: 1 });
  expect((await call('GET', '/V1/orders/items/999999')).status).toBe(404);
});

test('a line is not among those of other goods, however its own are spelled', async () => {
  const order = await place({ items: [aPostedLine({ sku: 'Mug-Blue' }), aPostedLine({ sku: 'Mug-Red' })] });
  const others = async (value: string, condition: string) => {
    const criteria = `${filter('order_id', order.entity_id)}&${filter('sku', value, condition, 1)}`;
    const { items } = (await call('GET', `/V1/orders/items?${criteria}`)).body;
    return items.map(({ sku }: { sku: string }) => sku);
  };
  expect(await others('mug-blue', 'neq')).toEqual(['Mug-Red']);
  expect(await others('mug-blue,MUG-red', 'nin')).toEqual([]);
});

test('a line may belong to another one', async () => {
  const { items } = await place({
    items: [
      aPostedLine({ quote_item_id: 5, product_type: 'configurable' }),
      aPostedLine({ quote_item_id: 6, price: 0, row_total: 0, tax_amount: 0, parent_item: { quote_item_id: 5 } }),
    ],
  });
  expect(items[1].parent_item_id).toBe(items[0].item_id);
  expect(items[0]).not.toHaveProperty('parent_item_id');
});
