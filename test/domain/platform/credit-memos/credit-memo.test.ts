import { describe, expect, test } from 'vitest';
import { money, toPlain, zero } from '../../../../domain/money/amount.ts';
import { pieces, quantity } from '../../../../domain/money/quantity.ts';
import { computeCreditMemo } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import {
  aRefundableOrder,
  aRequest,
  inTwoCurrencies,
  type SoldLine,
} from '../../../support/builders/refundable-order.ts';
import { refunds, sums, refusal, line } from './quoted-refunds.ts';

const plain = {
  discounts: ['0'],
  discount: '0',
  shipping: '0',
  shippingTax: '0',
};

describe('the platform’s worked examples', () => {
  test('A: three pieces at 33.33 come back one by one, and shipping stays', () => {
    const sold = aRefundableOrder({ lines: [line(3, '99.99', '10')], shipping: money('5') });
    const one = { take: { 1: 1 }, shipping: '0' };
    const { memos, order } = refunds(sold, one, one, one);

    expect(memos.map((memo) => sums(memo))).toEqual([
      { ...plain, rows: ['33.33'], taxes: ['3.33'], subtotal: '33.33', tax: '3.33', grand: '36.66' },
      { ...plain, rows: ['33.33'], taxes: ['3.34'], subtotal: '33.33', tax: '3.34', grand: '36.67' },
      { ...plain, rows: ['33.33'], taxes: ['3.33'], subtotal: '33.33', tax: '3.33', grand: '36.66' },
    ]);
    expect(toPlain(order.base.totalRefunded)).toBe('109.99');
    expect(refunds(order, {}).memos.map((memo) => memo.base.grandTotal)).toEqual([money('5')]);
  });

  test('B: two discounted lines and taxed shipping come back in three parts', () => {
    const sold = aRefundableOrder({
      lines: [line(3, '10.00', '0.83', '1.00'), line(7, '20.00', '1.65', '2.00')],
      shipping: money('9.95'),
      shippingTax: money('0.82'),
    });
    expect(toPlain(sold.base.grandTotal)).toBe('40.25');
    const { memos, order } = refunds(
      sold,
      { take: { 1: 1, 2: 2 }, shipping: '0' },
      { take: { 1: 1 }, shipping: '4.00' },
      {},
    );

    expect(sums(memos[0])).toEqual({
      rows: ['3.33', '5.72'],
      discounts: ['0.34', '0.57'],
      taxes: ['0.28', '0.47'],
      subtotal: '9.05',
      discount: '-0.91',
      shipping: '0',
      shippingTax: '0',
      tax: '0.75',
      grand: '8.89',
    });
    expect(sums(memos[1])).toEqual({
      rows: ['3.34', '0'],
      discounts: ['0.34', '0'],
      taxes: ['0.28', '0'],
      subtotal: '3.34',
      discount: '-0.34',
      shipping: '4',
      shippingTax: '0.33',
      tax: '0.61',
      grand: '7.61',
    });
    expect(sums(memos[2])).toMatchObject({
      rows: ['3.33', '14.28'],
      discount: '-1.75',
      shipping: '5.95',
      tax: '1.94',
      grand: '23.75',
    });
    expect(toPlain(order.base.totalRefunded)).toBe('40.25');
  });

  test('C: goodwill and a fee change the total, not the tax', () => {
    const sold = aRefundableOrder({ lines: [line(2, '100', '8')] });
    const { memos } = refunds(sold, { take: { 1: 1 }, positive: '2.50', negative: '10' });

    expect(sums(memos[0])).toMatchObject({ subtotal: '50', tax: '4', grand: '46.5' });
    expect(memos[0]!.base).toMatchObject({
      adjustmentPositive: money('2.5'),
      adjustmentNegative: money('10'),
      adjustment: money('-7.5'),
    });
  });

  test('D: a layaway gives back its deposit less the fee, without goods', () => {
    const layaway = aRefundableOrder({ lines: [line(2, '100', '8')], totalPaid: money('40'), state: 'processing' });
    const { memos, order } = refunds(layaway, { take: { 1: 0 }, shipping: '0', positive: '32' });

    expect(sums(memos[0])).toMatchObject({ rows: ['0'], tax: '0', grand: '32' });
    expect(refusal(order, aRequest({ take: { 1: 0 }, shipping: '0', positive: '9' }))).toEqual({
      status: 400,
      message: 'Creditmemo Document Validation Error(s):\nThe most money available to refund is 8.',
    });
  });

  test('E: what rounding leaves over goes to the next line', () => {
    const sold = aRefundableOrder({ lines: [line(3, '10', '1'), line(3, '10', '1'), line(3, '10', '1')] });
    const { memos } = refunds(sold, { take: { 1: 1, 2: 1, 3: 1 } });

    expect(sums(memos[0])).toMatchObject({
      rows: ['3.33', '3.34', '3.33'],
      taxes: ['0.33', '0.34', '0.33'],
      grand: '11',
    });
  });

  test('F: more shipping than was charged is refused', () => {
    const sold = aRefundableOrder({ lines: [line(2, '100')], shipping: money('10') });

    expect(refusal(sold, aRequest({ shipping: '10.01' }))).toEqual({
      status: 400,
      message: 'Maximum shipping amount allowed to refund is: %1',
      parameters: ['$10.00'],
    });
  });

  test('F: how much shipping is left is sums in the currency that was asked in', () => {
    const [base, own] = ['10', '13.6'].map((shipping) => ({ lines: [line(2, '100')], shipping: money(shipping) }));
    const sold = inTwoCurrencies(base!, own!, '1.36');
    const request = { ...aRequest(), shipping: { base: money('10.01'), order: money('13.61') } };

    expect(refusal(sold, { ...request, givenIn: 'order' })).toMatchObject({ parameters: ['CA$13.60'] });
    expect(refusal(sold, { ...request, givenIn: 'base' })).toMatchObject({ parameters: ['$10.00'] });
  });
});

