import { beforeAll, expect, test } from '@jest/globals';
import { anOrder } from '../../../support/builders/order.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { aShop } from '../../../support/builders/shop.ts';

const api = useApi();
beforeAll(() => aShop(api.orm.em.fork()));

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
const placed = (wanted = {}) => anOrder(api.orm.em, { paid: false, shipped: false, ...wanted });
const missing = { message: "The entity that was requested doesn't exist. Verify the entity and try again." };

test('an invoice shows what it demands, of which goods, in which currencies', async () => {
  const { orderId, itemIds } = await placed({
    lines: [{ sku: 'MUG', qty: 2, price: '50', tax: '8', discount: '5' }],
    shipping: '5',
    lastTransId: 'T-1',
  });
  const { status, body: invoiceId } = await call('POST', `/V1/order/${orderId}/invoice`, {
    capture: false,
    items: [{ order_item_id: itemIds[0], qty: 2 }],
    notify: true,
    appendComment: true,
    comment: { comment: 'thanks', is_visible_on_front: 1 },
    arguments: {},
  });
  expect({ status, invoiceId }).toEqual({ status: 200, invoiceId: expect.any(Number) });

  const { body: invoice } = await call('GET', `/V1/invoices/${invoiceId}`);
  expect(invoice).toMatchObject({
    entity_id: invoiceId,
    order_id: orderId,
    store_id: 1,
    state: 2,
    total_qty: 2,
    subtotal: 100,
    discount_amount: -5,
    shipping_amount: 5,
    tax_amount: 8,
    grand_total: 108,
    base_grand_total: 108,
    base_total_refunded: 0,
    transaction_id: 'T-1',
    is_used_for_refund: 0,
    can_void_flag: 0,
    base_currency_code: 'USD',
    order_currency_code: 'USD',
    base_to_order_rate: 1,
    billing_address_id: expect.any(Number),
    items: [
      {
        order_item_id: itemIds[0],
        parent_id: invoiceId,
        sku: 'MUG',
        name: 'Mug',
        qty: 2,
        price: 50,
        row_total: 100,
        tax_amount: 8,
        discount_amount: 5,
      },
    ],
    comments: [{ comment: 'thanks', is_customer_notified: 1, is_visible_on_front: 1, parent_id: invoiceId }],
  });
  expect((await call('GET', `/V1/invoices/${invoiceId}/comments`)).body).toEqual({
    items: invoice.comments,
    search_criteria: {
      filter_groups: [{ filters: [{ field: 'parent_id', value: String(invoiceId), condition_type: 'eq' }] }],
    },
    total_count: 1,
  });
  expect((await call('GET', '/V1/invoices/999999/comments')).body).toMatchObject({ items: [], total_count: 0 });
  expect(invoice.increment_id).toMatch(/^\d{9}$/);
  expect(invoice.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

test('invoices are found by their order, their state and their number', async () => {
  const { orderId } = await anOrder(api.orm.em, { layaway: true, lastTransId: 'pi_Lamp7' });
  const filter = (at: number, field: string, value: string | number) =>
    `searchCriteria[filter_groups][${at}][filters][0][field]=${field}&searchCriteria[filter_groups][${at}][filters][0][value]=${value}`;
  const { body } = await call('GET', `/V1/invoices?${filter(0, 'order_id', orderId)}&${filter(1, 'state', 1)}`);
  expect(body).toMatchObject({ total_count: 1, items: [{ order_id: orderId, state: 1, items: [{ sku: 'MUG' }] }] });
  const found = await call('GET', `/V1/invoices?${filter(0, 'increment_id', body.items[0].increment_id)}`);
  expect(found.body.items).toEqual(body.items);
  expect(
    (await call('GET', `/V1/invoices?${filter(0, 'order_id', orderId)}&${filter(1, 'state', 2)}`)).body.items,
  ).toEqual([]);
  for (const [field, value] of [
    ['order_currency_code', 'usd'],
    ['base_to_order_rate', '1'],
    ['transaction_id', 'PI_lamp7'],
    ['billing_address_id', body.items[0].billing_address_id],
  ])
    expect(
      (await call('GET', `/V1/invoices?${filter(0, 'order_id', orderId)}&${filter(1, field, value)}`)).body.items,
    ).toEqual(body.items);
  expect((await call('GET', `/V1/invoices?${filter(0, 'customer_email', 'x')}`)).status).toBe(400);
});

test('what cannot be invoiced is refused in the platform’s words', async () => {
  const { orderId, itemIds } = await placed();
  const invoice = (items: unknown) => call('POST', `/V1/order/${orderId}/invoice`, { items });
  expect(await invoice([{ order_item_id: itemIds[0], qty: 3 }])).toMatchObject({
    status: 400,
    body: { message: 'We found an invalid quantity to invoice item "%1".', parameters: ['Mug'] },
  });
  expect(await invoice([{ order_item_id: 999_999, qty: 1 }])).toMatchObject({
    status: 400,
    body: {
      message:
        "Invoice Document Validation Error(s):\nThe invoice can't be created without products. Add products and try again.",
    },
  });
  expect(await invoice([{ order_item_id: itemIds[0], qty: 1, colour: 'blue' }])).toMatchObject({ status: 400 });
  expect(await call('POST', '/V1/order/999999/invoice', {})).toMatchObject({ status: 404, body: missing });
});

test('a paid invoice cannot be captured; an unknown one is 404', async () => {
  const { invoiceId } = await anOrder(api.orm.em);
  expect(await call('POST', `/V1/invoices/${invoiceId}/capture`)).toMatchObject({
    status: 400,
    body: { message: 'The capture action is not available.' },
  });
  expect(await call('POST', '/V1/invoices/999999/capture')).toMatchObject({ status: 404, body: missing });
  expect(await call('GET', '/V1/invoices/999999')).toMatchObject({ status: 404, body: missing });
});

test('an invoice can be opened, read, sent back, paid', async () => {
  const { orderId } = await placed();
  const opened = await call('POST', '/V1/invoices', { entity: { order_id: orderId, state: 1, grand_total: 1 } });
  expect(opened).toMatchObject({ status: 200, body: { state: 1, grand_total: 108 } });
  expect((await call('POST', '/V1/invoices', { entity: opened.body })).body).toEqual(opened.body);
  const paid = await call('POST', '/V1/invoices', { entity: { entityId: opened.body.entity_id, state: '2' } });
  expect(paid).toMatchObject({ status: 200, body: { state: 2 } });
  expect(await call('POST', '/V1/invoices', { entity: { state: 1 } })).toMatchObject({
    status: 400,
    body: { parameters: { fieldName: 'orderId' } },
  });
  expect(await call('POST', '/V1/invoices', { entity: { entity_id: 999_999 } })).toMatchObject({
    status: 404,
    body: missing,
  });
  expect(await call('POST', '/V1/invoices', { entity: { order_id: orderId, colour: 'blue' } })).toMatchObject({
    status: 400,
  });
});

test('an invoice keeps the number that it is sent with, once in the store', async () => {
  const invoice = async (increment_id: string | null, more = {}) =>
    call('POST', '/V1/invoices', { entity: { order_id: (await placed()).orderId, increment_id, ...more } });
  const { body: own } = await invoice('RE-2026-1');
  expect(own.increment_id).toBe('RE-2026-1');
  const taken = { status: 400, body: { message: 'Unique constraint violation found' } };
  expect(await invoice('RE-2026-1')).toMatchObject(taken);
  expect(await invoice('RE-2026-1', { state: 2 })).toMatchObject(taken);
  expect(await invoice('RE-2026-2', { state: 2 })).toMatchObject({ body: { state: 2, increment_id: 'RE-2026-2' } });
  const kept = await call('POST', '/V1/invoices', { entity: { entity_id: own.entity_id, increment_id: 'RE-2026-3' } });
  expect(kept.body.increment_id).toBe('RE-2026-1');

  const { body: drawn } = await invoice(null);
  const ahead = [1, 2, 3].map((step) => String(Number(drawn.increment_id) + step).padStart(9, '0'));
  for (const number of ahead) expect((await invoice(number)).body.increment_id).toBe(number);
  expect((await invoice(null)).body.increment_id).toBe(String(Number(drawn.increment_id) + 4).padStart(9, '0'));

  const rivals = await eightAtOnce(() => invoice('RE-2026-9'));
  expect(rivals.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(rivals.filter(({ body }) => body.message === taken.body.message)).toHaveLength(7);
});

test('the number of a document is letters and digits: nothing that means something on another page', async () => {
  const { orderId: order_id, itemIds } = await placed();
  const items = [{ order_item_id: itemIds[0], qty: 1 }];
  for (const increment_id of ['[pay](https://evil.example)', '**9**', 'a|b', '<b>1</b>', '1\n2', '=1+1', '-1', '`9`'])
    for (const [path, body] of [
      ['/V1/orders', { entity: { increment_id } }],
      ['/V1/invoices', { entity: { order_id, increment_id, items } }],
      ['/V1/creditmemo', { entity: { order_id, increment_id, items } }],
      ['/V1/shipment', { entity: { order_id, increment_id, items } }],
    ] as const)
      expect(await api.call('POST', path, { token: api.tokens.admin, body })).toMatchObject({
        status: 400,
        body: { parameters: { fieldName: 'incrementId', value: increment_id } },
      });
  const body = { entity: { order_id, increment_id: '', items } };
  expect((await call('POST', '/V1/invoices', body)).body.increment_id).toMatch(/^\d{9}$/);
});

test('an invoice that is there is not made into another one', async () => {
  const { orderId, itemIds } = await placed();
  const { orderId: another } = await placed();
  const save = (entity: object) => call('POST', '/V1/invoices', { entity });
  const items = [{ order_item_id: itemIds[0], qty: 1 }];
  const { body: invoice } = await save({ order_id: orderId, items });
  const { entity_id } = invoice;
  const refused = { status: 400, body: { message: 'We cannot register an existing invoice' } };
  for (const other of [{ order_id: another }, { items: [{ order_item_id: itemIds[0], qty: 2 }] }])
    expect(await save({ ...invoice, ...other })).toMatchObject(refused);
  expect((await save({ entity_id, items, state: 1 })).body).toEqual(invoice);
  expect((await save({ entity_id, state: 3 })).body).toMatchObject({ state: 3 });
  for (const state of [1, 2]) expect(await save({ entity_id, state })).toMatchObject(refused);
  expect((await call('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ total_invoiced: 0 });
});
