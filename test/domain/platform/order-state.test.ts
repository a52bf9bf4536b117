import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  add,
  amount,
  least,
  money,
  negate,
  scale,
  subtract,
  zero,
  none,
  pieces,
  plus,
  type Amount,
} from '../../../domain/money.ts';
import {
  firstOverwritten,
  isBooked,
  isLayaway,
  layawayStart,
  paidAtPlacement,
  startOf,
  toPromise,
  skuOfLine,
  stockSkuOf,
} from '../../../domain/platform/placement.ts';
import { paidAfterInvoice } from '../../../domain/platform/invoice-totals.ts';
import { type LineQuantities, toInvoice } from '../../../domain/platform/document-lines.ts';
import {
  canCancel,
  canCreditmemo,
  canShip,
  defaultStatus,
  type OrderFigures,
  type OrderState,
  orderStates,
  stateAfterCancel,
  stateAfterDocument,
  stateAfterShipment,
  stateOnSave,
} from '../../../domain/platform/order-state.ts';
import { isInStock, salableQuantity } from '../../../domain/platform/stock-rules.ts';
import { aCent, inCents } from '../../support/coins.ts';
import { seed } from '../../support/seed.ts';
import { invoice, sold } from './sold-lines.ts';

describe('invoice totals', () => {
  test('one invoice takes the whole order, to the cent', () => {
    const totals = invoice(
      sold({
        lines: [
          { qty: 3, row: '10.00', tax: '0.83', discount: '1.00' },
          { qty: 7, row: '20.00', tax: '1.65', discount: '2.00' },
        ],
        shipping: '9.95',
        shippingTax: '0.82',
      }),
    );
    expect(totals).toMatchObject({
      subtotal: money('30'),
      subtotalInclTax: money('32.48'),
      discountAmount: money('-3'),
      shippingAmount: money('9.95'),
      shippingInclTax: money('10.77'),
      shippingTaxAmount: money('0.82'),
      taxAmount: money('3.30'),
      grandTotal: money('40.25'),
    });
  });

  test('thirds: each invoice rounds its share, the last takes the rest, shipping comes with the first', () => {
    const ledger = sold({ lines: [{ qty: 3, row: '99.99', tax: '10.00' }], shipping: '5' });
    const [first, second, third] = [1, 2, 3].map(() => invoice(ledger, [pieces(1)]));
    expect(first).toMatchObject({
      subtotal: money('33.33'),
      taxAmount: money('3.33'),
      shippingAmount: money('5'),
      grandTotal: money('41.66'),
    });
    expect(second).toMatchObject({
      subtotal: money('33.33'),
      taxAmount: money('3.34'),
      shippingAmount: zero,
      grandTotal: money('36.67'),
    });
    expect(third).toMatchObject({ subtotal: money('33.33'), taxAmount: money('3.33'), grandTotal: money('36.66') });
  });

  test('a line that waits keeps the invoice from being the last', () => {
    const ledger = sold({
      lines: [
        { qty: 1, row: '10' },
        { qty: 1, row: '20' },
      ],
    });
    ledger.header.subtotal = money('31');
    ledger.header.grandTotal = money('31');
    expect(invoice(ledger, [pieces(1), none]).subtotal).toBe(money('10'));
    // The header says a unit more than its lines: on the last invoice it wins.
    expect(invoice(ledger).subtotal).toBe(money('21'));
  });

  test('all invoices together ask for no more than the order is worth', () => {
    const ledger = sold({ lines: [{ qty: 2, row: '20' }] });
    ledger.header.grandTotal = money('15');
    expect(invoice(ledger, [pieces(1)]).grandTotal).toBe(money('10'));
    expect(invoice(ledger)).toMatchObject({
      subtotal: money('10'),
      discountAmount: money('-5'),
      grandTotal: money('5'),
    });
  });

  test('a tip, or cash that was rounded up, is on the last invoice: the customer owes nothing more', () => {
    const ledger = sold({ lines: [{ qty: 2, row: '20' }] });
    ledger.header.grandTotal = money('23');
    expect(invoice(ledger, [pieces(1)]).grandTotal).toBe(money('10'));
    expect(invoice(ledger)).toMatchObject({
      subtotal: money('10'),
      discountAmount: money('3'),
      grandTotal: money('13'),
    });
  });

  test('the discount on shipping comes once, with the first invoice', () => {
    const ledger = sold({ lines: [{ qty: 2, row: '20', discount: '2' }], shipping: '5', shippingDiscount: '1' });
    expect(invoice(ledger, [pieces(1)]).discountAmount).toBe(money('-2'));
    expect(invoice(ledger).discountAmount).toBe(money('-1'));
  });

  test('a fixed tax of the goods is part of the total, not of the subtotal', () => {
    const totals = invoice(sold({ lines: [{ qty: 2, row: '20', weee: '3' }] }));
    expect(totals).toMatchObject({ subtotal: money('20'), grandTotal: money('23') });
  });

  test('however an order is invoiced, no cent is lost and none is made', () => {
    const cents = (max: number) => fc.integer({ min: 0, max }).map((count) => amount(count * aCent));
    const order = fc.record({
      lines: fc.array(
        fc.record({
          qty: fc.integer({ min: 1, max: 7 }),
          row: cents(30_000),
          tax: cents(5_000),
          discount: cents(1_000),
          weee: cents(500),
          taxOnWeee: cents(90),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      shipping: cents(2_000),
      shippingTax: cents(200),
      cuts: fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }), { maxLength: 4 }),
    });
    const text = (value: Amount) => String(value / 10_000);
    fc.assert(
      fc.property(order, ({ lines: drawn, shipping, shippingTax, cuts }) => {
        const lines = drawn.map((line) => ({ ...line, discount: least(line.discount, line.row) }));
        const ledger = sold({
          lines: lines.map(({ qty, row, tax, discount, weee, taxOnWeee }) => ({
            qty,
            row: text(row),
            tax: text(tax),
            discount: text(discount),
            weee: text(weee),
            taxOnWeee: text(taxOnWeee),
          })),
          shipping: text(shipping),
          shippingTax: text(shippingTax),
        });
        const expected = subtract(
          add(...lines.flatMap(({ row, tax, weee, taxOnWeee }) => [row, tax, weee, taxOnWeee]), shipping, shippingTax),
          ...lines.map(({ discount }) => discount),
        );
        const grand: Amount[] = [];
        for (const cut of cuts) {
          const wanted = ledger.lines.map((line, at) =>
            pieces(Math.min(cut[at] ?? 0, toInvoice(line.quantities) / 10_000)),
          );
          if (plus(...wanted) > none) grand.push(invoice(ledger, wanted).grandTotal);
        }
        if (ledger.lines.some((line) => toInvoice(line.quantities) > none)) grand.push(invoice(ledger).grandTotal);
        expect(add(...grand)).toBe(expected);
        expect(ledger.header.discountInvoiced).toBe(negate(add(...lines.map(({ discount }) => discount))));
      }),
      { seed, numRuns: 300 },
    );
  });

  test.each<[string, { invoicedBefore: string; before: string; invoice: string; total: string }, string]>([
    ['the only invoice says what is paid', { invoicedBefore: '0', before: '0', invoice: '108', total: '108' }, '108'],
    [
      'what a layaway captured is not counted again',
      { invoicedBefore: '0', before: '40', invoice: '108', total: '108' },
      '108',
    ],
    ['what was paid at placement stays', { invoicedBefore: '0', before: '108', invoice: '54', total: '108' }, '108'],
    ['a further invoice adds to it', { invoicedBefore: '54', before: '54', invoice: '54', total: '108' }, '108'],
    [
      'credit beyond the first invoices pays for the next one',
      { invoicedBefore: '36', before: '60', invoice: '36', total: '108' },
      '72',
    ],
    ['and leaves it the rest', { invoicedBefore: '72', before: '72', invoice: '36', total: '108' }, '108'],
    [
      'what others left unpaid is not paid with it',
      { invoicedBefore: '54', before: '0', invoice: '54', total: '108' },
      '54',
    ],
    ['never more than the order is worth', { invoicedBefore: '20', before: '100', invoice: '98', total: '108' }, '108'],
    ['nor when the invoice itself is more', { invoicedBefore: '0', before: '0', invoice: '109', total: '108' }, '108'],
  ])('%s', (_case, { invoicedBefore, before, invoice: paid, total }, expected) => {
    const given = {
      invoicedBefore: money(invoicedBefore),
      before: money(before),
      invoice: money(paid),
      total: money(total),
    };
    expect(paidAfterInvoice(given)).toBe(money(expected));
  });

  test('a share of a third is a third of what is left, not of the whole', () => {
    const ledger = sold({ lines: [{ qty: 3, row: '0.05' }] });
    expect(invoice(ledger, [pieces(1)]).subtotal).toBe(scale(money('0.05'), 1, 3, aCent));
    expect(invoice(ledger, [pieces(1)]).subtotal).toBe(money('0.02'));
  });
});

