import { expect, test } from 'vitest';
import { money } from '../../../../domain/money/amount.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { priceOf, type Tier } from '../../../../domain/platform/carts/cart-price.ts';
import { aCent } from '../../../support/coins.ts';

const tiers: Tier[] = [
  { customerGroupId: 32_000, websiteId: 0, qty: pieces(6), value: 0, percentageValue: 100_000 },
  { customerGroupId: 2, websiteId: 0, qty: pieces(1), value: money('8') },
  { customerGroupId: 1, websiteId: 2, qty: pieces(1), value: money('1') },
  { customerGroupId: 32_000, websiteId: 1, qty: pieces(100), value: money('99') },
];

test.each([
  ['one at the catalog’s price', 1, 5, '10'],
  ['six are ten percent cheaper for everybody', 1, 6, '9'],
  ['wholesalers have their own price', 2, 1, '8'],
  ['of several the lowest', 2, 6, '8'],
  ['another website’s tier does not count', 1, 1, '10'],
  ['a tier above the price does not make it dearer', 1, 100, '9'],
])('%s', (_case, groupId, qty, price) => {
  expect(priceOf({ price: money('10'), tiers }, { qty: pieces(qty), groupId, websiteId: 1, coin: aCent })).toBe(
    money(price),
  );
});
