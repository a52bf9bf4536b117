import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PosError } from '../../../domain/errors.ts';
import {
  add,
  amount,
  money,
  scale,
  subtract,
  zero,
  coinOf,
  coinsOf,
  isInCoins,
  toCoins,
  none,
  pieces,
  quantity,
  type Amount,
  type Currency,
} from '../../../domain/money.ts';
import { afterMemo } from '../../../domain/platform/credit-memos/credit-memo-coins.ts';
import type {
  LineRegisters,
  OrderRegisters,
  RefundableOrder,
} from '../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { collectCreditMemo, computeCreditMemo } from '../../../domain/platform/credit-memos/credit-memo.ts';
import {
  refuseDocument,
  requestedQuantity,
  toCancel,
  toInvoice,
  toRefund,
  toRelease,
  toShip,
  type OrderedLine,
} from '../../../domain/platform/document-lines.ts';
import {
  invoiceErrors,
  invoiceLines,
  orderStates,
  refuseReopening,
  shipmentErrors,
  shipmentLines,
} from '../../../domain/platform/order-state.ts';
import { leftToRefund, refuseMoneyIn, takesMoney, refuseUnpaidLayaway } from '../../../domain/platform/placement.ts';
import { bucketSizes, cutSpan, endOf, type Span, startOf } from '../../../domain/platform/time-buckets.ts';
import {
  aRefundableOrder,
  aRequest,
  inTwoCurrencies,
  type SoldOrder,
} from '../../support/builders/refundable-order.ts';
import { seed } from '../../support/seed.ts';

