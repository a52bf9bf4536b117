import { expect, test } from 'vitest';
import fc from 'fast-check';
import { PosError } from '../../../../domain/errors.ts';
import { handbackOf } from '../../../../domain/credits/handback.ts';
import { legsOfRefund } from '../../../../domain/credits/credit-legs.ts';
import type { AppliedCredit } from '../../../../domain/credits/applied-credit.ts';
import { add, amount, scale, subtract, zero, type Amount } from '../../../../domain/money/amount.ts';
import { coinsOf } from '../../../../domain/money/coins.ts';
import { currencies, inBoth, type InBoth } from '../../../../domain/money/in-both.ts';
import { quantity } from '../../../../domain/money/quantity.ts';
import { afterMemo, afterPendingMemos } from '../../../../domain/platform/credit-memos/credit-memo-after.ts';
import { collectCreditMemo, computeCreditMemo } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import type {
  CreditMemoFigures,
  PendingMemo,
  RefundableOrder,
} from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { evenedOut } from '../../../../domain/refunds/evened-out.ts';
import { memoRequest, plainSettlement, type RefundedItem } from '../../../../domain/refunds/quote-refund.ts';
import { aCredit } from '../../credits/an-order-on-credit.ts';
import { seed } from '../../../support/seed.ts';
import { asOrder, postedSale } from './any-posted-sale.ts';

/** POS_RUNS asks for more. */
const runs = Number(process.env['POS_RUNS'] ?? 1_500);

/** Percent of what is left of each line; and what becomes of the refund. */
const oneReturn = fc.record({
  takes: fc.array(fc.constantFrom(0, 0, 40, 100), { minLength: 5, maxLength: 5 }),
  becomes: fc.constantFrom('booked', 'booked', 'booked', 'known later', 'failed later'),
});

const itemsOf = (order: RefundableOrder, takes?: readonly number[]): RefundedItem[] =>
  afterPendingMemos(order).lines.flatMap(({ orderItemId, qtyInvoiced, qtyRefunded }, at) => {
    const left = qtyInvoiced - qtyRefunded;
    const qty = takes === undefined ? left : Math.floor((left * (takes[at] ?? 0)) / 1_000_000) * 10_000;
    return qty === 0 ? [] : [{ orderItemId, qty: quantity(qty) }];
  });

/** A sale on the way back, with the credit that paid a part of it. */
interface Shop {
  order: RefundableOrder;
  credits: readonly AppliedCredit[];
  handedBack: InBoth;
}

/** What a settle books: the memo, and who gets its money. */
function settled({ order, credits, handedBack }: Shop, items: readonly RefundedItem[]): Shop {
  const figures = computeCreditMemo(order, memoRequest(items, plainSettlement, order));
  return booked({ order, credits, handedBack }, figures);
}

function booked({ order, credits, handedBack }: Shop, figures: CreditMemoFigures): Shop {
  const refund = inBoth((currency) => figures[currency].grandTotal);
  const coins = coinsOf(order);
  const legs = legsOfRefund({
    credits,
    coins,
    refund,
    paid: inBoth((currency) => order[currency].totalPaid),
    refunded: inBoth((currency) => order[currency].totalRefunded),
    goods: { total: zero, refunded: zero, cancelled: zero, refund: zero },
  });
  const handback = handbackOf(refund, legs, coins);
  return {
    order: afterMemo(order, figures),
    handedBack: inBoth((currency) => add(handedBack[currency], handback[currency])),
    credits: credits.map((credit) => {
      const leg = legs.find(({ creditId }) => creditId === credit.creditId);
      return {
        ...credit,
        baseReturned: add(credit.baseReturned, leg?.baseAmount ?? zero),
        amountReturned: add(credit.amountReturned, leg?.amount ?? zero),
      };
    }),
  };
}

function expectSound({ order }: Shop): void {
  for (const currency of currencies) {
    const { totalRefunded, totalPaid } = afterPendingMemos(order)[currency];
    expect(totalRefunded).toBeGreaterThanOrEqual(0);
    expect(totalRefunded).toBeLessThanOrEqual(totalPaid);
  }
}

/** A part of what was paid, in whole coins of both currencies. */
const creditOf = (order: RefundableOrder, percent: number): AppliedCredit[] => {
  const coins = coinsOf(order);
  const part = inBoth((currency) => scale(order[currency].totalPaid, percent, 100, coins[currency]));
  return percent === 0 ? [] : [aCredit(part.base, { baseAmount: part.base, amount: part.order })];
};

