import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anAddress, aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
const place = async (over: Record<string, unknown> = {}) => {
  const answer = await call('POST', '/V1/orders', { entity: aPostedSale(over) });
  expect(answer.status).toBe(200);
  return answer.body;
};
const refusalOf = async (entity: unknown) => {
  const { status, body } = await call('POST', '/V1/orders', { entity });
  return { status, ...body };
};
const list = async (criteria: string) => (await call('GET', `/V1/orders?${criteria}`)).body;
const filter = (field: string, value: string, condition = 'eq', group = 0) =>
  Object.entries({ field, value, condition_type: condition })
    .map(([key, text]) => `searchCriteria[filter_groups][${group}][filters][0][${key}]=${encodeURIComponent(text)}`)
    .join('&');

test('an order is read as posted, with the fields that the server adds', async () => {
  const order = await place({
    shipping_description: 'Van',
    extension_attributes: {
      shipping_assignments: [
        {
          shipping: { address: anAddress({ address_type: 'shipping', city: 'Utica' }), method: 'flatrate_flatrate' },
          items: [],
        },
      ],
      applied_taxes: [{ code: 'NY', title: 'NY', percent: 8, amount: 8, base_amount: 8 }],
      pos_sale_id: 'U-1',
      pos_credit_due: 12.5,
    },
  });

  expect(await call('GET', `/V1/orders/${order.entity_id}`)).toMatchObject({ status: 200, body: order });
  expect(order).toMatchObject({
    increment_id: '000000001',
    state: 'new',
    is_virtual: 0,
    customer_is_guest: 0,
    customer_id: 7,
    customer_email: 'a@example.com',
    grand_total: 108,
    base_grand_total: 108,
    total_due: 108,
    store_to_base_rate: 0,
    total_item_count: 1,
    store_name: 'Main Website\nDefault Store View',
    shipping_description: 'Van',
    items: [
      { sku: 'MUG', qty_ordered: 2, tax_percent: 8, price_incl_tax: 54, order_id: order.entity_id, is_qty_decimal: 0 },
    ],
    billing_address: { city: 'Troy', street: ['1 Main St'], region_code: 'NY', region_id: 43, address_type: 'billing' },
    payment: {
      method: 'checkmo',
      amount_ordered: 108,
      account_status: null,
      cc_last4: null,
      additional_information: ['cash'],
      parent_id: order.entity_id,
    },
    status_histories: [
      {
        comment: 'The order was placed. Sale U-1.',
        status: 'pending',
        entity_name: 'order',
        parent_id: order.entity_id,
      },
    ],
    extension_attributes: {
      shipping_assignments: [
        {
          shipping: {
            address: { city: 'Utica', address_type: 'shipping' },
            method: 'flatrate_flatrate',
            total: { shipping_amount: 0 },
          },
          items: [{ sku: 'MUG' }],
        },
      ],
      payment_additional_info: [{ key: '0', value: 'cash' }],
      applied_taxes: [{ code: 'NY', title: 'NY', percent: 8, amount: 8, base_amount: 8 }],
      pos_sale_id: 'U-1',
      pos_credit_due: 12.5,
    },
  });
  expect(order.protect_code).toMatch(/^[0-9a-f]{32}$/);
  expect(order.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  // Nothing is null among the order's own values, and the shipping address stands in its assignment alone.
  expect(Object.values(order).filter((value) => value === null)).toEqual([]);
  expect(order).not.toHaveProperty('shipping_address');
  expect(order).not.toHaveProperty('shipping_method');
});

test('information about a payment is answered in the order posted', async () => {
  const told = { tender: 'cash', given: 20, drawer: { till: 3 }, is_counted: true, is_foreign: false };
  const { payment, extension_attributes } = await place({
    payment: { method: 'checkmo', additional_information: told },
  });

  expect(payment.additional_information).toEqual(['cash', '20', '{"till":3}', '1', '']);
  expect(extension_attributes.payment_additional_info.map(({ key }: { key: string }) => key)).toEqual(
    Object.keys(told),
  );
});

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
  const stored = () =>
    api.orm.em
      .fork()
      .execute('select row_total, row_total_incl_tax from sales_order_item where order_id = ? order by item_id', [
        order.entity_id,
      ]);
  const gross = [
    { row_total: '100.0000', row_total_incl_tax: '108.0000' },
    { row_total: '5.0000', row_total_incl_tax: '108.0000' },
  ];
  expect(await stored()).toEqual(gross);
  // Sent back as they were read, they stay what they are.
  expect((await call('POST', '/V1/orders', { entity: order })).body).toMatchObject({ items: net });
  expect(await stored()).toEqual(gross);
});

