import { expect, test } from '@jest/globals';
import { pieces } from '../../../domain/money/quantity.ts';
import { splitRefunded, takeFrom } from '../../../domain/platform/credit-memo-stock.ts';

test.each([
  { invoiced: 2, shipped: 0, refunded: 1, qty: 1, unshipped: 1, handedOver: 0, before: 0 },
  { invoiced: 2, shipped: 2, refunded: 1, qty: 1, unshipped: 0, handedOver: 1, before: 0 },
  { invoiced: 2, shipped: 2, refunded: 2, qty: 1, unshipped: 0, handedOver: 1, before: 1 },
  { invoiced: 3, shipped: 1, refunded: 3, qty: 3, unshipped: 2, handedOver: 1, before: 0 },
  { invoiced: 3, shipped: 1, refunded: 3, qty: 1, unshipped: 0, handedOver: 1, before: 0 },
  { invoiced: 1, shipped: 3, refunded: 1, qty: 1, unshipped: 0, handedOver: 1, before: 0 },
])('of $invoiced invoiced and $shipped handed over, $qty more back: $unshipped lie there', (given) => {
  const after = {
    qtyInvoiced: pieces(given.invoiced),
    qtyShipped: pieces(given.shipped),
    qtyRefunded: pieces(given.refunded),
  };
  expect(splitRefunded(after, pieces(given.qty), undefined)).toEqual({
    unshipped: pieces(given.unshipped),
    shipped: pieces(given.handedOver),
    shippedBefore: pieces(given.before),
  });
});

test.each([
  { sentence: 'a return took the shipped one before', promised: 1, unshipped: 1, handedOver: 1, before: 1 },
  { sentence: 'a return took the one on the shelf before', promised: 0, unshipped: 0, handedOver: 2, before: 0 },
  { sentence: 'two lines share a promise that is longer', promised: 5, unshipped: 1, handedOver: 1, before: 1 },
])('of three, two of them handed over, two more back when $sentence', (given) => {
  const after = { qtyInvoiced: pieces(3), qtyShipped: pieces(2), qtyRefunded: pieces(3) };
  expect(splitRefunded(after, pieces(2), pieces(given.promised))).toEqual({
    unshipped: pieces(given.unshipped),
    shipped: pieces(given.handedOver),
    shippedBefore: pieces(given.before),
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
