import { expect, test } from 'vitest';
import fc from 'fast-check';
import { PosError } from '../../../../domain/errors.ts';
import { add, amount, subtract, zero, type Amount } from '../../../../domain/money/amount.ts';
import { toCoins } from '../../../../domain/money/coins.ts';
import { quantity } from '../../../../domain/money/quantity.ts';
import type { Currency } from '../../../../domain/money/in-both.ts';
import { afterMemo, afterPendingMemos } from '../../../../domain/platform/credit-memos/credit-memo-after.ts';
import { collectCreditMemo, computeCreditMemo } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import type {
  CreditMemoRequest,
  LineRegisters,
  PendingMemo,
  RefundableOrder,
} from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { evenedOut } from '../../../../domain/refunds/evened-out.ts';
import { aRefundableOrder, aRequest, converted, inTwoCurrencies } from '../../../support/builders/refundable-order.ts';
import { seed } from '../../../support/seed.ts';
import { aCent } from '../../../support/coins.ts';
import { cents, soldOrder, part, requestOf, inBoth } from './any-refund.ts';

/** POS_RUNS asks for more. */
const runs = Number(process.env['POS_RUNS'] ?? 600);

const sale = fc
  .record({ sold: soldOrder, ratePercent: fc.constantFrom(100, 100, 136, 73, 15_000) })
  .map(({ sold, ratePercent }) => inTwoCurrencies(sold, converted(sold, ratePercent), String(ratePercent / 100)));

const pairs = (line: LineRegisters): [Amount, Amount][] => [
  [line.amountRefunded, line.rowInvoiced],
  [line.discountRefunded, line.discountInvoiced],
  [line.taxRefunded, line.taxInvoiced],
  [line.discountTaxCompensationRefunded, line.discountTaxCompensationInvoiced],
  [line.weeeRefunded, line.weeeInvoiced],
];

/** Nothing below zero, nothing above what was charged or paid. */
function soundness(order: RefundableOrder): string[] {
  const problems: string[] = [];
  const within = (what: string, value: Amount, limit: Amount) => {
    if (value < zero || value > limit) problems.push(`${what}: ${value} of ${limit}`);
  };
  for (const currency of ['base', 'order'] as const) {
    const registers = order[currency];
    within(`${currency} refunded`, registers.totalRefunded, registers.totalPaid);
    within(`${currency} shipping`, registers.shippingRefunded, registers.shippingAmount);
    within(`${currency} shipping tax`, registers.shippingTaxRefunded, registers.shippingTaxAmount);
    within(`${currency} tax`, registers.taxRefunded, registers.taxInvoiced);
    for (const line of order.lines) {
      pairs(line[currency]).forEach(([refunded, invoiced], which) =>
        within(`${currency} line ${line.orderItemId} figure ${which}`, refunded, invoiced),
      );
    }
  }
  return problems;
}

/** The memo; undefined when it is refused for a reason a shop understands. */
function quoted(order: RefundableOrder, request: CreditMemoRequest, reasons: RegExp) {
  try {
    return computeCreditMemo(order, request);
  } catch (error) {
    if (error instanceof PosError && reasons.test(error.message)) return undefined;
    throw error;
  }
}

/** The order after one more memo; unchanged when the memo is refused for a reason a shop understands. */
function refunded(order: RefundableOrder, request: CreditMemoRequest, reasons: RegExp): RefundableOrder {
  const memo = quoted(order, request, reasons);
  return memo ? afterMemo(order, memo) : order;
}

const isAllBack = ({ base, order }: RefundableOrder) =>
  base.totalRefunded === base.totalPaid && order.totalRefunded === order.totalPaid;

test('whatever parts an order comes back in, the last part ends at what was paid, in both currencies', () => {
  const reasons = /^Maximum shipping amount|The order does not allow a creditmemo/;
  fc.assert(
    fc.property(sale, fc.array(part, { maxLength: 5 }), (sold, parts) => {
      let order = sold;
      for (const one of parts) {
        order = refunded(order, requestOf(order, one), reasons);
        expect(soundness(order)).toEqual([]);
      }
      if (!isAllBack(order)) order = afterMemo(order, computeCreditMemo(order, aRequest()));
      expect(soundness(order)).toEqual([]);
      expect(isAllBack(order)).toBe(true);
    }),
    { seed, numRuns: runs },
  );
});

