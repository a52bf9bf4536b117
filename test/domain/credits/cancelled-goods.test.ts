import { expect, test } from 'vitest';
import { cancelledGoods } from '../../../domain/credits/cancelled-goods.ts';
import { formatAmount, money } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';

test.each([
  ['nothing was cancelled', { ordered: 3, invoiced: 1, cancelled: 0, invoicedRow: '33.34' }, '0.0000'],
  ['all was invoiced', { ordered: 3, invoiced: 3, cancelled: 0, invoicedRow: '100.01' }, '0.0000'],
  [
    'the rest was cancelled: the exact rest',
    { ordered: 3, invoiced: 1, cancelled: 2, invoicedRow: '33.34' },
    '66.6700',
  ],
  ['some may still be invoiced', { ordered: 3, invoiced: 1, cancelled: 1, invoicedRow: '33.34' }, '33.3350'],
  ['nothing was invoiced', { ordered: 3, invoiced: 0, cancelled: 3, invoicedRow: '0' }, '100.0100'],
])('what was cancelled of a line of 100.01 is worth, when %s', (_case, line, expected) => {
  const worth = cancelledGoods({
    qtyOrdered: pieces(line.ordered),
    qtyInvoiced: pieces(line.invoiced),
    qtyCanceled: pieces(line.cancelled),
    baseRowTotal: money('100.01'),
    baseRowInvoiced: money(line.invoicedRow),
  });
  expect(formatAmount(worth)).toBe(expected);
});