test('keys may be spelled either way and numbers sent as text; a null is nothing', async () => {
  const order = await place({
    customer_email: undefined,
    customerEmail: 'camel@example.com',
    coupon_code: null,
    grand_total: '108.00',
    items: [
      { sku: 'MUG', qtyOrdered: '2', price: '50', base_price: 50, rowTotal: 100, isVirtual: false, productId: null },
    ],
  });
  expect(order).toMatchObject({
    customer_email: 'camel@example.com',
    grand_total: 108,
    items: [{ qty_ordered: 2, row_total: 100 }],
  });
  expect(order).not.toHaveProperty('coupon_code');
});

test('columns of the platform that mean nothing here may be sent empty', async () => {
  const empty = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
  const order = await place({
    base_total_qty_ordered: 2,
    items: [aPostedLine(empty('event_id', 'ext_order_item_id', 'gw_id', 'gw_base_price', 'gw_tax_amount_refunded'))],
    billing_address: anAddress(empty('vat_is_valid', 'vat_request_id', 'vat_request_date', 'vat_request_success')),
    payment: {
      method: 'checkmo',
      ...empty('cc_number_enc', 'cc_ss_issue', 'echeck_type', 'anet_trans_method', 'protection_eligibility'),
    },
  });
  expect(
    await call('POST', '/V1/invoices', {
      entity: { order_id: order.entity_id, ...empty('base_shipping_discount_tax_compensation_amnt') },
    }),
  ).toMatchObject({ status: 200 });
  expect(await refusalOf(aPostedSale({ bogus: null }))).toMatchObject({ status: 400 });
});

test('lines need not all say the same', async () => {
  const bare = { sku: 'PLATE', qty_ordered: 1 };
  const { items } = await place({ items: [aPostedLine({ is_virtual: 1, product_type: 'virtual' }), bare] });
  expect(items[0]).toMatchObject({ is_virtual: 1, product_type: 'virtual', tax_percent: 8 });
  expect(items[1]).toMatchObject({
    is_virtual: 0,
    product_type: 'simple',
    tax_percent: 0,
    row_total: 0,
    qty_ordered: 1,
  });
});

test('a register’s long figures are rounded to four decimals', async () => {
  const order = await place({ items: [aPostedLine({ tax_amount: 7.99996, price: 16.6666666667 })] });
  expect(order.items[0]).toMatchObject({ tax_amount: 8, price: 16.6667 });
});

test('the longer name of the route places an order as well', async () => {
  const answer = await call('PUT', '/V1/orders/create', { entity: aPostedSale() });
  expect(answer).toMatchObject({ status: 200, body: { state: 'new' } });
});

test('the store of the path counts where none is named', async () => {
  const { status, body } = await call('POST', '/rest/ca/V1/orders', { entity: aPostedSale({ store_id: undefined }) });
  expect({ status, store: body.store_id, increment: body.increment_id }).toEqual({
    status: 200,
    store: 2,
    increment: '2000000001',
  });
});

