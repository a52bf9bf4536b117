import { expect, test } from '@jest/globals';
import { money, toWire, none, pieces } from '../../../../domain/money.ts';
import { promote, type Promotion } from '../../../../domain/platform/sales-rules/promotion.ts';
import { aCent } from '../../../support/coins.ts';

const rows = [
  { rowTotal: money('100'), qty: pieces(2) },
  { rowTotal: money('30'), qty: pieces(3) },
];
const offer = (more: Partial<Promotion> & { off: string }): Promotion => {
  const { off, ...given } = more;
  return {
    ...{ ruleId: 1, action: 'by_percent', mostQty: none, step: none, appliesToShipping: false, stops: false },
    ...{ amount: money(off), lines: [true, true] },
    ...given,
  };
};
const taken = (...promotions: Promotion[]) => {
  const { discounts, shippingDiscount, ruleIds } = promote(rows, promotions, { shipping: money('10'), coin: aCent });
  return { off: discounts.map(toWire), shipping: toWire(shippingDiscount), ruleIds };
};

test.each([
  ['a percentage', [offer({ off: '10' })], [10, 3]],
  ['more than everything', [offer({ off: '150' })], [100, 30]],
  ['an amount for each piece', [offer({ off: '4', action: 'by_fixed' })], [8, 12]],
  ['an amount for the cart', [offer({ off: '13', action: 'cart_fixed' })], [10, 3]],
  ['only the goods that it is for', [offer({ off: '10', lines: [false, true] })], [0, 3]],
  ['at most so many pieces', [offer({ off: '10', mostQty: pieces(1) })], [5, 1]],
  ['every second piece pair', [offer({ off: '10', step: pieces(2) })], [10, 2]],
  ['two that follow each other', [offer({ off: '10' }), offer({ off: '10', ruleId: 2 })], [19, 5.7]],
  ['buy two, get one', [offer({ off: '1', action: 'buy_x_get_y', step: pieces(2) })], [0, 10]],
  ['buy one, get one', [offer({ off: '1', action: 'buy_x_get_y', step: pieces(1) })], [50, 10]],
  ['more free than paid is nothing', [offer({ off: '2', action: 'buy_x_get_y', step: pieces(1) })], [0, 0]],
] as const)('%s', (_case, promotions, off) => {
  expect(taken(...promotions).off).toEqual(off);
});

test('one that stops the others does so only for its own lines', () => {
  const first = offer({ off: '10', lines: [true, false], stops: true });
  expect(taken(first, offer({ off: '50', ruleId: 2 }))).toEqual({ off: [10, 15], shipping: 0, ruleIds: [[1], [2]] });
});

test.each([
  [offer({ off: '50', appliesToShipping: true }), 5],
  [offer({ off: '4', action: 'by_fixed', appliesToShipping: true }), 4],
  [offer({ off: '135', action: 'cart_fixed', appliesToShipping: true }), 5],
  [offer({ off: '100', action: 'cart_fixed', appliesToShipping: true }), 0],
  [offer({ off: '50' }), 0],
])('shipping is discounted where the promotion says so: %#', (promotion, off) => {
  expect(taken(promotion).shipping).toBe(off);
});
