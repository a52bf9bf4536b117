import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop, aShopper } from '../../../support/builders/cart.ts';
import { waysToCarts, type CartBehind } from '../../../support/builders/cart-doors.ts';
import { booksOf } from '../../../support/books.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(fork());
  await insert('product', { sku: 'EGGS', name: 'Eggs', price: 0.5, website_ids: '{1}', manage_stock: false });
});
afterAll(async () => {
  await booksHold();
  await api.close();
});

const { fork, booksHold, insert } = booksOf(() => api.orm);

/** The rules of the eggs, as an administrator sets them. */
const eggsAreSold = async (rules: object) => {
  const path = '/V1/products/EGGS/stockItems/1';
  const answer = await api.call('PUT', path, { token: api.tokens.admin, body: { stockItem: rules } });
  expect(answer).toMatchObject({ status: 200 });
};
const byTheBox = { min_sale_qty: 12, max_sale_qty: 36, enable_qty_increments: true, qty_increments: 6 };
const anyNumber = { min_sale_qty: 1, max_sale_qty: 0, enable_qty_increments: false, is_qty_decimal: true };

const tooFew = 'The fewest you may purchase is %1.';
const tooMany = 'The requested qty exceeds the maximum qty allowed in shopping cart';
const between = 'You can buy this product only in quantities of %1 at a time.';
const partly = 'You cannot use decimal quantity for this product.';
const email = 'guest@shop.test';
const paymentMethod = { method: 'checkmo' };

/** What the boxes of eggs do not permit. */
const wrong: readonly (readonly [qty: number, said: string, parameters?: unknown[]])[] = [
  [6, tooFew, [12]],
  [42, tooMany],
  [20, between, [6]],
  [12.5, partly],
];

describe.each(waysToCarts)('$door.whose', ({ open }) => {
  test('takes eggs by the box: no fewer, no more, and none between two boxes', async () => {
    await eggsAreSold({ ...byTheBox, is_qty_decimal: false });
    const { put, call } = await open(api);
    for (const [qty, said] of wrong) await expectRefused({ send: () => put('EGGS', qty), status: 400, said });
    expect((await call('GET', '/items')).body).toEqual([]);

    const { body } = await put('EGGS', 12);
    for (const [qty, said, parameters] of wrong) {
      const set = () => call('PUT', `/items/${body.item_id}`, { cartItem: { qty } });
      await expectRefused({ send: set, status: 400, said });
      if (parameters) expect((await set()).body).toEqual({ message: said, parameters });
    }
    expect((await put('EGGS', 6)).body).toMatchObject({ qty: 18 });
    await expectRefused({ send: () => put('EGGS', 24), status: 400, said: tooMany });
    expect((await call('GET', '/items')).body).toMatchObject([{ qty: 18 }]);
  });

  test('takes part of a pound only where the product lets fewer than one be bought', async () => {
    const byWeight = { is_qty_decimal: true, enable_qty_increments: false, max_sale_qty: 0 };
    await eggsAreSold({ ...byWeight, use_config_min_sale_qty: true });
    const { put, call } = await open(api);
    await expectRefused({ send: () => put('EGGS', 0.5), status: 400, said: tooFew });
    expect((await put('EGGS', 1.5)).body).toMatchObject({ qty: 1.5 });

    await eggsAreSold({ ...byWeight, use_config_min_sale_qty: false, min_sale_qty: 0.25 });
    expect((await put('EGGS', 0.25)).body).toMatchObject({ qty: 1.75 });
    const { body } = await call('GET', '/items');
    const set = (qty: number) => call('PUT', `/items/${body[0].item_id}`, { cartItem: { qty } });
    expect((await set(0.25)).body).toMatchObject({ qty: 0.25 });
    await expectRefused({ send: () => set(0.2), status: 400, said: tooFew });
  });

  test('is not placed where the boxes became others meanwhile', async () => {
    for (const [qty, said] of wrong) {
      await eggsAreSold(anyNumber);
      const cart = await open(api);
      await cart.put('EGGS', qty);
      await cart.ship();
      await cart.call('POST', '/set-payment-information', { email, paymentMethod });
      await eggsAreSold({ ...byTheBox, is_qty_decimal: false });
      await refusesToPlace(cart, said);
      await eggsAreSold(anyNumber);
      expect(await cart.call('PUT', '/order', { paymentMethod })).toMatchObject({ status: 200 });
    }
  });

  const refusesToPlace = async (cart: CartBehind, said: string) => {
    const pay = () => cart.call('POST', '/payment-information', { email, paymentMethod });
    await expectRefused({ send: pay, status: 400, said });
    await expectRefused({ send: () => cart.call('PUT', '/order', { paymentMethod }), status: 400, said });
  };
});

test('two carts that become one hold no more eggs, and no others, than one may', async () => {
  // Together 10 are too few, 48 too many, 20 between two boxes, and half an egg is no egg.
  const sums: readonly (readonly [guest: number, own: number, said: string])[] = [
    [4, 6, tooFew],
    [24, 24, tooMany],
    [12, 8, between],
    [12, 12.5, partly],
  ];
  const { admin } = api.tokens;
  for (const [guest, own, said] of sums) {
    await eggsAreSold(anyNumber);
    const shopper = await aShopper(api);
    await shopper.open();
    await shopper.put('EGGS', own);
    const { body: mask } = await api.call('POST', '/V1/guest-carts');
    await api.call('POST', `/V1/guest-carts/${mask}/items`, { body: { cartItem: { sku: 'EGGS', qty: guest } } });
    const { body: cartId } = await api.call('POST', '/V1/carts', { token: admin });
    const some = { cartItem: { sku: 'EGGS', qty: guest } };
    await api.call('POST', `/V1/carts/${cartId}/items`, { token: admin, body: some });

    await eggsAreSold({ ...byTheBox, is_qty_decimal: false });
    const take = () => api.call('PUT', `/V1/guest-carts/${mask}`, { token: shopper.token, body: { storeId: 1 } });
    await expectRefused({ send: take, status: 400, said });
    const given = { customerId: shopper.customerId, storeId: 1 };
    const give = () => api.call('PUT', `/V1/carts/${cartId}`, { token: admin, body: given });
    await expectRefused({ send: give, status: 400, said });
    expect((await shopper.call('GET', '/items')).body).toMatchObject([{ qty: own }]);
  }
});
