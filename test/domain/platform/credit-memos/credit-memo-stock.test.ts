import { expect, test } from 'vitest';
import { pieces } from '../../../../domain/money/quantity.ts';
import { splitRefunded, takeFrom } from '../../../../domain/platform/credit-memos/credit-memo-stock.ts';

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
