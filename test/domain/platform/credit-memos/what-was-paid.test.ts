import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { handbackOf, type AppliedCredit } from '../../../../domain/credits/applied-credit.ts';
import { legsOfRefund } from '../../../../domain/credits/credit-legs.ts';
import { PosError } from '../../../../domain/errors.ts';
import {
  add,
  amount,
  money,
  scale,
  subtract,
  toPlain,
  zero,
  coinsOf,
  currencies,
  inBoth,
  pieces,
  quantity,
  type Amount,
  type InBoth,
} from '../../../../domain/money.ts';
import {
  afterMemo,
  afterPendingMemos,
  splitRefunded,
  takeFrom,
} from '../../../../domain/platform/credit-memos/credit-memo-coins.ts';
import type {
  CreditMemoFigures,
  PendingMemo,
  RefundableOrder,
} from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { collectCreditMemo, computeCreditMemo } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import { whyItDiffers } from '../../../../domain/platform/credit-memos/posted-difference.ts';
import {
  evenedOut,
  memoRequest,
  plainSettlement,
  type RefundedItem,
  type SettlementOptions,
} from '../../../../domain/refunds/quote-refund.ts';
import {
  aRefundableOrder,
  aRequest,
  inTwoCurrencies,
  type WantedMemo,
} from '../../../support/builders/refundable-order.ts';
import { seed } from '../../../support/seed.ts';
import { aCredit } from '../../credits/an-order-on-credit.ts';
import { asOrder, postedSale } from './any-posted-sale.ts';
import { line, refunds, refusal, sums } from './quoted-refunds.ts';

describe('credit memo refusals', () => {
  describe('refusals', () => {
    const sold = aRefundableOrder({ lines: [line(2, '100', '8')] });

    const paidEight = { ...sold.base, totalPaid: money('20'), returnedWithoutMemo: money('12') };
    const cancelled = { ...sold, state: 'canceled', status: 'canceled', base: paidEight, order: paidEight } as const;

    test.each<[string, Partial<RefundableOrder>, WantedMemo, string | undefined]>([
      ['its money, up to what did not go back otherwise', {}, { take: { 1: 0 }, positive: '8' }, undefined],
      ['a cent more', {}, { take: { 1: 0 }, positive: '8.01' }, 'The most money available to refund is 8.'],
      ['goods', {}, { take: { 1: 1 }, negative: '50' }, 'has a status of canceled'],
      ['nothing', {}, { take: { 1: 0 } }, 'has a status of canceled'],
      [
        'a fee that was kept',
        { isLayawayCancelled: true },
        { take: { 1: 0 }, positive: '8' },
        'has a status of canceled',
      ],
    ])('of a cancelled order come back: %s', (_what, more, wanted, message) => {
      const said = refusal({ ...cancelled, ...more }, aRequest(wanted))?.message;
      if (message === undefined) expect(said).toBeUndefined();
      else expect(said).toContain(message);
    });

    test.each(['payment_review', 'holded', 'canceled', 'closed'] as const)(
      'nothing comes back of an order that is %s',
      (state) => {
        expect(refusal({ ...sold, state, status: state }, aRequest({ take: { 1: 1 } }))?.message).toBe(
          `Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status of ${state}`,
        );
      },
    );

    test('an order that paid nothing gives nothing back', () => {
      const unpaid = {
        ...sold,
        base: { ...sold.base, totalPaid: money('0') },
        order: { ...sold.order, totalPaid: money('0') },
      };
      expect(refusal(unpaid, aRequest())?.message.split('\n')).toEqual([
        'Creditmemo Document Validation Error(s):',
        'The order does not allow a creditmemo to be created.',
        'The most money available to refund is 0.',
      ]);
    });

    test('an order of nothing gives its goods back', () => {
      const gift = aRefundableOrder({ lines: [line(2, '0')] });
      expect(sums(refunds(gift, {}).memos[0])).toMatchObject({ rows: ['0'], grand: '0' });
    });

    test('a fee above the goods would take money', () => {
      expect(refusal(sold, aRequest({ take: { 1: 1 }, negative: '54.01' }))?.message).toContain(
        "The credit memo's total must be positive.",
      );
      expect(sums(refunds(sold, { take: { 1: 1 }, negative: '54' }).memos[0])).toMatchObject({ grand: '0' });
    });

    test('an amount below zero is refused', () => {
      expect(refusal(sold, aRequest({ positive: '-1' }))).toEqual({
        status: 400,
        message: 'The %fieldName value of "%value" must be greater than or equal to %minValue.',
        parameters: { fieldName: 'adjustmentPositive', value: '-1', minValue: 0 },
      });
    });

    test('a line of another order is named after all else', () => {
      expect(refusal(sold, aRequest({ take: { 1: 2, 9: 1 }, positive: '1' }))?.message.split('\n')).toEqual([
        'Creditmemo Document Validation Error(s):',
        'The most money available to refund is 108.',
        'The creditmemo contains product item that is not part of the original order.',
      ]);
    });

    test('money promised to a refund under way is not there for another', () => {
      expect(refusal({ ...sold, basePendingRefund: money('54.01') }, aRequest({ take: { 1: 1 } }))?.message).toContain(
        'The most money available to refund is 53.99.',
      );
    });
  });
});