describe('quantities', () => {
  const sold = aRefundableOrder({ lines: [line(2, '100', '8'), line(1, '20', '1.6')] });

  test('an empty list means everything; a listed line leaves the others alone', () => {
    expect(sums(refunds(sold, { items: [] }).memos[0])).toMatchObject({ rows: ['100', '20'], grand: '129.6' });
    expect(sums(refunds(sold, { take: { 2: 1 } }).memos[0])).toMatchObject({ rows: ['0', '20'], grand: '21.6' });
  });

  test('two rows of one line are added up, and refused together when they are too many', () => {
    const row = { orderItemId: 1, qty: pieces(1) };
    expect(sums(refunds(sold, { items: [row, row] }).memos[0])).toMatchObject({ rows: ['100', '0'] });
    expect(refusal(sold, aRequest({ items: [row, row, row] }))).toMatchObject({ parameters: ['Line 1'] });
  });

  test('a quantity beyond what is left wins over everything else that is wrong', () => {
    const closed = { ...sold, state: 'closed' as const, status: 'closed' };
    expect(refusal(closed, aRequest({ take: { 1: 3 }, shipping: '4' }))).toEqual({
      status: 400,
      message: 'We found an invalid quantity to refund item "%1".',
      parameters: ['Line 1'],
    });
    expect(refusal(sold, aRequest({ take: { 1: -1 } }))).toMatchObject({ parameters: ['Line 1'] });
  });

  test('goods by weight come back by weight; a piece cannot be halved', () => {
    const cheese: SoldLine = { qty: quantity(15_000), row: money('30'), tax: money('2.4'), isQtyDecimal: true };
    const shop = aRefundableOrder({ lines: [cheese, line(2, '10')] });
    const half = quantity(5_000);

    expect(sums(refunds(shop, { items: [{ orderItemId: 1, qty: half }] }).memos[0])).toMatchObject({
      rows: ['10', '0'],
      taxes: ['0.8', '0'],
    });
    expect(refusal(shop, aRequest({ items: [{ orderItemId: 2, qty: half }] }))?.message).toBe(
      'Creditmemo Document Validation Error(s):\nWe found an invalid quantity to refund item "SKU-2".',
    );
  });

  test('a part of a set cannot be asked for by itself', () => {
    expect(refusal({ ...sold, partIds: [3] }, aRequest({ take: { 3: 1 } }))?.message).toBe(
      'Creditmemo Document Validation Error(s):\nThe creditmemo contains incorrect product items.',
    );
  });
});

