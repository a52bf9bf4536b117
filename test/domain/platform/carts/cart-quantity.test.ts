import { expect, test } from 'vitest';
import { none, parseQuantity, pieces } from '../../../../domain/money/quantity.ts';
import { quantityInCart } from '../../../../domain/platform/carts/cart-quantity.ts';

const mug = {
  typeId: 'simple',
  isEnabled: true,
  isOnWebsite: true,
  isQtyDecimal: false,
  minSaleQty: pieces(1),
  maxSaleQty: pieces(10_000),
  enableQtyIncrements: false,
  qtyIncrements: none,
  isLimited: true,
  salable: pieces(10),
};
const sixPack = { ...mug, isLimited: false, enableQtyIncrements: true, qtyIncrements: pieces(6) };
const half = parseQuantity('0.5')!;

test.each([
  ['what is held and what is added', mug, pieces(2), pieces(8), pieces(10)],
  ['half a pound', { ...mug, isQtyDecimal: true, minSaleQty: none }, half, half, pieces(1)],
  ['more than there is, on order', { ...mug, isLimited: false }, none, pieces(11), pieces(11)],
  ['two packs of six', sixPack, pieces(6), pieces(6), pieces(12)],
  ['any number where steps are not enabled', { ...sixPack, enableQtyIncrements: false }, none, pieces(5), pieces(5)],
  ['any number where there is no most', { ...sixPack, maxSaleQty: none }, none, pieces(60_000), pieces(60_000)],
  ['a service', { ...mug, typeId: 'virtual', isLimited: false, salable: none }, none, pieces(1), pieces(1)],
])('a cart takes %s', (_case, product, held, added, expected) => {
  expect(quantityInCart(product, held, added)).toBe(expected);
});

test.each([
  ['The requested qty is not available', mug, pieces(2), pieces(9)],
  ['The requested qty is not available', { ...mug, salable: parseQuantity('-1')! }, none, pieces(1)],
  ['You cannot use decimal quantity for this product.', mug, none, half],
  ['The fewest you may purchase is %1.', { ...mug, isQtyDecimal: true }, none, half],
  [
    'The requested qty exceeds the maximum qty allowed in shopping cart',
    { ...mug, isLimited: false },
    pieces(10_000),
    pieces(1),
  ],
  ['The fewest you may purchase is %1.', { ...mug, minSaleQty: pieces(6) }, pieces(2), pieces(3)],
  ['You can buy this product only in quantities of %1 at a time.', sixPack, pieces(6), pieces(5)],
  ['Product that you are trying to add is not available.', { ...mug, isEnabled: false }, none, pieces(1)],
  ['Product that you are trying to add is not available.', { ...mug, isOnWebsite: false }, none, pieces(1)],
  ['You need to choose options for your item.', { ...mug, typeId: 'bundle' }, none, pieces(1)],
])('refused: %s', (message, product, held, added) => {
  expect(() => quantityInCart(product, held, added)).toThrow(message);
});
