import { expect, test } from 'vitest';
import { aShopper } from '../../../support/builders/cart.ts';
import { api, opensACartShop } from '../../../support/cart-shop.ts';

opensACartShop();

const forAll = { customer_group_id: 32_000, qty: 1 };
const percent = (percentage: number) => ({ extension_attributes: { percentage_value: percentage } });
const ways = [
  ['PUT', '/V1/products/MUG', {}],
  ['POST', '/V1/products', { sku: 'CUP', name: 'Cup', price: 8 }],
] as const;
const save = ([method, path, product]: (typeof ways)[number], ...tiers: object[]) =>
  api.call(method, path, { token: api.tokens.admin, body: { product: { ...product, tier_prices: tiers } } });

const tooLow = 'Group price must be a number greater than 0.';
const noShare = 'Percentage value must be a number between 0 and 100.';
const twice = 'We found a duplicate website, tier price, customer group and quantity.';

test.each([
  ['is below zero', tooLow, [{ ...forAll, value: -3 }]],
  ['is missing', tooLow, [forAll]],
  ['takes off more than all', noShare, [{ ...forAll, ...percent(101) }]],
  ['takes off less than nothing', noShare, [{ ...forAll, ...percent(-1) }]],
  ['is there twice', twice, [4, 5].map((value) => ({ ...forAll, value }))],
])('a tier price that %s is refused, and a cart has the price of before', async (_what, message, tiers) => {
  for (const way of ways) expect(await save(way, ...tiers)).toMatchObject({ status: 400, body: { message } });

  const shopper = await aShopper(api);
  await shopper.open();
  expect((await shopper.put('MUG')).body).toMatchObject({ price: 50 });
});

test('tier prices may differ by group, website and quantity, be nothing, or take off all', async () => {
  const tiers = [
    { ...forAll, qty: 100, value: 0 },
    { ...forAll, qty: 200, ...percent(100) },
    { ...forAll, customer_group_id: 2, value: 40 },
    { ...forAll, customer_group_id: 2, value: 39, extension_attributes: { website_id: 1 } },
  ];
  for (const way of ways) expect(await save(way, ...tiers)).toMatchObject({ status: 200 });
});
