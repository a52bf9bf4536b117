import { describe, expect, test } from 'vitest';
import { type WantedOrder } from '../../../support/builders/order.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { opensAShop, api, sale, refund, get, list, plates } from './refunded-plates.ts';

opensAShop();

const { shelf } = booksOf(() => api.orm);

describe('refunding an order', () => {
  test('of one piece answers the memo’s id; the memo shows the platform’s figures', async () => {
    const { orderId, itemIds } = await sale(plates);
    const body = {
      items: [{ order_item_id: itemIds[0], qty: 1 }],
      comment: { comment: 'A chip in the rim', is_visible_on_front: 1 },
      arguments: { shipping_amount: 0 },
    };
    const answer = await refund(orderId, body);

    expect(answer).toMatchObject({ status: 200, body: expect.any(Number) });
    const memo = await get(`/V1/creditmemo/${answer.body}`);
    expect(memo.body).toMatchObject({
      entity_id: answer.body,
      order_id: orderId,
      state: 2,
      subtotal: 33.33,
      tax_amount: 3.33,
      shipping_amount: 0,
      discount_amount: 0,
      adjustment: 0,
      grand_total: 36.66,
      base_grand_total: 36.66,
      base_currency_code: 'USD',
      base_to_order_rate: 1,
      items: [
        {
          parent_id: answer.body,
          order_item_id: itemIds[0],
          sku: 'PLATE',
          name: 'Plate',
          qty: 1,
          price: 33.33,
          row_total: 33.33,
          tax_amount: 3.33,
          base_weee_tax_applied_row_amnt: 0,
        },
      ],
      comments: [
        { comment: 'A chip in the rim', is_visible_on_front: 1, is_customer_notified: 0, parent_id: answer.body },
      ],
    });
    expect((await get(`/V1/creditmemo/${answer.body}/comments`)).body.items).toEqual(memo.body.comments);
    expect(memo.body.increment_id).toMatch(/^\d{9}$/);
    expect(memo.body.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(memo.body).not.toHaveProperty('invoice_id');
  });

  test('is booked for good', async () => {
    const { orderId } = await sale(plates);
    const { body: id } = await refund(orderId);
    const cancel = (memoId: number) => api.call('PUT', `/V1/creditmemo/${memoId}`, { token: api.tokens.register });

    expect(await cancel(id)).toMatchObject({ status: 400, body: { message: 'You can not cancel Credit Memo' } });
  });

  test('in three memos gives back all but the shipping, and then the shipping', async () => {
    const { orderId, itemIds } = await sale(plates);
    const one = { items: [{ orderItemId: itemIds[0], qty: '1' }], arguments: { shippingAmount: 0 } };
    for (let piece = 0; piece < 3; piece++) expect((await refund(orderId, one)).status).toBe(200);
    expect((await get(`/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 109.99, total_paid: 114.99 });
    await refund(orderId);

    expect((await get(`/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 114.99, state: 'closed' });
    const found = await list({ order_id: String(orderId), grand_total: '36.66' });
    expect(found.body).toMatchObject({ total_count: 2, items: [{ grand_total: 36.66 }, { grand_total: 36.66 }] });
  });

  test('with goodwill and a fee, in base amounts of an order in another currency', async () => {
    const { orderId, itemIds } = await sale({ storeId: 2, currency: 'CAD', rate: '1.36' });
    const body = {
      items: [{ order_item_id: itemIds[0], qty: 1 }],
      arguments: { adjustment_positive: 2.5, adjustment_negative: 10 },
    };
    const { body: id } = await refund(orderId, body);

    expect((await get(`/V1/creditmemo/${id}`)).body).toMatchObject({
      base_grand_total: 46.5,
      grand_total: 63.24,
      base_adjustment_positive: 2.5,
      adjustment_positive: 3.4,
      base_adjustment_negative: 10,
      adjustment_negative: 13.6,
      order_currency_code: 'CAD',
    });
  });

  test('puts goods back on the shelf where it says so, and writes the others off', async () => {
    const before = await shelf();
    const { orderId, itemIds } = await sale();
    const items = [{ order_item_id: itemIds[0], qty: 1 }];
    const back = { arguments: { extension_attributes: { return_to_stock_items: [itemIds[0]] } } };
    await refund(orderId, { items, ...back });
    expect(await shelf()).toBe(before - 1);
    await refund(orderId, { items });
    expect(await shelf()).toBe(before - 1);
  });

  test('at once and again: one of eight wins', async () => {
    const { orderId } = await sale();
    const answers = await eightAtOnce(() => refund(orderId));

    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.find((answer) => answer.status === 400)?.body).toEqual({
      message:
        'Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status of closed',
    });
    expect((await get(`/V1/orders/${orderId}`)).body).toMatchObject({ total_refunded: 108, total_paid: 108 });
  });

  test.each([
    {
      why: 'too many',
      body: { items: [{ order_item_id: 0, qty: 4 }] },
      message: 'We found an invalid quantity to refund item "%1".',
      parameters: ['Plate'],
    },
    {
      why: 'too much shipping',
      body: { arguments: { shipping_amount: 5.01 } },
      message: 'Maximum shipping amount allowed to refund is: %1',
      parameters: ['$5.00'],
    },
    {
      why: 'a negative fee',
      body: { arguments: { adjustment_negative: -1 } },
      message: 'The %fieldName value of "%value" must be greater than or equal to %minValue.',
      parameters: { fieldName: 'adjustmentNegative', value: '-1', minValue: 0 },
    },
    {
      why: 'too much money',
      body: { arguments: { adjustment_positive: 0.01 } },
      message: 'Creditmemo Document Validation Error(s):\nThe most money available to refund is 114.99.',
    },
    {
      why: 'half a plate',
      body: { items: [{ order_item_id: 0, qty: 0.5 }] },
      message: 'Creditmemo Document Validation Error(s):\nWe found an invalid quantity to refund item "PLATE".',
    },
    {
      why: 'a line of another order',
      body: { items: [{ order_item_id: 987_654, qty: 1 }] },
      message:
        'Creditmemo Document Validation Error(s):\nThe creditmemo contains product item that is not part of the original order.',
    },
  ])('is refused for $why', async ({ body, message, parameters }) => {
    const { orderId, itemIds } = await sale(plates);
    const items =
      'items' in body
        ? body.items?.map((item) => ({ ...item, order_item_id: item.order_item_id || itemIds[0] }))
        : undefined;
    const answer = await refund(orderId, { ...body, ...(items ? { items } : {}) });

    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message, ...(parameters === undefined ? {} : { parameters }) });
  });

  test('of an unknown order finds none', async () => {
    expect(await refund(987_654)).toMatchObject({
      status: 404,
      body: { message: "The entity that was requested doesn't exist. Verify the entity and try again." },
    });
  });
});