describe('order state', () => {
  interface Wanted {
    state?: OrderState;
    ordered?: number;
    invoiced?: number;
    shipped?: number;
    refunded?: number;
    canceled?: number;
    virtual?: boolean;
    grand?: string;
    paid?: string;
    back?: string;
    fee?: string;
    difference?: string;
  }

  /** One line of two at 54, invoiced, paid and handed over unless told otherwise. */
  function figures(wanted: Wanted = {}): OrderFigures {
    const { ordered = 2, invoiced = 2, shipped = 2, refunded = 0, canceled = 0, virtual = false } = wanted;
    const line: LineQuantities = {
      qtyOrdered: pieces(ordered),
      qtyInvoiced: pieces(invoiced),
      qtyShipped: pieces(shipped),
      qtyRefunded: pieces(refunded),
      qtyCanceled: pieces(canceled),
      isVirtual: virtual,
    };
    const grandTotal: Amount = money(wanted.grand ?? '108');
    return {
      state: wanted.state ?? 'processing',
      isVirtual: virtual,
      orderCurrencyCode: 'USD',
      grandTotal,
      baseGrandTotal: grandTotal,
      totalPaid: money(wanted.paid ?? wanted.grand ?? '108'),
      totalRefunded: money(wanted.back ?? '0'),
      adjustmentPositive: zero,
      adjustmentNegative: money(wanted.fee ?? '0'),
      dueTakenOff: zero,
      differenceRefunded: money(wanted.difference ?? '0'),
      lines: [line],
    };
  }

  test('every state has a status to start with', () => {
    expect(Object.keys(defaultStatus)).toEqual([...orderStates]);
  });

  describe('after an invoice or a refund', () => {
    test.each<[string, 'invoice' | 'refund', Wanted, OrderState]>([
      [
        'a new order that still must be handed over is in processing',
        'invoice',
        { state: 'new', shipped: 0 },
        'processing',
      ],
      ['a new order that is handed over is complete', 'invoice', { state: 'processing' }, 'complete'],
      ['an order in processing with more to invoice stays', 'invoice', { invoiced: 1 }, 'processing'],
      ['an order in processing with more to ship stays', 'invoice', { shipped: 1 }, 'processing'],
      ['a virtual order is complete at once', 'invoice', { state: 'new', shipped: 0, virtual: true }, 'complete'],
      ['an order of nothing is complete', 'invoice', { state: 'new', grand: '0' }, 'complete'],
      ['a full refund closes', 'refund', { state: 'complete', refunded: 2, back: '108' }, 'closed'],
      ['a full refund before the goods left closes', 'refund', { shipped: 0, refunded: 2, back: '108' }, 'closed'],
      [
        'a partial refund of a complete order leaves it complete',
        'refund',
        { state: 'complete', refunded: 1, back: '54' },
        'complete',
      ],
      ['a partial refund in processing leaves it so', 'refund', { shipped: 0, refunded: 1, back: '54' }, 'processing'],
      [
        'a fee that equals the rest closes',
        'refund',
        { state: 'complete', refunded: 2, back: '98', fee: '10' },
        'closed',
      ],
      [
        'a fee as large as the refund closes, though no money went back',
        'refund',
        { state: 'complete', refunded: 2, back: '0', fee: '108' },
        'closed',
      ],
      ['the same before the goods left', 'refund', { shipped: 0, refunded: 2, back: '0', fee: '108' }, 'closed'],
      [
        'a fee as large as the refund of a part leaves the rest to refund',
        'refund',
        { state: 'complete', refunded: 1, back: '0', fee: '54' },
        'complete',
      ],
      [
        'what evened out the sums of a sale is no fee, though it is just as much as the rest',
        'refund',
        { state: 'complete', refunded: 1, grand: '50', back: '25', fee: '25', difference: '-25' },
        'complete',
      ],
      [
        'a fee beside what evened out the sums closes with the last of the goods',
        'refund',
        { state: 'complete', refunded: 2, grand: '98', back: '88', fee: '20', difference: '-10' },
        'closed',
      ],
      [
        'a gift that comes back alone leaves the order complete',
        'refund',
        { state: 'complete', refunded: 1 },
        'complete',
      ],
      [
        'a layaway is never pushed, whatever was invoiced',
        'invoice',
        { state: 'pending_payment', shipped: 0, paid: '0' },
        'pending_payment',
      ],
      [
        'a layaway is never pushed, whatever was refunded',
        'refund',
        { state: 'pending_payment', back: '32', paid: '40' },
        'pending_payment',
      ],
      ['an order on hold stays there', 'refund', { state: 'holded', back: '54' }, 'holded'],
    ])('%s', (_case, document, wanted, expected) => {
      expect(stateAfterDocument(figures(wanted), document, false)).toBe(expected);
    });

    test.each<[string, Wanted, OrderState]>([
      ['is not closed when all that was paid goes back', { refunded: 1, paid: '54', back: '54' }, 'processing'],
      ['stays complete, too', { state: 'complete', refunded: 1, paid: '54', back: '54' }, 'complete'],
      [
        'stays new before it is handed over',
        { state: 'new', virtual: true, shipped: 0, paid: '10', back: '10' },
        'new',
      ],
      ['is closed for a due below one whole', { state: 'complete', paid: '107.01', back: '107.01' }, 'closed'],
    ])('an order that an open invoice waits for %s', (_case, wanted, expected) => {
      expect(stateAfterDocument(figures(wanted), 'refund', true)).toBe(expected);
    });
  });

  describe('on every save', () => {
    test.each<[string, Wanted, boolean, OrderState]>([
      ['what is invoiced and handed over is complete', {}, false, 'complete'],
      ['what is still to be invoiced stays', { invoiced: 1 }, false, 'processing'],
      ['what is still to be handed over stays', { shipped: 1 }, false, 'processing'],
      [
        'what was partly shipped and the rest refunded is complete',
        { shipped: 1, refunded: 1, back: '54' },
        false,
        'complete',
      ],
      ['what is all given back is closed', { state: 'complete', refunded: 2, back: '108' }, false, 'closed'],
      [
        'a virtual order is never closed here',
        { state: 'complete', virtual: true, refunded: 2, back: '108' },
        false,
        'complete',
      ],
      ['a new order never moves on its own', { state: 'new' }, false, 'new'],
      ['a layaway never moves on its own', { state: 'pending_payment', paid: '40' }, true, 'pending_payment'],
      ['an order on hold never moves', { state: 'holded' }, false, 'holded'],
      [
        'a cancelled order never moves',
        { state: 'canceled', invoiced: 0, shipped: 0, canceled: 2, paid: '0' },
        false,
        'canceled',
      ],
      ['an open invoice keeps a shipped order in processing', { paid: '40' }, true, 'processing'],
      ['a due below one whole does not block', { paid: '107.01' }, true, 'complete'],
      ['a due of one whole does', { paid: '107' }, true, 'processing'],
      ['a due without an open invoice does not', { paid: '40' }, false, 'complete'],
    ])('%s', (_case, wanted, hasOpenInvoice, expected) => {
      expect(stateOnSave(figures(wanted), hasOpenInvoice)).toBe(expected);
    });
  });

  test.each(orderStates)('handing over moves only a new order: %s', (state) => {
    expect(stateAfterShipment(state)).toBe(state === 'new' ? 'processing' : state);
  });

  describe('whether money is left to give back', () => {
    test.each<[string, Wanted, boolean]>([
      ['a paid order', {}, true],
      ['a part-paid layaway', { state: 'pending_payment', paid: '40' }, true],
      ['an order nobody paid', { paid: '0' }, false],
      ['an order paid back in full', { back: '108' }, false],
      ['an order paid back but a cent', { back: '107.99' }, true],
      ['an order whose rest is the restocking fee', { back: '98', fee: '10' }, false],
      ['an order with a fee and more left', { back: '50', fee: '10' }, true],
      ['a total paid with stray decimals, paid back to the cent', { paid: '107.9951', back: '108' }, false],
      ['an order of nothing, invoiced', { grand: '0' }, true],
      ['an order of nothing, not yet invoiced', { grand: '0', invoiced: 0 }, false],
      ['an order of nothing, given back', { grand: '0', refunded: 2 }, false],
      ['a closed order', { state: 'closed' }, false],
      ['a cancelled order', { state: 'canceled' }, false],
      ['an order on hold', { state: 'holded' }, false],
      ['an order under review', { state: 'payment_review' }, false],
    ])('%s: %s', (_case, wanted, expected) => {
      expect(canCreditmemo(figures(wanted))).toBe(expected);
    });
  });

  describe('whether it can be cancelled', () => {
    test.each<[string, Wanted, boolean]>([
      ['a new order', { state: 'new', invoiced: 0, shipped: 0 }, true],
      ['an order in processing with something not invoiced', { invoiced: 1 }, true],
      ['a pending payment nobody invoiced', { state: 'pending_payment', invoiced: 0, shipped: 0 }, true],
      ['an open layaway, which an open invoice covers', { state: 'pending_payment', shipped: 0, paid: '40' }, false],
      ['a fully invoiced order', { shipped: 0 }, false],
      ...(['complete', 'closed', 'canceled', 'holded', 'payment_review'] as const).map(
        (state): [string, Wanted, boolean] => [`state ${state}`, { state, invoiced: 0, shipped: 0 }, false],
      ),
    ])('%s: %s', (_case, wanted, expected) => {
      expect(canCancel(figures(wanted))).toBe(expected);
    });
  });

  test.each<[string, Wanted, OrderState]>([
    ['nothing invoiced', { invoiced: 0, shipped: 0 }, 'canceled'],
    ['one of two invoiced and shipped', { invoiced: 1, shipped: 1 }, 'complete'],
    ['one of three invoiced, none shipped', { ordered: 3, invoiced: 1, shipped: 0 }, 'processing'],
    ['the invoiced one given back', { invoiced: 1, shipped: 1, refunded: 1 }, 'canceled'],
  ])('a cancellation with %s leaves the order %3$s', (_case, wanted, expected) => {
    expect(stateAfterCancel(figures(wanted))).toBe(expected);
  });

  test('nothing virtual is handed over', () => {
    expect(canShip(figures({ virtual: true, shipped: 0 }))).toBe(false);
    expect(canShip(figures({ shipped: 0 }))).toBe(true);
  });
});

