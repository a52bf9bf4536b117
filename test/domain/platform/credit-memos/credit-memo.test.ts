import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PosError } from '../../../../domain/errors.ts';
import {
  coinOf,
  add,
  amount,
  money,
  subtract,
  toPlain,
  zero,
  toCoins,
  pieces,
  quantity,
  type Amount,
  type Currency,
} from '../../../../domain/money.ts';
import { afterMemo, afterPendingMemos } from '../../../../domain/platform/credit-memos/credit-memo-coins.ts';
import {
  postedInBase,
  postedInOrderCurrency,
  type CreditMemoRequest,
  type LineRegisters,
  type PendingMemo,
  type RefundableOrder,
} from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { collectCreditMemo, computeCreditMemo } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import { evenedOut } from '../../../../domain/refunds/quote-refund.ts';
import {
  aRefundableOrder,
  aRequest,
  converted,
  inTwoCurrencies,
  type SoldLine,
} from '../../../support/builders/refundable-order.ts';
import { aCent, rated } from '../../../support/coins.ts';
import { seed } from '../../../support/seed.ts';
import { cents, inBoth, part, requestOf, soldOrder } from './any-refund.ts';
import { line, refunds, refusal, sums } from './quoted-refunds.ts';

describe('credit memo currencies', () => {
  test.each([
    { base: '9.95', rate: '1.360000000000', order: '13.53' },
    { base: '0.005', rate: '1', order: '0.01' },
    { base: '29.46', rate: '1.36', order: '40.07' },
    { base: '100', rate: '0.007352941176', order: '0.74' },
    { base: '5', rate: '0', order: '5' },
    { base: '5', rate: '', order: '5' },
  ])('$base of the base currency at $rate is $order', ({ base, rate, order }) => {
    expect(postedInBase(money(base), rated(rate)).order).toBe(money(order));
  });

  test('an amount in the order’s currency stays as it is', () => {
    expect(postedInOrderCurrency(money('40.06'), rated('1.36'))).toEqual({
      order: money('40.06'),
      base: money('29.46'),
    });
    expect(postedInOrderCurrency(money('1491'), rated('150'))).toEqual({ order: money('1491'), base: money('9.94') });
  });
});

