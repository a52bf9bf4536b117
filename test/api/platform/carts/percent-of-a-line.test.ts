import { expect, test } from 'vitest';
import { aShopperWithMugs } from '../../../support/builders/cart.ts';
import { api, opensACartShop } from '../../../support/cart-shop.ts';

opensACartShop();

const placed = async (coupon: string) => {
  const shopper = await aShopperWithMugs(api);
  await shopper.call('PUT', `/coupons/${coupon}`);
  const { items } = await shopper.totals();
  const { body: orderId } = await shopper.place();
  const order = await api.call('GET', `/V1/orders/${orderId}`, { token: api.tokens.admin });
  return { inCart: items[0].discount_percent, onOrder: order.body.items[0].discount_percent };
};

test('a line keeps on the order the percentage that the cart promised', async () => {
  expect(await placed('TENOFF')).toEqual({ inCart: 10, onOrder: 10 });
});

test('an amount off the whole cart is no percentage of a line', async () => {
  expect(await placed('FIVE')).toEqual({ inCart: 0, onOrder: 0 });
});
