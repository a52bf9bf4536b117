import { expect, test } from 'vitest';
import fc from 'fast-check';
import { add, amount, scale, zero, type Amount } from '../../../domain/money/amount.ts';
import { coinsOf, isInCoins, toCoins } from '../../../domain/money/coins.ts';
import { quantity } from '../../../domain/money/quantity.ts';
import { afterMemo } from '../../../domain/platform/credit-memos/credit-memo-after.ts';
import { computeCreditMemo } from '../../../domain/platform/credit-memos/credit-memo.ts';
import { PosError } from '../../../domain/errors.ts';
import type { RefundableOrder } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { aRequest, inTwoCurrencies, type SoldOrder } from '../../support/builders/refundable-order.ts';
import { seed } from '../../support/seed.ts';

/** No decimals, two, three, and four. */
const currency = fc.constantFrom('JPY', 'USD', 'KWD', 'UYW');
/** Figures as fine as they can be posted. */
const upTo = (max: number) => fc.integer({ min: 0, max }).map(amount);

const line = fc.record({
  qty: fc.integer({ min: 1, max: 5 }).map((count) => quantity(count * 10_000)),
  row: fc.integer({ min: 50_000, max: 9_000_000 }).map(amount),
  tax: upTo(40_000),
  discount: upTo(20_000),
});

const sold = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
  shipping: upTo(90_000),
  shippingTax: upTo(9_000),
});

const inOwn = (value: Amount, percent: number) => scale(value, percent, 100, 1);

/** The same sale in another currency, nothing of it rounded to any coin. */
const convertedFinely = (
  { lines, shipping, shippingTax }: typeof sold extends fc.Arbitrary<infer Sold> ? Sold : never,
  percent: number,
): SoldOrder => ({
  lines: lines.map(({ qty, row, tax, discount }) => ({
    qty,
    row: inOwn(row, percent),
    tax: inOwn(tax, percent),
    discount: inOwn(discount, percent),
  })),
  shipping: inOwn(shipping, percent),
  shippingTax: inOwn(shippingTax, percent),
});

const order = fc
  .record({ sold, base: currency, own: currency, percent: fc.integer({ min: 50, max: 20_000 }) })
  .map(({ sold: sale, base, own, percent }): RefundableOrder => {
    const rate = base === own ? 100 : percent;
    return {
      ...inTwoCurrencies(sale, convertedFinely(sale, rate), (rate / 100).toFixed(2)),
      baseCurrencyCode: base,
      orderCurrencyCode: own,
    };
  });

const reasons = /^Maximum shipping amount|does not allow a creditmemo/;

function refunded(before: RefundableOrder, takes: readonly number[]): RefundableOrder {
  const items = before.lines.map(({ orderItemId, qtyInvoiced, qtyRefunded }, at) => ({
    orderItemId,
    qty: quantity(Math.min(takes[at % takes.length] ?? 0, (qtyInvoiced - qtyRefunded) / 10_000) * 10_000),
  }));
  try {
    const memo = computeCreditMemo(before, { ...aRequest({ shipping: '0' }), items });
    const coins = coinsOf(before);
    for (const one of ['base', 'order'] as const)
      for (const figure of Object.values(memo[one])) expect(isInCoins(figure, coins[one])).toBe(true);
    return afterMemo(before, memo);
  } catch (error) {
    if (error instanceof PosError && reasons.test(error.message)) return before;
    throw error;
  }
}

test('whatever the currencies and however fine the figures: every memo is in coins, and all of them are what was paid', () => {
  const takes = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 }), { maxLength: 4 });
  fc.assert(
    fc.property(order, takes, (whole, parts) => {
      const coins = coinsOf(whole);
      const paid = {
        base: toCoins(whole.base.totalPaid, coins.base),
        order: toCoins(whole.order.totalPaid, coins.order),
      };
      let left = whole;
      for (const part of parts) left = refunded(left, part);
      if (left.base.totalRefunded !== paid.base || left.order.totalRefunded !== paid.order)
        left = afterMemo(left, computeCreditMemo(left, aRequest()));
      expect({ base: left.base.totalRefunded, order: left.order.totalRefunded }).toEqual(paid);
      expect(add(zero, ...left.lines.map(({ qtyRefunded }) => amount(qtyRefunded)))).toBeGreaterThanOrEqual(0);
    }),
    { seed, numRuns: Number(process.env['POS_RUNS'] ?? 500) },
  );
});