describe('two currencies', () => {
  // 9.95 USD of shipping and 33.33 USD a piece, at 1.36 CAD.
  const inDollars = { lines: [line(3, '99.99', '10')], shipping: money('9.95'), shippingTax: money('0.82') };
  const inCanadianDollars = {
    lines: [line(3, '135.99', '13.60')],
    shipping: money('13.53'),
    shippingTax: money('1.12'),
  };
  const sold = inTwoCurrencies(inDollars, inCanadianDollars, '1.360000000000');

  test('each currency is worked out on its own figures', () => {
    const { memos, order } = refunds(sold, { take: { 1: 1 }, shipping: '4' }, {});

    expect(sums(memos[0], 'base')).toMatchObject({ subtotal: '33.33', tax: '3.66', shipping: '4', grand: '40.99' });
    expect(sums(memos[0], 'order')).toMatchObject({ subtotal: '45.33', tax: '4.98', shipping: '5.44', grand: '55.75' });
    expect(order.base.totalRefunded).toBe(sold.base.totalPaid);
    expect(order.order.totalRefunded).toBe(sold.order.totalPaid);
  });

  test('an adjustment in base money is converted to the cent', () => {
    const { memos } = refunds(sold, { take: { 1: 0 }, shipping: '0', positive: '0.03' });
    expect([memos[0]!.base.grandTotal, memos[0]!.order.grandTotal]).toEqual([money('0.03'), money('0.04')]);
  });

  test('all that is left in one currency is all that is left in the other', () => {
    const deposit = {
      ...sold,
      base: { ...sold.base, totalPaid: money('29.46') },
      order: { ...sold.order, totalPaid: money('40.06') },
    };
    // 29.46 USD is 40.0656 CAD: 40.07 would be a cent too much.
    const { memos } = refunds(deposit, { take: { 1: 0 }, shipping: '0', positive: '29.46' });

    expect(memos[0]!.order).toMatchObject({ adjustmentPositive: money('40.06'), grandTotal: money('40.06') });
  });

  test('all that a refund under way leaves in one currency is all that it leaves in the other', () => {
    const deposit = {
      ...sold,
      base: { ...sold.base, totalPaid: money('29.46') },
      order: { ...sold.order, totalPaid: money('40.06') },
    };
    const figures = computeCreditMemo(deposit, aRequest({ take: { 1: 0 }, shipping: '0', positive: '10' }, '1.36'));
    const meanwhile = { ...deposit, basePendingRefund: money('10'), pendingMemos: [{ refundAttemptId: 1, figures }] };
    // 19.46 USD is 26.4656 CAD: 26.47 would be a cent too much, beside the 13.60 that are under way.
    const { memos } = refunds(meanwhile, { take: { 1: 0 }, shipping: '0', positive: '19.46' });

    expect(memos[0]!.order).toMatchObject({ adjustmentPositive: money('26.46'), grandTotal: money('26.46') });
  });

  test('a last cent of the other currency goes with goodwill that is not worth a cent there', () => {
    const inYen = {
      ...sold,
      baseToOrderRate: '150',
      base: { ...sold.base, totalPaid: money('0.01') },
      order: { ...sold.order, totalPaid: money('0.74') },
    };
    const memo = computeCreditMemo(inYen, {
      ...aRequest({ take: { 1: 0 }, shipping: '0' }),
      adjustmentPositive: { base: zero, order: money('0.74') },
      givenIn: 'order',
    });

    expect(memo.order).toMatchObject({ grandTotal: money('0.74') });
    expect(memo.base).toMatchObject({ adjustmentPositive: money('0.01'), grandTotal: money('0.01') });
  });

  test('the most that can be refunded is sums in the base currency', () => {
    expect(refusal(sold, aRequest({ positive: '100' }, '1.36'))?.message).toContain('available to refund is 120.76.');
  });
});
