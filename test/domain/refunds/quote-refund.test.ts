import { expect, test } from 'vitest';
import { money, zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { handbackOf } from '../../../domain/credits/handback.ts';
import { differenceOf, memoRequest, plainSettlement, type RefundLeg } from '../../../domain/refunds/quote-refund.ts';
import { inCents, rated } from '../../support/coins.ts';

const storeCredit = (amount: string): RefundLeg => ({
  kind: 'store_credit',
  providerCode: 'builtin',
  baseAmount: money(amount),
  amount: money(amount),
});

test('two rows of one line are one line of the memo', () => {
  const items = [
    { orderItemId: 3, qty: pieces(1) },
    { orderItemId: 3, qty: pieces(2) },
    { orderItemId: 4, qty: pieces(1) },
  ];
  expect(memoRequest(items, plainSettlement, rated('1')).items).toEqual([
    { orderItemId: 3, qty: pieces(3) },
    { orderItemId: 4, qty: pieces(1) },
  ]);
});

test.each([null, zero, money('0.004')])('shipping %s lets the platform distribute what is left', (shippingAmount) => {
  expect(memoRequest([], { ...plainSettlement, shippingAmount }, rated('1'))).not.toHaveProperty('shipping');
});

test('amounts in the order’s currency stay as given, and the base follows by the rate', () => {
  const options = { ...plainSettlement, adjustmentPositive: money('13.60'), shippingAmount: money('6.80') };
  const request = memoRequest([], options, rated('1.36'));
  expect(request.adjustmentPositive).toEqual({ order: money('13.60'), base: money('10') });
  expect(request.shipping).toEqual({ order: money('6.80'), base: money('5') });
});

test('amounts finer than a cent are rounded half away from zero, in both currencies', () => {
  const options = {
    ...plainSettlement,
    adjustmentPositive: money('2.505'),
    adjustmentNegative: money('1.004'),
    shippingAmount: money('3.3333'),
  };
  expect(memoRequest([], options, rated('1'))).toEqual({
    items: [],
    evensOutPosted: true,
    adjustmentPositive: { order: money('2.51'), base: money('2.51') },
    adjustmentNegative: { order: money('1'), base: money('1') },
    shipping: { order: money('3.33'), base: money('3.33') },
  });
});

test('the handback is the refund less every credit leg', () => {
  expect(handbackOf({ base: money('20'), order: money('20') }, [storeCredit('7.50')], inCents)).toEqual({
    base: money('12.50'),
    order: money('12.50'),
  });
});

test.each([
  ['nothing was expected', undefined, [], null],
  ['the same legs', [storeCredit('5')], [storeCredit('5')], null],
  [
    'other legs',
    [storeCredit('5')],
    [],
    'The credit given back differs from the preview (store_credit: expected 5, booked 0).',
  ],
  [
    'a leg that cannot be read',
    [{ kind: 'store_credit', amount: null } as const],
    [storeCredit('5')],
    'The credit given back differs from the preview (store_credit: expected an amount that cannot be read, booked 5).',
  ],
])('what differs from the preview is one sentence: %s', (_case, expected, booked, sentence) => {
  expect(differenceOf(expected, booked)).toBe(sentence);
});
