import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCustomerWithCredit, walletOf } from '../../../support/builders/credit.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { atOnce } from '../../../support/rivals.ts';
import { api, bothMugs, call, oneMug, opensAShop, orderOf, refund, type Sale, sale } from './a-sale-of-mugs.ts';

describe('kept memos', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
    await aShop(fork());
  });
  afterAll(async () => {
    await booksHold();
    await api.close();
  });

  const { find, fork, booksHold, shelf } = booksOf(() => api.orm);

  const call = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

  test('no credit memo can be cancelled, nor one that there is not', async () => {
    for (const id of [999_999, 0]) {
      expect(await call('PUT', `/V1/creditmemo/${id}`)).toMatchObject({
        status: 400,
        body: { message: 'You can not cancel Credit Memo' },
      });
    }
  });

  test('a refund of one invoice brings back no goods of another', async () => {
    const lines = ['MUG', 'PLATE'].map((sku) => ({ sku, qty: 1, price: '50' }));
    const { orderId, itemIds } = await anOrder(fork(), { lines, method: 'provider_a', paid: false });
    const [mug, plate] = itemIds;
    const { body: ofMug } = await call('POST', `/V1/order/${orderId}/invoice`, {
      items: [{ order_item_id: mug, qty: 1 }],
    });
    await call('POST', `/V1/order/${orderId}/invoice`, {});
    const onShelf = await shelf('PLATE');

    const toShelf = { extension_attributes: { return_to_stock_items: [mug, plate] } };
    expect(await call('POST', `/V1/invoice/${ofMug}/refund`, { arguments: toShelf })).toMatchObject({
      status: 400,
      body: {
        message: 'Creditmemo Document Validation Error(s):\nThe "PLATE" product is not part of the current creditmemo.',
      },
    });
    expect(await find('sales_creditmemo', { order_id: orderId })).toEqual([]);
    expect(await shelf('PLATE')).toBe(onShelf);
  });

  test('the order 0 is no order to mail', async () => {
    expect(await call('POST', '/V1/orders/0/emails')).toMatchObject({
      status: 400,
      body: { message: 'An ID is needed. Set the ID and try again.' },
    });
  });
});

