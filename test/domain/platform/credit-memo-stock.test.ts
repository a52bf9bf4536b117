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
  expect(splitRefunded(after, pieces(given.qty))).toEqual({
    unshipped: pieces(given.unshipped),
    shipped: pieces(given.handedOver),
    shippedBefore: pieces(given.before),
  });
});

test.each([
  { sentence: 'a return took one of those', cameBack: 1, neverShipped: 0, unshipped: 1, handedOver: 1, before: 1 },
  {
    sentence: 'a return took the one on the shelf',
    cameBack: 0,
    neverShipped: 1,
    unshipped: 0,
    handedOver: 2,
    before: 0,
  },
  { sentence: 'a memo by hand took one', unshipped: 0, handedOver: 2, before: 0 },
])('of three, two of them handed over, two more back after $sentence', (given) => {
  const after = { qtyInvoiced: pieces(3), qtyShipped: pieces(2), qtyRefunded: pieces(3) };
  const { cameBack = 0, neverShipped = 0 } = given;
  const refunded = pieces(cameBack + neverShipped);
  const beside = { cameBack: pieces(cameBack), neverShipped: pieces(neverShipped), refunded };
  expect(splitRefunded(after, pieces(2), beside)).toEqual({
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
