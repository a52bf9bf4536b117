import { describe, expect, test } from 'vitest';
import { booksOf } from '../../../support/books.ts';
import { opensAShop, api, type Sale, sale, call, refund, orderOf, oneMug, bothMugs } from './a-sale-of-mugs.ts';

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
          'Creditmemo Document Validation Error(s):\nThe creditmemo contains product item that is not part of the original order.',
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
          'Creditmemo Document Validation Error(s):\nThe return to stock argument contains product item that is not part of the original order.',
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