describe('reading credit memos', () => {
  test('an unknown one is not found', async () => {
    expect((await get('/V1/creditmemo/987654')).status).toBe(404);
  });

  test('by any column of theirs, and no other', async () => {
    const { orderId } = await sale();
    const { body: id } = await refund(orderId);
    const memo = (await get(`/V1/creditmemo/${id}`)).body;

    const found = await list({ increment_id: memo.increment_id, state: '2', base_grand_total: '108' });
    expect(found.body).toMatchObject({ items: [memo], total_count: 1 });
    expect((await list({ nonsense: '1' })).status).toBe(400);
  });
});

describe('goods for the shelf', () => {
  const toShelf = (itemIds: readonly unknown[]) => ({
    arguments: { extension_attributes: { return_to_stock_items: itemIds } },
  });
  const twoLines: WantedOrder = {
    lines: [
      { sku: 'PLATE', qty: 1, price: '10' },
      { sku: 'MUG', qty: 1, price: '5' },
    ],
  };

  test('of another order are refused, and nothing is refunded', async () => {
    const { orderId, itemIds } = await sale(twoLines);
    const other = await sale(plates);
    const items = [{ order_item_id: itemIds[0], qty: 1 }];
    expect(await refund(orderId, { items, ...toShelf([itemIds[1], other.itemIds[0], 999_999]) })).toMatchObject({
      status: 400,
      body: {
        message: [
          'Creditmemo Document Validation Error(s):',
          'The return to stock argument contains product item that is not part of the original order.',
          'The return to stock argument contains product item that is not part of the original order.',
        ].join('\n'),
      },
    });
    expect((await list({ order_id: String(orderId) })).body).toMatchObject({ total_count: 0 });
  });

  test('may name a line that is not refunded: of that nothing comes back', async () => {
    const { orderId, itemIds } = await sale(twoLines);
    const items = [{ order_item_id: itemIds[0], qty: 1 }];
    expect(await refund(orderId, { items, ...toShelf(itemIds) })).toMatchObject({ status: 200 });
  });

  test('are fine where everything is refunded', async () => {
    const { orderId, itemIds } = await sale(twoLines);
    expect(await refund(orderId, toShelf(itemIds))).toMatchObject({ status: 200 });
  });
});