describe('credit memo stock', () => {
  test.each([
    { invoiced: 2, shipped: 0, qty: 1, unshipped: 1, handedOver: 0 },
    { invoiced: 2, shipped: 2, qty: 1, unshipped: 0, handedOver: 1 },
    { invoiced: 3, shipped: 1, qty: 3, unshipped: 2, handedOver: 1 },
    { invoiced: 3, shipped: 1, never: 2, qty: 1, unshipped: 0, handedOver: 1 },
    { invoiced: 3, shipped: 2, cameBack: 1, qty: 2, unshipped: 1, handedOver: 1 },
    { invoiced: 3, shipped: 2, never: 1, qty: 2, unshipped: 0, handedOver: 2 },
    { invoiced: 1, shipped: 3, qty: 1, unshipped: 0, handedOver: 1 },
  ])('of $invoiced invoiced and $shipped handed over, $qty more back: $unshipped lie there', (given) => {
    const { never = 0, cameBack = 0 } = given;
    const before = { cameBack: pieces(cameBack), neverShipped: pieces(never) };
    const line = { qtyInvoiced: pieces(given.invoiced), qtyShipped: pieces(given.shipped), before };
    expect(splitRefunded(line, pieces(given.qty))).toEqual({
      unshipped: pieces(given.unshipped),
      shipped: pieces(given.handedOver),
    });
  });

  test('sources give in their order, and what earlier refunds took is passed over', () => {
    const sources = [
      { sourceCode: 'floor', qty: pieces(2) },
      { sourceCode: 'cellar', qty: pieces(3) },
    ];
    expect(takeFrom(sources, pieces(3))).toEqual([
      { sourceCode: 'floor', qty: pieces(2) },
      { sourceCode: 'cellar', qty: pieces(1) },
    ]);
    expect(takeFrom(sources, pieces(3), pieces(3))).toEqual([{ sourceCode: 'cellar', qty: pieces(2) }]);
  });
});