test('whatever a sale was posted with, any returns that take all goods give back exactly what came in', () => {
  console.log(`seed ${seed}, ${runs} sales`);
  const property = fc.property(
    postedSale,
    fc.array(oneReturn, { maxLength: 5 }),
    fc.constantFrom(0, 0, 0, 30, 100),
    (sale, returns, creditPercent) => {
      const sold = asOrder(sale);
      fc.pre(sold !== undefined);
      const credits = creditOf(sold, creditPercent);
      let shop: Shop = { order: sold, credits, handedBack: { base: zero, order: zero } };
      const open: (PendingMemo & { items: readonly RefundedItem[]; isDone: boolean })[] = [];
      for (const [at, { takes, becomes }] of returns.entries()) {
        const items = itemsOf(shop.order, takes);
        if (items.length === 0) continue;
        if (becomes === 'booked' || creditPercent > 0) shop = settled(shop, items);
        else {
          const figures = computeCreditMemo(shop.order, memoRequest(items, plainSettlement, shop.order));
          // Nothing to hand back needs no gateway: it is booked at once.
          if (figures.order.grandTotal === zero) shop = booked(shop, figures);
          else {
            open.push({ refundAttemptId: at, figures, items, isDone: becomes === 'known later' });
            shop = { ...shop, order: promised(shop.order, open.at(-1)!, 1) };
          }
        }
        expectSound(shop);
      }
      for (const attempt of open) {
        shop = { ...shop, order: promised(shop.order, attempt, -1) };
        if (attempt.isDone) shop = booked(shop, asRefunded(shop.order, attempt));
        expectSound(shop);
      }
      const rest = itemsOf(shop.order);
      if (rest.length > 0) shop = settled(shop, rest);
      expect(inBoth((currency) => shop.order[currency].totalRefunded)).toEqual(
        inBoth((currency) => sold[currency].totalPaid),
      );
      const inCredit = inBoth((currency) => add(zero, ...credits.map((one) => of(one, currency))));
      expect(shop.credits.map(({ baseReturned, amountReturned }) => [baseReturned, amountReturned])).toEqual(
        credits.map(({ baseAmount, amount: own }) => [baseAmount, own]),
      );
      expect(shop.handedBack).toEqual(inBoth((currency) => subtract(sold[currency].totalPaid, inCredit[currency])));
    },
  );
  fc.assert(property, { seed, numRuns: runs });
});

const of = (credit: AppliedCredit, currency: 'base' | 'order'): Amount =>
  currency === 'base' ? credit.baseAmount : credit.amount;

/** With the memo of a refund that is under way, or without it again. */
function promised(order: RefundableOrder, memo: PendingMemo, sign: 1 | -1): RefundableOrder {
  const sum = memo.figures.base.grandTotal;
  const others = order.pendingMemos.filter(({ refundAttemptId }) => refundAttemptId !== memo.refundAttemptId);
  return {
    ...order,
    basePendingRefund: amount(order.basePendingRefund + sign * sum),
    pendingMemos: sign === 1 ? [...others, memo] : others,
  };
}

/** What a gateway gave back is booked as it was planned. */
function asRefunded(order: RefundableOrder, { figures, items }: PendingMemo & { items: readonly RefundedItem[] }) {
  const request = {
    ...memoRequest(items, plainSettlement, order),
    shipping: { base: figures.base.shippingAmount, order: figures.order.shippingAmount },
  };
  const totals = inBoth((currency) => figures[currency].grandTotal);
  const memo = computeCreditMemo(order, evenedOut(request, collectCreditMemo(order, request), totals));
  expect(inBoth((currency) => memo[currency].grandTotal)).toEqual(totals);
  return memo;
}

test('a fee is kept once, whatever the sums of the sale are', () => {
  const property = fc.property(postedSale, fc.array(oneReturn, { maxLength: 3 }), (sale, returns) => {
    const sold = asOrder(sale);
    fc.pre(sold !== undefined);
    const coin = coinsOf(sold).order;
    let order = sold;
    let fees = zero;
    for (const takes of [...returns.map((one) => one.takes), undefined]) {
      const items = itemsOf(order, takes);
      if (items.length === 0) continue;
      const plain = computeCreditMemo(order, memoRequest(items, plainSettlement, order));
      const fee = scale(plain.order.grandTotal, 10, 100, coin);
      const options = { ...plainSettlement, adjustmentNegative: fee };
      try {
        order = afterMemo(order, computeCreditMemo(order, memoRequest(items, options, order)));
      } catch (error) {
        // The fee is more than the base figure, which is a cent of rounding.
        if (!(error instanceof PosError)) throw error;
        order = afterMemo(order, plain);
        continue;
      }
      fees = add(fees, fee);
    }
    expect(add(order.order.totalRefunded, fees)).toBe(sold.order.totalPaid);
  });
  fc.assert(property, { seed, numRuns: runs });
});
