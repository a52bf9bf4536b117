import { describe, expect, test } from 'vitest';
import { money, toPlain } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { aRefundableOrder, aRequest, type SoldLine } from '../../../support/builders/refundable-order.ts';
import { refunds, sums, refusal, line } from './quoted-refunds.ts';

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
