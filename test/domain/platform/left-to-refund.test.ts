import { expect, test } from 'vitest';
import fc from 'fast-check';
import { add, amount, money, zero, type Amount } from '../../../domain/money/amount.ts';
import { coinOf } from '../../../domain/money/coins.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import type { Currency } from '../../../domain/money/in-both.ts';
import type { LineRegisters, OrderRegisters } from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { collectCreditMemo } from '../../../domain/platform/credit-memos/credit-memo.ts';
import { leftToRefund } from '../../../domain/platform/left-to-refund.ts';
import { aRefundableOrder, aRequest } from '../../support/builders/refundable-order.ts';
import { seed } from '../../support/seed.ts';

test.each([
  ['something is left', '10', '4', '6'],
  ['all of it came back', '10', '10', '0'],
  ['more came back than there is now', '4', '10', '0'],
  ['nothing was ever there', '0', '3', '0'],
  ['a price below zero', '-10', '-4', '-6'],
  ['a price below zero, of which more came back than there is now', '-4', '-10', '0'],
])('what is left of a figure never changes its sign: %s', (_case, whole, refunded, left) => {
  expect(leftToRefund(money(whole), money(refunded))).toBe(money(left));
});

const sold = { lines: [{ qty: pieces(2), row: money('100'), tax: money('8'), discount: money('5') }] };
const beyond = fc.integer({ min: 0, max: 20_000 }).map((cents) => amount(cents * coinOf('USD')));

/** Registers as a smaller save or a cancelled invoice leaves them: beyond what there is. */
const overdrawn = fc.record({ line: beyond, tax: beyond, shipping: beyond, shippingTax: beyond, compensation: beyond });

test('whatever registers say, no part of a memo takes money', () => {
  fc.assert(
    fc.property(overdrawn, fc.integer({ min: 0, max: 2 }), (by, qty) => {
      const order = aRefundableOrder({ ...sold, shipping: money('10'), shippingTax: money('0.8') });
      const [line] = order.lines;
      const lineIn = (one: LineRegisters): LineRegisters => ({
        ...one,
        amountRefunded: by.line,
        taxRefunded: by.tax,
        discountRefunded: by.line,
        discountTaxCompensationRefunded: by.compensation,
        weeeRefunded: by.line,
      });
      const headIn = (one: OrderRegisters): OrderRegisters => ({
        ...one,
        taxRefunded: by.tax,
        shippingRefunded: by.shipping,
        shippingTaxRefunded: by.shippingTax,
        discountTaxCompensationRefunded: by.compensation,
      });
      const overdrawnOrder = {
        ...order,
        lines: [{ ...line!, base: lineIn(line!.base), order: lineIn(line!.order) }],
        base: headIn(order.base),
        order: headIn(order.order),
      };
      const items = qty === 0 ? {} : { items: [{ orderItemId: 1, qty: pieces(qty) }] };

      const memo = collectCreditMemo(overdrawnOrder, { ...aRequest(), ...items });

      for (const currency of ['base', 'order'] satisfies Currency[]) {
        const { shippingAmount, shippingTaxAmount, taxAmount, discountTaxCompensationAmount } = memo[currency];
        const own = memo.lines[0]![currency];
        const parts: Amount[] = [shippingAmount, shippingTaxAmount, taxAmount, discountTaxCompensationAmount];
        expect(parts.filter((part) => part < 0)).toEqual([]);
        expect(Object.entries(own).filter(([, part]) => part < 0)).toEqual([]);
        expect(add(zero, ...parts)).toBeLessThanOrEqual(money('20'));
      }
    }),
    { seed, numRuns: 300 },
  );
});
