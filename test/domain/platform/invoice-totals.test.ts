import { expect, test } from 'vitest';
import fc from 'fast-check';
import { add, amount, least, money, negate, scale, subtract, zero, type Amount } from '../../../domain/money/amount.ts';
import { none, pieces, plus } from '../../../domain/money/quantity.ts';
import { paidAfterInvoice } from '../../../domain/platform/invoice-totals.ts';
import { toInvoice } from '../../../domain/platform/line-quantities.ts';
import { seed } from '../../support/seed.ts';
import { aCent } from '../../support/coins.ts';
import { sold, invoice } from './sold-lines.ts';

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