describe('credit memo properties', () => {
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

  const mostParts = 5;
  const underWay = fc.record({
    adjusted,
    /** Booked at once, or by a gateway that says only in the end whether it gave the money back. */
    becomes: fc.constantFrom('booked', 'known later', 'failed later'),
  });

  test('whatever a gateway says in the end, and when, its refund can be booked as it was worked out', () => {
    const reasons = /^Maximum shipping|does not allow a creditmemo|most money available|total must be positive/;
    fc.assert(
      fc.property(sale, fc.array(underWay, { maxLength: mostParts }), fc.boolean(), (sold, parts, isLastFirst) => {
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
    const after = afterMemo(order, memo);
    expect(memo.order.grandTotal).toBe(totals.order);
    // The memo that takes all that is left in one currency takes all in the other: cents of rounding of those before it.
    const cents = isAllBack(after) ? mostParts * coinOf('USD') : 0;
    expect(Math.abs(subtract(memo.base.grandTotal, totals.base))).toBeLessThanOrEqual(cents);
    return after;
  }
});

describe('credit memo shipping and tax', () => {
  describe('shipping', () => {
    const sold = aRefundableOrder({
      lines: [line(1, '50', '4')],
      shipping: money('10'),
      shippingTax: money('0.8'),
      shippingDiscount: money('2'),
    });

    test('comes back whole unless an amount is given, with its tax and its discount', () => {
      expect(sums(refunds(sold, {}).memos[0])).toMatchObject({
        shipping: '10',
        shippingTax: '0.8',
        discount: '-2',
        grand: '62.8',
      });
      expect(sums(refunds(sold, { shipping: '0' }).memos[0])).toMatchObject({
        shipping: '0',
        discount: '0',
        grand: '54',
      });
      expect(sums(refunds(sold, { shipping: '5' }).memos[0])).toMatchObject({
        shipping: '5',
        shippingTax: '0.4',
        discount: '-1',
        tax: '4.4',
        grand: '58.4',
      });
    });

    test('its discount is taken once, in however many parts it comes back', () => {
      const { memos, order } = refunds(sold, { shipping: '3' }, { take: { 1: 0 }, shipping: '3' }, {});

      expect(memos.map((memo) => toPlain(memo.base.discountAmount))).toEqual(['-0.6', '-0.6', '-0.8']);
      expect(memos.map((memo) => toPlain(memo.base.shippingTaxAmount))).toEqual(['0.24', '0.24', '0.32']);
      expect(order.base.totalRefunded).toBe(sold.base.totalPaid);
    });

    test('cannot be refunded where none was charged', () => {
      expect(refusal(aRefundableOrder({ lines: [line(1, '50')] }), aRequest({ shipping: '1' }))?.message).toBe(
        'You can not refund shipping if there is no shipping amount.',
      );
    });
  });

  describe('tax', () => {
    test('the header has the last word over the lines', () => {
      const sold = aRefundableOrder({ lines: [line(1, '10', '0.83'), line(1, '10', '0.83')] });
      const paid = money('21.65');
      const rounded = { ...sold.base, taxInvoiced: money('1.65'), grandTotal: paid, totalPaid: paid };
      const { memos, order } = refunds({ ...sold, base: rounded, order: rounded }, { take: { 1: 1 } }, {});

      expect(memos.map((memo) => toPlain(memo.base.taxAmount))).toEqual(['0.83', '0.82']);
      expect(order.base.totalRefunded).toBe(paid);
    });

    test('what a discount on prices with tax hid comes back too', () => {
      const priced: SoldLine = {
        qty: pieces(3),
        row: money('25'),
        tax: money('4.33'),
        discount: money('3'),
        compensation: money('0.67'),
      };
      const { memos, order } = refunds(aRefundableOrder({ lines: [priced] }), { take: { 1: 1 } }, {});

      expect(toPlain(memos[0]!.base.discountTaxCompensationAmount)).toBe('0.22');
      expect(order.base.totalRefunded).toBe(money('27'));
    });

    test('a fixed product tax and the tax on it come back with the goods', () => {
      const fridge: SoldLine = { ...line(3, '300', '24'), weee: money('10'), taxOnWeee: money('0.8') };
      const { memos, order } = refunds(aRefundableOrder({ lines: [fridge] }), { take: { 1: 1 } }, {});

      expect(memos[0]!.lines[0]!.base).toMatchObject({
        rowTotal: money('100'),
        weeeTaxAppliedRowAmount: money('3.33'),
        taxAmount: money('8'),
      });
      expect(toPlain(memos[0]!.base.grandTotal)).toBe('111.6');
      expect(toPlain(memos[0]!.base.taxAmount)).toBe('8.27');
      expect(order.base.totalRefunded).toBe(money('334.8'));
    });

    test('the tax on a fixed tax that is back already does not come back again', () => {
      const fridge: SoldLine = { ...line(3, '300'), weee: money('10'), taxOnWeee: money('0.8') };
      const sold = aRefundableOrder({ lines: [fridge] });
      const isBack = (registers: typeof sold.base) => ({ ...registers, taxRefunded: registers.taxInvoiced });
      const { memos } = refunds({ ...sold, base: isBack(sold.base), order: isBack(sold.order) }, { take: { 1: 1 } });

      expect(toPlain(memos[0]!.base.taxAmount)).toBe('0');
      expect(toPlain(memos[0]!.base.grandTotal)).toBe('103.33');
    });
  });
});

describe('credit memo', () => {
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
      expect(sums(memos[0], 'order')).toMatchObject({
        subtotal: '45.33',
        tax: '4.98',
        shipping: '5.44',
        grand: '55.75',
      });
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
});
