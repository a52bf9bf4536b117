import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { add, amount, money, subtract, toWire, zero } from '../../../../domain/money/amount.ts';
import { parseQuantity, pieces, quantity } from '../../../../domain/money/quantity.ts';
import { cartTotals, type PricedLine, type TaxRules } from '../../../../domain/platform/carts/cart-totals.ts';
import { none } from '../../../../domain/money/quantity.ts';
import type { Promotion } from '../../../../domain/platform/sales-rules/promotion.ts';
import { seed } from '../../../support/seed.ts';
import { aCent } from '../../../support/coins.ts';

const plain: TaxRules = { pricesIncludeTax: false, isTaxedAfterDiscount: true, taxesFixedTaxes: false };
const including: TaxRules = { pricesIncludeTax: true, isTaxedAfterDiscount: true, taxesFixedTaxes: false };
const line = (price: string, qty: string, taxPercent = 8): PricedLine => ({
  unitPrice: money(price),
  qty: parseQuantity(qty)!,
  taxPercent: taxPercent * 10_000,
  fixedTaxes: [],
});
type Discount = Pick<Promotion, 'action' | 'amount'>;
const everyLine = { ruleId: 1, mostQty: none, step: none, appliesToShipping: false, stops: false };
const promotions = (discount: Discount | undefined, lines: readonly unknown[]): Promotion[] =>
  discount ? [{ ...everyLine, ...discount, lines: lines.map(() => true) }] : [];
const percentOff = (percent: string): Discount => ({ action: 'by_percent', amount: money(percent) });
const offTheCart = (off: string): Discount => ({ action: 'cart_fixed', amount: money(off) });
const offEach = (off: string): Discount => ({ action: 'by_fixed', amount: money(off) });

test.each([
  ['nothing', [], plain, undefined, '0', [0, 0, 0, 0, 0]],
  ['two mugs', [line('50', '2')], plain, undefined, '5', [100, 0, 8, 5, 113]],
  ['a row is rounded once', [line('33.33', '3', 8.25)], plain, undefined, '0', [99.99, 0, 8.25, 0, 108.24]],
  ['by weight', [line('21.90', '0.257')], plain, undefined, '0', [5.63, 0, 0.45, 0, 6.08]],
  ['a price of four decimals', [line('0.3333', '3', 0)], plain, undefined, '0', [1, 0, 0, 0, 1]],
  ['ten percent off', [line('50', '2')], plain, percentOff('10'), '5', [100, 10, 7.2, 5, 102.2]],
  [
    'taxed before the discount',
    [line('50', '2')],
    { ...plain, isTaxedAfterDiscount: false },
    percentOff('10'),
    '0',
    [100, 10, 8, 0, 98],
  ],
  ['three off each', [line('50', '2')], plain, offEach('3'), '0', [100, 6, 7.52, 0, 101.52]],
  ['more off each than it costs', [line('2', '2')], plain, offEach('3'), '0', [4, 4, 0, 0, 0]],
  ['more off the cart than it costs', [line('2', '2')], plain, offTheCart('50'), '5', [4, 4, 0, 5, 5]],
  [
    'ten off three rows',
    [line('10', '1', 0), line('10', '1', 0), line('10', '1', 0)],
    plain,
    offTheCart('10'),
    '0',
    [30, 10, 0, 0, 20],
  ],
  ['tax in the price', [line('119', '1', 19)], including, undefined, '0', [100, 0, 19, 0, 119]],
  [
    'tax in the price, ten percent off',
    [line('119', '1', 19)],
    including,
    percentOff('10'),
    '0',
    [100, 10, 17.1, 0, 107.1],
  ],
  ['tax in an awkward price', [line('9.99', '3', 19)], including, undefined, '0', [25.18, 0, 4.79, 0, 29.97]],
  ['a cent that is tax alone', [line('0.0002', '25', 100)], including, undefined, '0', [0, 0, 0.01, 0, 0.01]],
  ['no tax in the price', [line('9.99', '1', 0)], including, undefined, '0', [9.99, 0, 0, 0, 9.99]],
] as const)('%s', (_case, lines, rules, discount, shipping, expected) => {
  const totals = cartTotals(lines, {
    rules,
    promotions: promotions(discount, lines),
    shipping: money(shipping),
    coin: aCent,
  });

  expect(
    [totals.subtotal, totals.discountAmount, totals.taxAmount, totals.shippingAmount, totals.grandTotal].map(toWire),
  ).toEqual(expected);
});