test('an order that cannot be is refused in the platform’s words', async () => {
  expect(await call('POST', '/V1/orders', {})).toMatchObject({
    status: 400,
    body: { message: '"%fieldName" is required. Enter and try again.', parameters: { fieldName: 'entity' } },
  });
  expect(await refusalOf(aPostedSale({ payment: undefined }))).toMatchObject({
    status: 400,
    parameters: { fieldName: 'payment' },
  });
  expect(await refusalOf(aPostedSale({ colour: 'blue' }))).toMatchObject({
    status: 400,
    parameters: { fieldName: 'colour' },
  });
  expect(await refusalOf(aPostedSale({ items: [aPostedLine({ colour: 'blue' })] }))).toMatchObject({ status: 400 });
  expect(await refusalOf(aPostedSale({ extension_attributes: { pos_colour: 'blue' } }))).toMatchObject({ status: 400 });
  expect(await refusalOf(aPostedSale({ items: [aPostedLine({ qty_ordered: 'many' })] }))).toMatchObject({
    status: 400,
    message: expect.stringContaining('The "many" value\'s type is invalid.'),
  });
  for (const qty of [0, -0.5])
    expect(await refusalOf(aPostedSale({ items: [aPostedLine({ qty_ordered: qty })] }))).toMatchObject({
      status: 400,
      parameters: { fieldName: 'qtyOrdered', value: qty },
    });
  expect(await refusalOf(aPostedSale({ extension_attributes: { pos_credit_due: -3 } }))).toMatchObject({
    status: 400,
    parameters: { fieldName: 'posCreditDue', value: -3 },
  });
  expect(await refusalOf(aPostedSale({ state: 'sold' }))).toMatchObject({ status: 400 });
  expect(await refusalOf(aPostedSale({ total_paid: 108.01 }))).toMatchObject({
    status: 400,
    parameters: { fieldName: 'total_paid', value: 108.01 },
  });
  expect(await refusalOf(aPostedSale({ store_id: 77 }))).toMatchObject({ status: 404 });
  for (const field of ['base', 'global', 'order', 'store'].map((whose) => `${whose}_currency_code`))
    for (const code of ['', '   ', 'US', 'U$D', 'U1D'])
      expect(await refusalOf(aPostedSale({ [field]: code }))).toMatchObject({
        status: 400,
        parameters: { value: code },
      });
  expect(await refusalOf({ entity_id: 999_999 })).toMatchObject({
    status: 404,
    message: "The entity that was requested doesn't exist. Verify the entity and try again.",
  });
});

test('card data is stored neither with an order nor by a change of it', async () => {
  const { entity_id } = await place();
  const told = 'paid by 4111 1111 1111 1111';
  const refused = { status: 400, message: 'The text must not be stored: it carries a card number.' };
  for (const texts of [
    { customer_note: told },
    { status_histories: [{ comment: told }] },
    { payment: { method: 'checkmo', cc_last4: '4111111111111111' } },
  ]) {
    expect(await refusalOf(aPostedSale(texts))).toMatchObject(refused);
    expect(await refusalOf({ entity_id, ...texts })).toMatchObject(refused);
  }
  expect((await place({ payment: { method: 'checkmo', cc_last4: '1111' } })).payment.cc_last4).toBe('1111');
});

test('a comment sent with a change shows whether the customer was notified, as with a new order', async () => {
  const { entity_id } = await place();
  const comment = { comment: 'call first', is_customer_notified: 1, is_visible_on_front: 1 };
  const changed = await call('POST', '/V1/orders', { entity: { entity_id, status_histories: [comment] } });
  expect(changed.body.status_histories).toContainEqual(expect.objectContaining(comment));
});

