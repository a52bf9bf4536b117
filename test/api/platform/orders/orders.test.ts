import { expect, test } from 'vitest';
import { anAddress, aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { opensAnOrderDesk, call, place, refusalOf } from './an-order-desk.ts';

opensAnOrderDesk();

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
  const information = { tender: 'cash', given: 20, drawer: { till: 3 }, is_counted: true, is_foreign: false };
  const { payment, extension_attributes } = await place({
    payment: { method: 'checkmo', additional_information: information },
  });

  expect(payment.additional_information).toEqual(['cash', '20', '{"till":3}', '1', '']);
  expect(extension_attributes.payment_additional_info.map(({ key }: { key: string }) => key)).toEqual(
    Object.keys(information),
  );
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