describe('document lines', () => {
  const line = (over: Partial<OrderedLine> = {}): OrderedLine => ({
    itemId: 1,
    sku: 'MUG',
    name: 'Mug',
    isQtyDecimal: false,
    isVirtual: false,
    qtyOrdered: pieces(5),
    qtyInvoiced: none,
    qtyShipped: none,
    qtyRefunded: none,
    qtyCanceled: none,
    ...over,
  });

  test.each([
    ['nothing happened', {}, [5, 5, 0, 5, 5]],
    ['two invoiced', { qtyInvoiced: pieces(2) }, [3, 5, 2, 3, 3]],
    ['two shipped', { qtyShipped: pieces(2) }, [5, 3, 0, 3, 3]],
    ['all invoiced, two shipped', { qtyInvoiced: pieces(5), qtyShipped: pieces(2) }, [0, 3, 5, 0, 0]],
    [
      'all invoiced, two shipped, one refunded',
      { qtyInvoiced: pieces(5), qtyShipped: pieces(2), qtyRefunded: pieces(1) },
      [0, 3, 4, 0, 0],
    ],
    ['all invoiced, three refunded unshipped', { qtyInvoiced: pieces(5), qtyRefunded: pieces(3) }, [0, 2, 2, 0, 0]],
    ['two invoiced, three cancelled', { qtyInvoiced: pieces(2), qtyCanceled: pieces(3) }, [0, 2, 2, 0, 0]],
  ] as const)('a line of five of which %s', (_case, over, [invoice, ship, refund, cancel, release]) => {
    const given = line(over);
    expect(toInvoice(given)).toBe(pieces(invoice));
    expect(toShip(given)).toBe(pieces(ship));
    expect(toRefund(given)).toBe(pieces(refund));
    expect(toCancel(given)).toBe(pieces(cancel));
    expect(toRelease(given)).toBe(pieces(release));
  });

  test('what is counted is cut to whole ones, what is weighed is not', () => {
    const wanted = [{ orderItemId: 1, qty: quantity(19_999) }];
    expect(requestedQuantity(line(), wanted)).toBe(pieces(1));
    expect(requestedQuantity(line({ isQtyDecimal: true }), wanted)).toBe(quantity(19_999));
    expect(requestedQuantity(line(), [{ orderItemId: 1, qty: pieces(-2) }])).toBe(none);
    expect(requestedQuantity(line(), [{ orderItemId: 2, qty: pieces(2) }])).toBe(none);
  });

  test('rows of one line are added up, each cut to whole ones', () => {
    const rows = (...units: number[]) => units.map((one) => ({ orderItemId: 1, qty: quantity(one) }));
    expect(requestedQuantity(line(), rows(10_000, 20_000))).toBe(pieces(3));
    expect(requestedQuantity(line(), rows(5_000, 15_000))).toBe(pieces(1));
    expect(requestedQuantity(line({ isQtyDecimal: true }), rows(5_000, 15_000))).toBe(pieces(2));
    expect(requestedQuantity(line(), rows(-10_000, 20_000))).toBe(pieces(2));
  });

  test('no list means everything left; a list means only that, and the others wait', () => {
    const lines = [line(), line({ itemId: 2, qtyInvoiced: pieces(5) }), line({ itemId: 3 })];
    expect(invoiceLines(lines, []).map(({ line: { itemId }, qty }) => [itemId, qty])).toEqual([
      [1, pieces(5)],
      [3, pieces(5)],
    ]);
    expect(invoiceLines(lines, [{ orderItemId: 3, qty: pieces(2) }]).map(({ qty }) => qty)).toEqual([none, pieces(2)]);
  });

  test('more than is left to invoice is refused by name', () => {
    expect(() => invoiceLines([line()], [{ orderItemId: 1, qty: pieces(6) }])).toThrow(
      expect.objectContaining({ message: 'We found an invalid quantity to invoice item "%1".', parameters: ['Mug'] }),
    );
  });

  const withoutProducts = "The invoice can't be created without products. Add products and try again.";
  const notAllowed = 'The order does not allow an invoice to be created.';

  test.each(orderStates)('whether an order that is %s may be invoiced', (state) => {
    const errors = invoiceErrors({ state, status: 'shown', lines: [line()] }, [{ qty: pieces(1) }]);
    const stops = ['complete', 'closed', 'canceled', 'holded', 'payment_review'].includes(state);
    expect(errors).toEqual(stops ? ['An invoice cannot be created when an order has a status of shown'] : []);
  });

  test('an order invoiced in full says both what is missing and that it may not', () => {
    const lines = [line({ qtyInvoiced: pieces(5) })];
    expect(invoiceErrors({ state: 'pending_payment', status: 'pending_payment', lines }, [])).toEqual([
      withoutProducts,
      notAllowed,
    ]);
  });

  test('unknown goods alone are no products', () => {
    const chosen = invoiceLines([line()], [{ orderItemId: 99, qty: pieces(1) }]);
    expect(invoiceErrors({ state: 'new', status: 'pending', lines: [line()] }, chosen)).toEqual([withoutProducts]);
  });

  const nothingToShip = "You can't create a shipment without products.";
  const shipped = (state: (typeof orderStates)[number], lines = [line()]) => ({
    state,
    status: 'shown',
    isVirtual: false,
    lines,
  });

  test('virtual goods and what is handed over already are not shipped', () => {
    const lines = [line({ isVirtual: true }), line({ itemId: 2, qtyShipped: pieces(5) }), line({ itemId: 3 })];
    expect(shipmentLines(lines, []).map(({ line: { itemId } }) => itemId)).toEqual([3]);
  });

  test.each(orderStates)('whether an order that is %s may be shipped', (state) => {
    const lines = [line()];
    const errors = shipmentErrors(shipped(state, lines), shipmentLines(lines, []), []);
    const stops = ['canceled', 'holded', 'payment_review'].includes(state);
    expect(errors).toEqual(stops ? ['A shipment cannot be created when an order has a status of shown'] : []);
  });

  test('the order’s own line comes first, then the document’s, then its tracks’', () => {
    const done = [line({ qtyShipped: pieces(5) })];
    expect(shipmentErrors(shipped('processing', done), [], [{ trackNumber: '' }])).toEqual([
      'The order does not allow a shipment to be created.',
      nothingToShip,
      'Please enter a tracking number.',
    ]);
  });

  test('more than is left to hand over is refused by sku, and counts for nothing', () => {
    const lines = [line()];
    const chosen = shipmentLines(lines, [{ orderItemId: 1, qty: pieces(6) }]);
    expect(shipmentErrors(shipped('processing', lines), chosen, [])).toEqual([
      'The quantity to ship must not be greater than the unshipped quantity for product SKU "MUG".',
      nothingToShip,
    ]);
  });

  test('everything that stands against a document is said at once', () => {
    expect(() => refuseDocument('Invoice', ['One.', 'Two.'])).toThrow(
      new PosError({ status: 400, message: 'Invoice Document Validation Error(s):\nOne.\nTwo.' }),
    );
    expect(() => refuseDocument('Shipment', [])).not.toThrow();
  });
});

describe('left to refund', () => {
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
  const overdrawn = fc.record({
    line: beyond,
    tax: beyond,
    shipping: beyond,
    shippingTax: beyond,
    compensation: beyond,
  });

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
});

describe('refuse money in', () => {
  test.each(orderStates)('an order that is %s takes money, unless it is over', (state) => {
    const isOver = state === 'canceled' || state === 'closed';
    expect(takesMoney({ state })).toBe(!isOver);
    if (isOver) expect(() => refuseMoneyIn({ state })).toThrow(/is over/);
    else refuseMoneyIn({ state });
  });

  test('a cancelled layaway takes no money, also where its order lives on', () => {
    expect(() => refuseMoneyIn({ state: 'processing', posLayawayStatus: 'cancelled' })).toThrow(
      'The layaway is cancelled',
    );
    refuseMoneyIn({ state: 'processing', posLayawayStatus: 'open' });
  });

  test.each(orderStates)('a cancelled order is not saved as %s, and every other order may be', (state) => {
    if (state === 'canceled') refuseReopening('canceled', state);
    else expect(() => refuseReopening('canceled', state)).toThrow('cannot be opened again');
    for (const stored of orderStates) if (stored !== 'canceled') refuseReopening(stored, state);
    refuseReopening('canceled', undefined);
  });

  test.each([
    ['open', '108', '107.99', true],
    ['stale', '108', '0', true],
    ['ready_to_settle', '108', '107.99', true],
    ['ready_to_settle', '108', '108', false],
    ['open', '108.0040', '108', false],
    [null, '108', '0', false],
  ])('the invoice of an order whose layaway is %s, of %s, with %s paid, waits: %s', (status, total, paid, waits) => {
    const layaway = {
      posLayawayStatus: status,
      grandTotal: money(total),
      totalPaid: money(paid),
      orderCurrencyCode: 'USD',
    };
    if (waits) expect(() => refuseUnpaidLayaway(layaway)).toThrow('The layaway still owes');
    else refuseUnpaidLayaway(layaway);
  });
});