test('an order that was read can be sent back, and only the fields sent change', async () => {
  const order = await place({ extension_attributes: { pos_sale_id: 'U-2' } });
  const again = await call('POST', '/V1/orders', {
    entity: { ...order, status: 'my_own', customer_note: 'call first' },
  });
  expect(again.status).toBe(200);
  const { updated_at: _then, items: _items, extension_attributes: _extension, ...unchanged } = order;
  expect(again.body).toMatchObject({ ...unchanged, status: 'my_own', customer_note: 'call first' });
  expect(again.body.status_histories).toHaveLength(1);
  const alone = await call('POST', '/V1/orders', { entity: { entityId: order.entity_id } });
  expect(alone.body).toMatchObject({ increment_id: order.increment_id, status: 'my_own' });
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
  await api.orm.em.fork()
    .execute(`update sales_order set created_at = date_trunc('second', created_at) + interval '0.7 s'
    where customer_lastname = 'Punctual'`);
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

test('comments: a status of the order’s state is taken, any other is not', async () => {
  const { entity_id: id } = await place({ state: 'processing', status: 'processing' });
  const comment = (statusHistory: unknown) => call('POST', `/V1/orders/${id}/comments`, { statusHistory });
  expect(
    await comment({ comment: 'first', is_customer_notified: 0, is_visible_on_front: 1, parent_id: id }),
  ).toMatchObject({ status: 200, body: true });
  expect((await call('GET', `/V1/orders/${id}/statuses`)).body).toBe('processing');
  await comment({ comment: 'second', status: 'closed' });
  expect((await call('GET', `/V1/orders/${id}/statuses`)).body).toBe('processing');
  await comment({ comment: 'third', status: 'fraud' });
  expect((await call('GET', `/V1/orders/${id}/statuses`)).body).toBe('fraud');

  const history = (await call('GET', `/V1/orders/${id}/comments`)).body;
  expect(history.items.map((item: { comment: string; status: string }) => [item.comment, item.status])).toEqual([
    ['third', 'fraud'],
    ['second', 'processing'],
    ['first', 'processing'],
    ['The order was placed.', 'processing'],
  ]);
  expect(history).toMatchObject({
    total_count: 4,
    search_criteria: {
      filter_groups: [{ filters: [{ field: 'parent_id', value: String(id), condition_type: 'eq' }] }],
    },
  });
  expect(history.items[2]).toMatchObject({ is_customer_notified: 0, is_visible_on_front: 1, entity_name: 'order' });
  expect(await call('POST', '/V1/orders/999999/comments', { statusHistory: { comment: 'x' } })).toMatchObject({
    status: 404,
  });
  expect((await call('GET', '/V1/orders/999999/comments')).body).toMatchObject({ items: [], total_count: 0 });
});

test('an order is cancelled once', async () => {
  const { entity_id: id } = await place();
  expect(await call('POST', `/V1/orders/${id}/cancel`)).toMatchObject({ status: 200, body: true });
  expect(await call('POST', `/V1/orders/${id}/cancel`)).toMatchObject({ status: 200, body: false });
  expect((await call('GET', `/V1/orders/${id}`)).body).toMatchObject({
    state: 'canceled',
    total_canceled: 108,
    items: [{ qty_canceled: 2 }],
  });
});

test('an order can be held in its state, and continues in that state', async () => {
  const { entity_id: id } = await place({ state: 'processing', status: 'processing' });
  const act = (verb: string) => api.call('POST', `/V1/orders/${id}/${verb}`, { token: api.tokens.admin });
  const stateOf = async () => {
    const { state, status, hold_before_state, hold_before_status } = (await call('GET', `/V1/orders/${id}`)).body;
    return [state, status, hold_before_state, hold_before_status];
  };
  expect(await act('unhold')).toMatchObject({ status: 400, body: { message: 'You cannot remove the hold.' } });
  expect(await act('hold')).toMatchObject({ status: 200, body: true });
  expect(await stateOf()).toEqual(['holded', 'holded', 'processing', 'processing']);
  expect(await act('hold')).toMatchObject({ status: 400, body: { message: 'A hold action is not available.' } });
  expect((await call('POST', `/V1/order/${id}/invoice`, {})).body.message).toContain('status of holded');
  expect(await act('unhold')).toMatchObject({ status: 200, body: true });
  expect(await stateOf()).toEqual(['processing', 'processing', undefined, undefined]);
  expect(await call('POST', `/V1/orders/${id}/hold`)).toMatchObject({
    status: 401,
    body: { parameters: { resources: 'Platform_Sales::hold' } },
  });
});

test('an order posted as held becomes new after it, and a finished one cannot be held', async () => {
  const act = (id: number, verb: string) => api.call('POST', `/V1/orders/${id}/${verb}`, { token: api.tokens.admin });
  const { entity_id: held } = await place({ state: 'holded', status: 'holded' });
  expect((await act(held, 'unhold')).status).toBe(200);
  expect((await call('GET', `/V1/orders/${held}`)).body).toMatchObject({ state: 'new', status: 'pending' });
  const { entity_id: closed } = await place({ state: 'closed', status: 'closed' });
  expect((await act(closed, 'hold')).status).toBe(400);
  expect((await act(999_999, 'hold')).status).toBe(404);
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