describe('placement', () => {
  const paid = (over: { totalPaid?: Amount; baseTotalPaid?: Amount; grandTotal?: Amount; baseGrandTotal?: Amount }) =>
    paidAtPlacement({
      coins: inCents,
      grandTotal: money('136'),
      baseGrandTotal: money('100'),
      totalPaid: undefined,
      baseTotalPaid: undefined,
      ...over,
    });

  test.each([
    ['nothing is said', {}, '0', '0'],
    ['both are said', { totalPaid: money('136'), baseTotalPaid: money('100') }, '136', '100'],
    ['only the order’s currency is', { totalPaid: money('68') }, '68', '50'],
    ['only the base currency is', { baseTotalPaid: money('50') }, '68', '50'],
    ['an order of nothing', { totalPaid: money('0'), grandTotal: money('0'), baseGrandTotal: money('0') }, '0', '0'],
  ] as const)('what is paid at placement when %s', (_case, over, amount, baseAmount) => {
    expect(paid(over)).toEqual({ amount: money(amount), baseAmount: money(baseAmount) });
  });

  test.each([
    ['more than the order is worth', { totalPaid: money('136.01') }, 'total_paid', 136.01],
    ['less than nothing', { totalPaid: money('-1') }, 'total_paid', -1],
    ['more in the base currency', { totalPaid: money('1'), baseTotalPaid: money('101') }, 'base_total_paid', 101],
  ] as const)('%s cannot be paid', (_case, over, fieldName, value) => {
    expect(() => paid(over)).toThrow(
      expect.objectContaining({
        status: 400,
        message: 'Invalid value of "%value" provided for the %fieldName field.',
        parameters: { fieldName, value },
      }),
    );
  });

  test.each([
    [undefined, undefined, 'new', 'pending'],
    ['processing', undefined, 'processing', 'processing'],
    ['processing', 'my_own', 'processing', 'my_own'],
    [undefined, 'canceled', 'canceled', 'canceled'],
    [undefined, 'my_own', 'new', 'my_own'],
  ] as const)('an order posted as %s with status %s starts as %s, %s', (state, status, startState, startStatus) => {
    expect(startOf(state, status)).toEqual({ state: startState, status: startStatus });
  });

  test.each([
    ['pending_payment', 'open', true],
    ['pending_payment', 'ready_to_settle', true],
    ['pending_payment', 'cancelled', false],
    ['pending_payment', undefined, false],
    ['pending_payment', '', false],
    ['new', 'open', false],
  ] as const)('%s with layaway status %s is a layaway: %s', (state, status, expected) => {
    expect(isLayaway(state, status)).toBe(expected);
  });

  test('what was handed over before it was posted is not promised again', () => {
    expect(toPromise({ qtyOrdered: pieces(3) })).toBe(pieces(3));
    expect(toPromise({ qtyOrdered: pieces(3), qtyShipped: pieces(2) })).toBe(pieces(1));
    expect(toPromise({ qtyOrdered: pieces(3), qtyShipped: pieces(3), qtyCanceled: pieces(1) })).toBe(none);
  });

  test.each([
    ['totalInvoiced', true],
    ['baseTaxRefunded', true],
    ['subtotalCanceled', true],
    ['baseTotalInvoicedCost', true],
    ['qtyShipped', true],
    ['qtyReturned', true],
    ['adjustmentNegative', true],
    ['baseAdjustmentPositive', true],
    ['amountRefunded', true],
    ['grandTotal', false],
    ['qtyOrdered', false],
    ['totalPaid', false],
    ['status', false],
  ])('only documents write %s: %s', (property, expected) => {
    expect(isBooked(property)).toBe(expected);
  });

  test('sending a booked figure again is fine, another value is found', () => {
    const stored = { totalInvoiced: money('108'), status: 'processing' };
    expect(firstOverwritten(stored, { totalInvoiced: money('108'), status: 'holded' })).toBeUndefined();
    expect(firstOverwritten(stored, { totalInvoiced: undefined })).toBeUndefined();
    expect(firstOverwritten(stored, { totalInvoiced: money('1') })).toEqual(['totalInvoiced', money('1')]);
  });

  const at = (count: number, isHere = true) => ({ quantity: pieces(count), isInStock: isHere });

  test.each([
    ['everything that lies there', [at(10), at(5)], 0, 0, 15],
    ['less what is promised', [at(10)], -3, 0, 7],
    ['less what must stay', [at(10)], -3, 2, 5],
    ['below nothing when more is promised than lies there', [at(1)], -3, 0, -2],
    ['only of sources that have it in stock', [at(10), at(5, false)], 0, 0, 10],
    ['nothing when no source has', [at(5, false)], -1, 0, 0],
    ['nothing when it lies nowhere', [], 0, 0, 0],
  ])('salable: %s', (_case, sources, reserved, minQty, expected) => {
    expect(salableQuantity(sources, pieces(reserved), pieces(minQty))).toBe(pieces(expected));
  });

  test.each([
    [1, 0, false, true],
    [0, 0, false, false],
    [2, 2, false, false],
    [3, 2, false, true],
    [0, 0, true, true],
  ])('%d left with %d to stay and backorders %s: in stock %s', (left, minQty, allowsBackorders, expected) => {
    expect(isInStock(pieces(left), { minQty: pieces(minQty), allowsBackorders })).toBe(expected);
  });

  test.each([
    ['its status, and no state', { posLayawayStatus: 'open' }, { state: 'pending_payment', status: 'pending_payment' }],
    [
      'its status, in the state of any sale',
      { state: 'new', status: 'pending', posLayawayStatus: 'open' },
      { state: 'pending_payment', status: 'pending_payment' },
    ],
    [
      'its status, and one of the shop’s own beside it',
      { state: 'new', status: 'my_own', posLayawayStatus: 'open' },
      { state: 'pending_payment', status: 'my_own' },
    ],
    ['its state and its status', { state: 'pending_payment', posLayawayStatus: 'open' }, {}],
    ['a deposit', { state: 'pending_payment', posLayawayDepositAmount: money('5') }, { posLayawayStatus: 'open' }],
    ['a balance', { state: 'pending_payment', posLayawayBalanceOwed: money('5') }, { posLayawayStatus: 'open' }],
    ['an expiry', { state: 'pending_payment', posLayawayExpiresAt: new Date(0) }, { posLayawayStatus: 'open' }],
    [
      'a way of payment',
      { state: 'pending_payment', posLayawayInitialPaymentMethod: 'c' },
      { posLayawayStatus: 'open' },
    ],
    ['nothing that counts', { state: 'pending_payment', posLayawayDepositAmount: money('0') }, {}],
    ['what only a layaway that waits may have', { state: 'new', posLayawayExpiresAt: new Date(0) }, {}],
    ['that it is over', { state: 'new', posLayawayStatus: 'cancelled' }, {}],
    [
      'that it is paid',
      { state: 'pending_payment', posLayawayStatus: 'ready_to_settle' },
      { posLayawayStatus: 'open' },
    ],
  ] as const)('an order posted with %s starts so', (_case, posted, expected) => {
    expect(layawayStart(posted)).toEqual(expected);
  });
});

describe('sku of line', () => {
  test.each([
    ['a line has its own SKU', { sku: 'MUG' }, [], 'MUG', 'MUG'],
    ['an engraved one too, and the goods theirs', { sku: 'MUG-ENGR', stockSku: 'MUG' }, [], 'MUG-ENGR', 'MUG'],
    ['a shirt has that of its part', { sku: 'SHIRT', productType: 'configurable' }, ['RED-M'], 'RED-M', 'RED-M'],
    [
      'a printed shirt keeps that of its print',
      { sku: 'RED-M-PRINT', productType: 'configurable', stockSku: 'RED-M' },
      ['RED-M'],
      'RED-M-PRINT',
      'RED-M',
    ],
    ['a bundle keeps its own', { sku: 'SET', productType: 'bundle' }, ['MUG'], 'SET', 'SET'],
  ])('%s', (_what, line, parts, shown, stocked) => {
    const sku = skuOfLine(
      line,
      parts.map((one) => ({ sku: one })),
    );
    expect([sku, stockSkuOf({ ...line, sku })]).toEqual([shown, stocked]);
  });
});