describe('refund with totals', () => {
  opensAShop();

  const { booksHold } = booksOf(() => api.orm);

  describe('a refund with its caller’s totals', () => {
    test('is booked as it was sent: memo, order, line, history', async () => {
      const order = await sale();
      const answer = await refund({ ...oneMug(order), grand_total: 51.5, adjustment_negative: 2.5 });

      expect(answer).toMatchObject({
        status: 200,
        body: {
          order_id: order.orderId,
          state: 2,
          subtotal: 50,
          base_subtotal: 50,
          tax_amount: 4,
          shipping_amount: 0,
          adjustment: -2.5,
          grand_total: 51.5,
          base_grand_total: 51.5,
          items: [{ order_item_id: order.itemIds[0], qty: 1, row_total: 50, tax_amount: 4 }],
        },
      });
      const is = await orderOf(order);
      expect(is).toMatchObject({
        total_refunded: 51.5,
        total_offline_refunded: 51.5,
        tax_refunded: 4,
        state: 'complete',
      });
      expect(is.items[0]).toMatchObject({ qty_refunded: 1, amount_refunded: 50, tax_refunded: 4 });
      expect(is.status_histories[0]).toMatchObject({
        comment: 'We refunded $51.50 offline.',
        entity_name: 'creditmemo',
      });
    });

    test('of everything closes the order; of parts, with other refunds between, too', async () => {
      const whole = await sale();
      await refund(bothMugs(whole));
      expect(await orderOf(whole)).toMatchObject({ state: 'closed', total_refunded: 108 });

      const parts = await sale();
      await refund(oneMug(parts));
      await call(`/V1/order/${parts.orderId}/refund`, {});
      expect(await orderOf(parts)).toMatchObject({ state: 'closed', total_refunded: 108 });
    });

    test('whose lines name no money leaves the lines’ registers true', async () => {
      const order = await sale();
      const items = [{ order_item_id: order.itemIds[0], qty: 1 }];
      await refund({ ...oneMug(order), items });
      expect((await orderOf(order)).items[0]).toMatchObject({ qty_refunded: 1, amount_refunded: 50, tax_refunded: 4 });
    });

    test('named in one currency is worked out in the other', async () => {
      const order = await sale({ storeId: 2, currency: 'CAD', rate: '1.36' });
      const { body } = await refund({
        order_id: order.orderId,
        adjustment_positive: 13.6,
        grand_total: 13.6,
        items: [],
      });
      expect(body).toMatchObject({ base_grand_total: 10, grand_total: 13.6, base_adjustment: 10, items: [] });
    });

    test('gives the order’s credit back with it', async () => {
      const customerId = await aCustomerWithCredit(api.orm, '50');
      const order = await sale({ customerId, credits: [{ credit_type: 'store_credit', amount: 50 }] });
      await refund(bothMugs(order));
      expect(await walletOf(api.orm, customerId)).toBe('50.0000');
    });

    test('by the platform’s own client: its totals are kept though its lines do not add up to them', async () => {
      const order = await sale();
      const items = [{ order_item_id: order.itemIds[0], qty: 2, price: 50, row_total: 10, entity_id: null }];
      const totals = { subtotal: 108, grand_total: 108, base_grand_total: 108, tax_amount: null, adjustment: null };
      expect(await refund({ order_id: order.orderId, ...totals, items }, { offline_requested: true })).toMatchObject({
        status: 200,
        body: { subtotal: 108, grand_total: 108, tax_amount: 0 },
      });
      expect(await orderOf(order)).toMatchObject({ state: 'closed' });
    });

    test('counts towards the invoice it names, and the invoice gives that much less', async () => {
      const order = await sale({ method: 'provider_a' });
      await refund({ ...oneMug(order), invoice_id: order.invoiceId });
      const memo = (await call(`/V1/invoice/${order.invoiceId}/refund`, {})).body;
      expect(memo).toEqual(expect.any(Number));
      const { body } = await api.call('GET', `/V1/creditmemo/${memo}`, { token: api.tokens.register });
      expect(body).toMatchObject({ grand_total: 54, invoice_id: order.invoiceId });
    });

    test('asked for online of an offline method is booked by hand, as on the platform', async () => {
      const order = await sale();
      const { status } = await refund({ ...oneMug(order), invoice_id: order.invoiceId }, {});
      expect(status).toBe(200);
      expect(await orderOf(order)).toMatchObject({ total_offline_refunded: 54, total_online_refunded: 0 });
    });

    test.each([2, 8])('%i at once of everything are one memo', async (count) => {
      const order = await sale();
      const answers = await atOnce(count, () => refund(bothMugs(order)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await orderOf(order)).toMatchObject({ total_refunded: 108 });
    });

    test('sent again under its key is answered with the first memo', async () => {
      const order = await sale();
      const key = { 'Idempotency-Key': `totals-${order.orderId}` };
      const first = await refund(oneMug(order), undefined, key);
      expect((await refund(oneMug(order), undefined, key)).body.entity_id).toBe(first.body.entity_id);
      expect(await orderOf(order)).toMatchObject({ total_refunded: 54 });
    });
  });

  test('after all of it the books hold', async () => {
    await booksHold();
  });
});

describe('refused totals', () => {
  opensAShop();

  const { booksHold } = booksOf(() => api.orm);

  describe('refused, and nothing is booked', () => {
    const cases: [string, (order: Sale) => object, object][] = [
      [
        'more money than was paid',
        (order) => ({ ...bothMugs(order), grand_total: 108.01, base_grand_total: 108.01 }),
        {
          message: 'The most money available to refund is %1.',
          parameters: ['$108.00'],
        },
      ],
      [
        'more pieces than were sold',
        (order) => ({ ...oneMug(order), items: [{ order_item_id: order.itemIds[0], qty: 3 }] }),
        {
          message: 'We found an invalid quantity to refund item "%1".',
          parameters: ['Mug'],
        },
      ],
      [
        'a line of another order',
        (order) => ({ ...oneMug(order), items: [{ order_item_id: 999_999, qty: 1 }] }),
        {
          message:
            'Creditmemo Document Validation Error(s):\nThe creditmemo contains product item that is not part of ' +
            'the original order.',
        },
      ],
      [
        'no grand total',
        (order) => ({ ...oneMug(order), grand_total: null }),
        {
          message: '"%fieldName" is required. Enter and try again.',
          parameters: { fieldName: 'grandTotal' },
        },
      ],
      [
        'more tax than was charged',
        (order) => ({ ...oneMug(order), tax_amount: 9 }),
        {
          message: 'The %fieldName value of "%value" must be less than or equal to %maxValue.',
          parameters: { fieldName: 'taxAmount', value: '9', maxValue: '8' },
        },
      ],
      [
        'a tax below zero',
        (order) => ({ ...oneMug(order), tax_amount: -1 }),
        {
          message: 'The %fieldName value of "%value" must be greater than or equal to %minValue.',
        },
      ],
      [
        'a total below zero',
        (order) => ({ ...oneMug(order), grand_total: -1 }),
        {
          message: "Creditmemo Document Validation Error(s):\nThe credit memo's total must be positive.",
        },
      ],
      [
        'shipping of an order without',
        (order) => ({ ...oneMug(order), shipping_amount: 1 }),
        {
          message: 'You can not refund shipping if there is no shipping amount.',
        },
      ],
      [
        'a memo that is there',
        (order) => ({ ...oneMug(order), entity_id: 7 }),
        {
          message: 'We cannot register an existing credit memo.',
        },
      ],
      [
        'goods of another order to the shelf',
        (order) => ({
          ...oneMug(order),
          extension_attributes: { return_to_stock_items: [999_999] },
        }),
        {
          message:
            'Creditmemo Document Validation Error(s):\nThe return to stock argument contains product item that ' +
            'is not part of the original order.',
        },
      ],
      [
        'a card number in a comment',
        (order) => ({ ...oneMug(order), comments: [{ comment: '4111 1111 1111 1111' }] }),
        {
          message: 'The text must not be stored: it carries a card number.',
        },
      ],
    ];

    test.each(cases)('%s', async (_what, memo, body) => {
      const order = await sale();
      expect(await refund(memo(order))).toMatchObject({ status: 400, body });
      expect(await orderOf(order)).toMatchObject({ total_refunded: 0 });
    });

    test('more shipping than is left', async () => {
      const order = await sale({ shipping: '10' });
      expect(await refund({ ...oneMug(order), shipping_amount: 10.01 })).toMatchObject({
        status: 400,
        body: { message: 'Maximum shipping amount allowed to refund is: %1', parameters: ['$10.00'] },
      });
    });

    test('an unknown order or invoice is 404', async () => {
      const order = await sale();
      expect((await refund({ ...oneMug(order), order_id: 999_999 })).status).toBe(404);
      expect((await refund({ ...oneMug(order), invoice_id: 999_999 })).status).toBe(404);
      expect(await orderOf(order)).toMatchObject({ total_refunded: 0 });
    });

    test.each([[{}], [{ creditmemo: 5 }], [{ creditmemo: [] }], [{ creditmemo: null }]])(
      '%j is no memo',
      async (body) => {
        expect((await call('/V1/creditmemo/refund', body)).status).toBe(400);
      },
    );
  });

  test('after all of it the books hold', async () => {
    await booksHold();
  });
});