describe('whole buckets', () => {
  const at = (text: string) => new Date(`${text}Z`);
  const spanText = ({ from, to }: Span) => `${from ? short(from) : '…'} – ${to ? short(to) : '…'}`;
  const short = (moment: Date) => moment.toISOString().slice(0, 16).replace('T', ' ');
  const cut = (span: Span, sizes = bucketSizes.slice()) => {
    const { runs, edges } = cutSpan(span, sizes);
    return { runs: runs.map((run) => `${run.size} ${spanText(run)}`), edges: edges.map(spanText) };
  };

  test('all of time is one run of months', () => {
    expect(cut({})).toEqual({ runs: ['month … – …'], edges: [] });
  });

  test('a long span is months, with days and hours on both sides and a part of an hour at each end', () => {
    expect(cut({ from: at('2026-01-30T22:15:00'), to: at('2026-04-02T01:30:00') })).toEqual({
      runs: [
        'hour 2026-01-30 23:00 – 2026-01-31 00:00',
        'hour 2026-04-02 00:00 – 2026-04-02 01:00',
        'day 2026-01-31 00:00 – 2026-02-01 00:00',
        'day 2026-04-01 00:00 – 2026-04-02 00:00',
        'month 2026-02-01 00:00 – 2026-04-01 00:00',
      ],
      edges: ['2026-01-30 22:00 – 2026-01-30 23:00', '2026-04-02 01:00 – 2026-04-02 02:00'],
    });
  });

  test.each<[what: string, span: Span, runs: string[], edges: string[]]>([
    ['an open end has coarse buckets only', { from: at('2025-12-01T00:00:00') }, ['month 2025-12-01 00:00 – …'], []],
    [
      'a span inside an hour is all edge',
      { from: at('2026-01-01T10:10:00'), to: at('2026-01-01T10:50:00') },
      [],
      ['2026-01-01 10:00 – 2026-01-01 11:00'],
    ],
    [
      'a span over a full hour that fills none is two hours of edge',
      { from: at('2026-01-01T10:10:00'), to: at('2026-01-01T11:50:00') },
      [],
      ['2026-01-01 10:00 – 2026-01-01 12:00'],
    ],
    [
      'a whole hour is a run of one',
      { from: at('2026-01-01T10:00:00'), to: at('2026-01-01T11:00:00') },
      ['hour 2026-01-01 10:00 – 2026-01-01 11:00'],
      [],
    ],
    [
      'up to a moment',
      { to: at('2026-01-01T00:30:00') },
      ['month … – 2026-01-01 00:00'],
      ['2026-01-01 00:00 – 2026-01-01 01:00'],
    ],
  ])('%s', (_what, span, runs, edges) => {
    expect(cut(span)).toEqual({ runs, edges });
  });

  test('without hours the edges are days', () => {
    expect(cut({ from: at('2026-01-30T22:15:00'), to: at('2026-02-03T00:00:00') }, ['day', 'month'])).toEqual({
      runs: ['day 2026-01-31 00:00 – 2026-02-03 00:00'],
      edges: ['2026-01-30 00:00 – 2026-01-31 00:00'],
    });
  });

  test('buckets are those of the calendar in UTC, also in a leap year and before the year 100', () => {
    expect(short(endOf('month', at('2028-02-10T05:00:00')))).toBe('2028-03-01 00:00');
    expect(short(endOf('day', at('2028-02-28T05:00:00')))).toBe('2028-02-29 00:00');
    expect(short(startOf('month', at('0042-12-10T05:00:00')))).toBe('0042-12-01 00:00');
  });
});

describe('whole coins', () => {
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
        const rests = () => [
          subtract(paid.base, left.base.totalRefunded),
          subtract(paid.order, left.order.totalRefunded),
        ];
        if (rests().some((rest) => rest !== zero)) left = afterMemo(left, computeCreditMemo(left, aRequest()));
        expect(rests()).toEqual([zero, zero]);
        expect(add(zero, ...left.lines.map(({ qtyRefunded }) => amount(qtyRefunded)))).toBeGreaterThanOrEqual(0);
      }),
      { seed, numRuns: Number(process.env['POS_RUNS'] ?? 500) },
    );
  });
});
