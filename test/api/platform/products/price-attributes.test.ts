import { expect, test } from 'vitest';
import { aShopper } from '../../../support/builders/cart.ts';
import { api, opensACartShop } from '../../../support/cart-shop.ts';

opensACartShop();

const ways = [
  ['PUT', '/V1/products/MUG', {}],
  ['POST', '/V1/products', { sku: 'CUP', name: 'Cup', price: 8 }],
] as const;
const save = ([method, path, product]: (typeof ways)[number], attribute_code: string, value: unknown) =>
  api.call(method, path, {
    token: api.tokens.admin,
    body: { product: { ...product, custom_attributes: [{ attribute_code, value }] } },
  });

test.each([
  ['special_price', -4],
  ['special_price', 'abc'],
  ['special_price', '5 USD'],
  ['cost', '-0.01'],
])('no product has the %s %s, which a register would read', async (code, value) => {
  for (const way of ways) {
    expect(await save(way, code, value)).toMatchObject({
      status: 400,
      body: { message: 'Please enter a number 0 or greater in this field.' },
    });
  }
});

test('a special price is a number or its text, and an empty text takes it away', async () => {
  const [change] = ways;
  const priceInCart = async () => {
    const shopper = await aShopper(api);
    await shopper.open();
    return (await shopper.put('MUG')).body.price;
  };
  for (const [value, price] of [
    ['12.5', 12.5],
    [0, 0],
    ['', 50],
    ['10.989999999999998', 10.99],
    [11, 11],
    [null, 50],
  ] as const) {
    expect(await save(change, 'special_price', value)).toMatchObject({ status: 200 });
    expect(await priceInCart()).toBe(price);
  }
});