describe('posted difference', () => {
  /**
   * Line by line, as returns at the register: what each gives back, in base and order currency, and what its memo says.
   */
  function returned(sold: RefundableOrder, ...returns: (number[] | [number[], Partial<SettlementOptions>])[]) {
    let order = sold;
    return returns.map((one) => {
      const [ids, options] = Array.isArray(one[0]) ? (one as [number[], object]) : [one as number[], {}];
      const items = ids.map((orderItemId) => ({ orderItemId, qty: pieces(1) }));
      const memo = computeCreditMemo(order, memoRequest(items, { ...plainSettlement, ...options }, order));
      const why = whyItDiffers(order, memo);
      order = afterMemo(order, memo);
      return [toPlain(memo.base.grandTotal), toPlain(memo.order.grandTotal), why];
    });
  }

  const sumsOf = (memos: ReturnType<typeof returned>) => memos.map(([, sum]) => sum);

  describe('a sale whose lines and total disagree gives back what was paid', () => {
    test('cash that was rounded down: the last return bears it', () => {
      const sold = aRefundableOrder({ lines: [line(1, '10'), line(1, '2.97')], total: money('12.95') });
      expect(returned(sold, [1], [2])).toEqual([
        ['10', '10', null],
        [
          '2.95',
          '2.95',
          'This memo gives back $0.02 less than its goods come to: the sale came to $12.95, and its parts to $12.97.',
        ],
      ]);
    });

    test('a discount of the header is shared by the goods', () => {
      const sold = aRefundableOrder({ lines: [line(1, '60'), line(1, '40')], headerDiscount: money('10') });
      const why = 'a discount of $10.00 on the whole sale is on none of its lines.';
      expect(returned(sold, [1], [2])).toEqual([
        ['54', '54', `This memo gives back $6.00 less than its goods come to: ${why}`],
        ['36', '36', `This memo gives back $4.00 less than its goods come to: ${why}`],
      ]);
    });

    test('a tip goes back with the last of the goods', () => {
      const sold = aRefundableOrder({ lines: [line(1, '20'), line(1, '5')], total: money('28') });
      expect(returned(sold, [2], [1])).toEqual([
        ['5', '5', null],
        [
          '23',
          '23',
          'This memo gives back $3.00 more than its goods come to: the sale came to $28.00, and its parts to $25.00.',
        ],
      ]);
    });

    test('goods taken in payment: no return gives more than was paid, none takes money', () => {
      const sold = aRefundableOrder({ lines: [line(1, '50'), line(1, '-20')] });
      expect(sumsOf(returned(sold, [1], [2]))).toEqual(['30', '0']);
      const [first, second] = returned(sold, [2], [1]);
      expect(first).toEqual(['0', '0', expect.stringContaining('no memo takes money from a customer')]);
      expect(sumsOf([second!])).toEqual(['30']);
    });

    test('base figures that were rounded by the rate: each currency ends at what was paid in it', () => {
      const base = { lines: [line(1, '7.35'), line(1, '7.35')], total: money('14.71') };
      const sold = inTwoCurrencies(base, { lines: [line(1, '10'), line(1, '10')] }, '1.36');
      expect(returned(sold, [1], [2])).toEqual([
        ['7.35', '10', null],
        [
          '7.36',
          '10',
          'This memo gives back $0.01 more than its goods come to: the sale came to $14.71, and its parts to $14.70.',
        ],
      ]);
    });

    test('a fee is kept, and the next return does not give it back', () => {
      const sold = aRefundableOrder({ lines: [line(1, '50'), line(1, '50')], total: money('99.98') });
      const fee = { adjustmentNegative: money('10') };
      expect(sumsOf(returned(sold, [[1], fee], [2]))).toEqual(['40', '49.98']);
    });

    test('goodwill that was given before is not paid twice', () => {
      const sold = aRefundableOrder({ lines: [line(1, '54'), line(1, '54')] });
      const goodwill = computeCreditMemo(sold, aRequest({ take: { 1: 0 }, shipping: '0', positive: '5' }));
      expect(returned(afterMemo(sold, goodwill), [1, 2])).toEqual([
        ['103', '103', expect.stringContaining('no more of what was paid is left for them')],
      ]);
    });

    test('what was paid in part goes back in part', () => {
      const sold = aRefundableOrder({ lines: [line(1, '60'), line(1, '40')], totalPaid: money('40') });
      expect(sumsOf(returned(sold, [1, 2]))).toEqual(['40']);
    });
  });

  describe('goods that are worth nothing', () => {
    const sold = aRefundableOrder({ lines: [line(1, '12'), line(1, '0'), line(1, '9', '0', '9')] });

    test.each([[[1, 2, 3]], [[2, 1, 3]], [[3, 2, 1]]])('come back at any time: %j', (ids) => {
      const sums = sumsOf(returned(sold, ...ids.map((id) => [id])));
      expect(sums).toEqual(ids.map((id) => (id === 1 ? '12' : '0')));
    });

    test('come back to an order that was closed when its money had gone back', () => {
      const paid = computeCreditMemo(sold, aRequest({ take: { 1: 1 } }));
      const closed = { ...afterMemo(sold, paid), state: 'closed', status: 'closed' } as const;
      expect(returned(closed, [2])).toEqual([['0', '0', null]]);
      // The platform's own refunds keep their refusal.
      expect(refusal(closed, aRequest({ take: { 2: 1 } }))?.message).toContain('has a status of closed');
    });

    test('do not come back to an order that is on hold', () => {
      const held = { ...sold, state: 'holded', status: 'holded' } as const;
      expect(() => returned(held, [2])).toThrow('has a status of holded');
    });
  });

  test('money that goodwill took from goods is told, not replaced by nothing', () => {
    const sold = aRefundableOrder({ lines: [line(1, '54')] });
    const goodwill = computeCreditMemo(sold, aRequest({ take: { 1: 0 }, shipping: '0', positive: '54' }));
    expect(() => returned(afterMemo(sold, goodwill), [1])).toThrow('The most money available to refund is 0.');
  });

  test('the platform’s own refund of lines that come to more than the total is refused as ever', () => {
    const sold = aRefundableOrder({ lines: [line(1, '12.97')], total: money('12.95') });
    expect(refusal(sold, aRequest())?.message).toContain('The most money available to refund is 12.95.');
  });
});

describe('what was paid', () => {
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
});