/** Rows and taxes finer than a cent, as some registers work them out; the order's totals are in cents. */
const fineSale = fc
  .array(
    fc.record({
      qty: fc.integer({ min: 1, max: 5 }).map((count) => quantity(count * 10_000)),
      row: fc.integer({ min: 1_000, max: 900_000 }).map(amount),
      tax: fc.integer({ min: 0, max: 40_000 }).map(amount),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) => {
    const sold = aRefundableOrder({ lines });
    const taxInvoiced = toCoins(sold.base.taxInvoiced, aCent);
    const rows = sold.lines.map((line) => line.base.rowInvoiced);
    const grandTotal = add(toCoins(add(...rows), aCent), taxInvoiced);
    const totals = { ...sold.base, taxInvoiced, grandTotal, totalPaid: grandTotal };
    return { ...sold, base: totals, order: totals };
  });

test('figures finer than a cent come back to the cent, too', () => {
  const reasons = /does not allow a creditmemo/;
  fc.assert(
    fc.property(fineSale, fc.array(part, { maxLength: 4 }), (sold, parts) => {
      let order: RefundableOrder = sold;
      for (const { takes } of parts) {
        order = refunded(order, requestOf(order, { takes, shipping: 0, givenIn: 'base' }), reasons);
      }
      if (!isAllBack(order)) order = afterMemo(order, computeCreditMemo(order, aRequest()));
      expect(isAllBack(order)).toBe(true);
    }),
    { seed, numRuns: runs },
  );
});

const adjusted = fc.record({ part, positive: cents(2_000), negative: cents(2_000) });

test('goodwill and fees never give back more than was paid, and the rest can be given back to the cent', () => {
  const reasons = /^Maximum shipping|does not allow a creditmemo|most money available|total must be positive/;
  fc.assert(
    fc.property(sale, fc.array(adjusted, { maxLength: 5 }), (sold, parts) => {
      let order = sold;
      for (const { part: one, positive, negative } of parts) {
        const request = requestOf(order, one);
        const adjustments = {
          adjustmentPositive: inBoth(order, positive, one.givenIn),
          adjustmentNegative: inBoth(order, negative, one.givenIn),
        };
        order = refunded(order, { ...request, ...adjustments }, reasons);
        expect(soundness(order)).toEqual([]);
      }
      order = restAsGoodwill(order);
      expect(soundness(order)).toEqual([]);
      expect(isAllBack(order)).toBe(true);
    }),
    { seed, numRuns: runs },
  );
});

/** Whatever is still paid, without goods; in the currency that has something left. */
function restAsGoodwill(order: RefundableOrder): RefundableOrder {
  const left = (currency: Currency) => subtract(order[currency].totalPaid, order[currency].totalRefunded);
  const givenIn = left('order') === zero ? 'base' : 'order';
  if (left(givenIn) === zero) return order;
  const request = {
    ...aRequest({ take: { 1: 0 }, shipping: '0' }),
    adjustmentPositive: inBoth(order, left(givenIn), givenIn),
    givenIn,
  } as const;
  return afterMemo(order, computeCreditMemo(order, request));
}

const underWay = fc.record({
  adjusted,
  /** Booked at once, or by a gateway that says only in the end whether it gave the money back. */
  becomes: fc.constantFrom('booked', 'known later', 'failed later'),
});

test('whatever a gateway says in the end, and when, its refund can be booked as it was worked out', () => {
  const reasons = /^Maximum shipping|does not allow a creditmemo|most money available|total must be positive/;
  fc.assert(
    fc.property(sale, fc.array(underWay, { maxLength: 5 }), fc.boolean(), (sold, parts, isLastFirst) => {
      let order = sold;
      const open: (PendingMemo & { request: CreditMemoRequest; isDone: boolean })[] = [];
      for (const [at, { adjusted: wanted, becomes }] of parts.entries()) {
        const one = { ...wanted.part, givenIn: becomes === 'booked' ? wanted.part.givenIn : ('order' as const) };
        const request = {
          ...requestOf(afterPendingMemos(order), one),
          adjustmentPositive: inBoth(order, wanted.positive, one.givenIn),
          adjustmentNegative: inBoth(order, wanted.negative, one.givenIn),
        };
        if (becomes === 'booked') {
          order = refunded(order, request, reasons);
          continue;
        }
        const figures = quoted(order, request, reasons);
        if (figures === undefined) continue;
        open.push({ refundAttemptId: at, figures, request, isDone: becomes === 'known later' });
        order = promised(order, open.slice(-1), 1);
      }
      for (const attempt of isLastFirst ? open.toReversed() : open) {
        order = promised(order, [attempt], -1);
        if (attempt.isDone) order = bookedAsPlanned(order, attempt);
        expect(soundness(afterPendingMemos(order))).toEqual([]);
      }
      order = restAsGoodwill(order);
      expect(isAllBack(order)).toBe(true);
    }),
    { seed, numRuns: runs },
  );
});

/** With the memo of a refund that is under way, or without it again. */
function promised(order: RefundableOrder, [memo]: readonly PendingMemo[], sign: 1 | -1): RefundableOrder {
  const sum = memo!.figures.base.grandTotal;
  const others = order.pendingMemos.filter(({ refundAttemptId }) => refundAttemptId !== memo!.refundAttemptId);
  return {
    ...order,
    basePendingRefund: sign === 1 ? add(order.basePendingRefund, sum) : subtract(order.basePendingRefund, sum),
    pendingMemos: sign === 1 ? [...others, memo!] : others,
  };
}

function bookedAsPlanned(
  order: RefundableOrder,
  { figures: planned, request }: PendingMemo & { request: CreditMemoRequest },
): RefundableOrder {
  const shipping = { base: planned.base.shippingAmount, order: planned.order.shippingAmount };
  const wanted = { ...request, shipping };
  const totals = { base: planned.base.grandTotal, order: planned.order.grandTotal };
  const memo = computeCreditMemo(order, evenedOut(wanted, collectCreditMemo(order, wanted), totals));
  expect({ base: memo.base.grandTotal, order: memo.order.grandTotal }).toEqual(totals);
  return afterMemo(order, memo);
}
