import { expect, test } from '@jest/globals';
import { money, zero } from '../../../domain/money.ts';
import { collect, creditDueAfterMemo, remainingDueOf } from '../../../domain/orders.ts';
import { rated } from '../../support/coins.ts';

const order = (creditDue: string | null, paid = '0', goodsBack = '0') => ({
  grandTotal: money('108'),
  baseGrandTotal: money('108'),
  totalPaid: money(paid),
  baseTotalPaid: money(paid),
  dueTakenOff: zero,
  baseDueTakenOff: zero,
  creditDue: creditDue === null ? null : money(creditDue),
  goodsBack: money(goodsBack),
  state: 'processing' as const,
  ...rated('1'),
});

test.each([
  ['108', '0', '108'],
  ['58', '0', '58'],
  ['108', '50', '58'],
  [null, '0', '0'],
  ['0', '0', '0'],
  ['58', '108', '0'],
])('of a credit due of %s with %s paid, %s can be collected', (due, paid, expected) => {
  expect(remainingDueOf(order(due, paid))).toBe(money(expected));
});

test('nothing can be collected of an order that was cancelled', () => {
  expect(remainingDueOf({ ...order('58'), state: 'canceled' })).toBe(money('0'));
});

test.each([
  ['58', '50', '20', { creditDue: '38', remainingDue: '38', totalPaid: '70', totalDue: '38' }],
  ['58', '50', '58', { creditDue: '0', remainingDue: '0', totalPaid: '108', totalDue: '0' }],
  ['20', '0', '20', { creditDue: '0', remainingDue: '0', totalPaid: '20', totalDue: '88' }],
  ['10.005', '0', '10', { creditDue: '0.005', remainingDue: '0.005', totalPaid: '10', totalDue: '98' }],
])('of %s due with %s paid, %s is collected', (due, paid, amount, after) => {
  const amounts = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, money(value)]));
  expect(collect(order(due, paid), money(amount))).toMatchObject({ amount: money(amount), ...amounts });
});

test.each([
  ['10.005', '10.005'],
  ['10.005', '10.01'],
  ['0.005', '0.01'],
])('of %s due, %s collects the last part of a cent', (due, amount) => {
  expect(collect(order(due), money(amount))).toMatchObject({ amount: money(due), creditDue: 0, remainingDue: 0 });
});

test.each(['0', '-1', '0.0049'])('%s is refused as a payment', (amount) => {
  expect(() => collect(order('58'), money(amount))).toThrow('Credit due payment amount must be positive');
});

test('a cent above what is due is refused, and told what is due', () => {
  expect(() => collect(order('58'), money('58.01'))).toThrow(
    expect.objectContaining({
      status: 400,
      message: 'The amount %1 exceeds the remaining credit due of %2.',
      parameters: ['58.01', '58'],
    }),
  );
});

test.each([
  ['58', '0', '0', '58'],
  ['58', '0', '54', '54'],
  ['58', '0', '108', '0'],
  ['58', '0', '120', '0'],
])('of %s due with %s paid and goods of %s back, %s can be collected', (due, paid, back, expected) => {
  expect(remainingDueOf(order(due, paid, back))).toBe(money(expected));
  expect(() => collect(order(due, paid, back), money('108.01'))).toThrow(/exceeds the remaining/);
});

test.each([
  // Goods of 100 back, 40 were there.
  { due: '60', left: '40', total: '40', fee: '60', goodwill: '0', after: '0' },
  // One of two at 50, and 40 were there.
  { due: '60', left: '40', total: '40', fee: '10', goodwill: '0', after: '50' },
  // One of two at 50, and 60 were there: a fee of 5 is a fee.
  { due: '40', left: '60', total: '45', fee: '5', goodwill: '0', after: '40' },
  // A fee of 5 beside what was not there.
  { due: '60', left: '40', total: '35', fee: '65', goodwill: '0', after: '0' },
  // Goodwill without goods.
  { due: '60', left: '40', total: '5', fee: '0', goodwill: '5', after: '60' },
  { due: '60', left: '40', total: '40', fee: '65', goodwill: '5', after: '0' },
  { due: '0', left: '0', total: '0', fee: '100', goodwill: '0', after: '0' },
])('of $due due with $left there, a memo of $total with $fee off and $goodwill on leaves $after', (given) => {
  const { due, left, total, fee, goodwill, after } = given;
  const memo = { grandTotal: money(total), adjustmentNegative: money(fee), adjustmentPositive: money(goodwill) };
  expect(creditDueAfterMemo({ creditDue: money(due), moneyLeft: money(left), memo })).toBe(money(after));
});
