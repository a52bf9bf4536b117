import { describe, expect, test } from 'vitest';
import { money, toPlain } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { afterMemo } from '../../../../domain/platform/credit-memos/credit-memo-after.ts';
import { computeCreditMemo } from '../../../../domain/platform/credit-memos/credit-memo.ts';
import type { RefundableOrder } from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { whyItDiffers } from '../../../../domain/platform/credit-memos/posted-difference.ts';
import { memoRequest, plainSettlement, type SettlementOptions } from '../../../../domain/refunds/quote-refund.ts';
import { aRefundableOrder, aRequest, inTwoCurrencies } from '../../../support/builders/refundable-order.ts';
import { line, refusal } from './quoted-refunds.ts';

/** Line by line, as returns at the register: what each gives back, in base and order currency, and what its memo says. */
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