test.each([
  ['as it is', plain, '0.99', [2.97, 0, 0.99, 0.99, 7.21]],
  ['with tax on it', { ...plain, taxesFixedTaxes: true }, '0.99', [2.97, 0.24, 0.99, 1.07, 7.45]],
  ['with tax in it', { ...including, taxesFixedTaxes: true }, '1.08', [3, 0.24, 1, 1.08, 7.24]],
  ['with prices that include tax, without tax on it', including, '1.08', [3.24, 0, 1.08, 1.08, 7.24]],
  ['of half a cent', plain, '0.005', [0.02, 0, 0.005, 0.005, 4.26]],
] as const)(
  'a fixed tax is charged %s, rounded once for the row',
  (_case, rules, fee, [row, tax, one, oneInclTax, grand]) => {
    const fixedTaxes = [{ title: 'Recycling fee', amount: money(fee) }];
    const goods = { ...line('1', '3'), taxPercent: 80_000, fixedTaxes };
    const totals = cartTotals([goods], { rules, promotions: [], shipping: money('1'), coin: aCent });
    const [fixed] = totals.lines[0]!.fixedTaxes;
    expect([fixed!.amount, fixed!.amountInclTax].map(toWire)).toEqual([one, oneInclTax]);
    expect(toWire(totals.fixedTaxAmount)).toBe(row);
    expect(toWire(subtract(totals.taxAmount, totals.lines[0]!.taxAmount))).toBe(tax);
    expect(toWire(totals.grandTotal)).toBe(grand);
  },
);

test('a discount takes nothing off a fixed tax, and what it brings beyond counting is refused', () => {
  const fixedTaxes = [{ title: 'Recycling fee', amount: money('2') }];
  const goods = { ...line('10', '2'), fixedTaxes };
  const free = { rules: plain, promotions: promotions(percentOff('100'), [goods]), shipping: zero, coin: aCent };
  expect(cartTotals([goods], free)).toMatchObject({ grandTotal: money('4'), fixedTaxAmount: money('4') });
  const golden = { ...line('1', '1'), qty: pieces(10_000), fixedTaxes: [{ title: 'Fee', amount: money('900000000') }] };
  expect(() => cartTotals([golden], free)).toThrow('The cart is worth more than can be counted.');
});

test('a price that includes the tax is told without it to four decimals', () => {
  const [figures] = cartTotals([line('9.99', '1', 19)], {
    rules: including,
    promotions: [],
    shipping: zero,
    coin: aCent,
  }).lines;
  expect(figures).toMatchObject({ price: money('8.395'), priceInclTax: money('9.99') });
});

test('what cannot be counted is refused, not miscounted', () => {
  const golden = { ...line('900000000', '1'), qty: pieces(10_000) };
  expect(() => cartTotals([golden], { rules: plain, promotions: [], shipping: zero, coin: aCent })).toThrow(
    'The cart is worth more than can be counted.',
  );
});

describe('whatever is in it', () => {
  const someLine = fc.record({
    unitPrice: fc.integer({ min: 0, max: 50_000_000 }).map(amount),
    qty: fc.integer({ min: 1, max: 500_000 }).map(quantity),
    taxPercent: fc.integer({ min: 0, max: 1_000_000 }),
    fixedTaxes: fc.array(
      fc.record({ title: fc.constant('Recycling fee'), amount: fc.integer({ min: 1, max: 500_000 }).map(amount) }),
      { maxLength: 2 },
    ),
  });
  const someDiscount = fc.option(
    fc.record({
      action: fc.constantFrom('by_percent', 'by_fixed', 'cart_fixed'),
      amount: fc.integer({ min: 1, max: 1_000_000 }).map(amount),
    }),
    { nil: undefined },
  );

  test('it adds up, nothing is below zero, and no row is discounted beyond its worth', () => {
    fc.assert(
      fc.property(
        fc.array(someLine, { maxLength: 12 }),
        someDiscount,
        fc.record({
          pricesIncludeTax: fc.boolean(),
          isTaxedAfterDiscount: fc.boolean(),
          taxesFixedTaxes: fc.boolean(),
        }),
        (lines, discount, rules) => {
          const totals = cartTotals(lines, {
            rules,
            promotions: promotions(discount, lines),
            shipping: money('5'),
            coin: aCent,
          });

          expect(totals.grandTotal).toBe(
            subtract(
              add(totals.subtotal, totals.shippingAmount, totals.fixedTaxAmount, totals.taxAmount),
              totals.discountAmount,
            ),
          );
          for (const row of totals.lines) {
            expect(row.discountAmount).toBeLessThanOrEqual(row.rowTotal);
            for (const figure of Object.values({ ...row, ruleIds: 0, fixedTaxes: 0 }))
              expect(figure).toBeGreaterThanOrEqual(0);
            for (const { rowAmount, rowAmountInclTax } of row.fixedTaxes) {
              expect(rowAmountInclTax).toBeGreaterThanOrEqual(rowAmount);
              for (const cents of [rowAmount, rowAmountInclTax]) expect(cents % 100).toBe(0);
            }
            for (const cents of [row.rowTotal, row.taxAmount, row.discountAmount]) expect(cents % 100).toBe(0);
          }
          if (discount?.action === 'cart_fixed')
            expect(totals.discountAmount).toBe(Math.min(Math.round(discount.amount / 100) * 100, totals.subtotal));
        },
      ),
      { seed },
    );
  });

  test('where prices include the tax and nothing is taken off, what is paid is the prices', () => {
    fc.assert(
      fc.property(fc.array(someLine, { maxLength: 12 }), (lines) => {
        const totals = cartTotals(lines, { rules: including, promotions: [], shipping: zero, coin: aCent });
        expect(totals.grandTotal).toBe(add(totals.subtotalInclTax, totals.fixedTaxAmount));
      }),
      { seed },
    );
  });
});
