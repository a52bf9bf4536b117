import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigValue } from '../../../../db/platform/stores/config-value.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop, aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aCartShop(api.orm.em.fork());
});
afterAll(() => api.close());

test('totals add goods, shipping and the tax of the place they go to', async () => {
  const { totals } = await aShopperWithMugs(api);

  const body = await totals();

  expect(body).toMatchObject({
    subtotal: 100,
    subtotal_incl_tax: 108,
    shipping_amount: 10,
    tax_amount: 8,
    discount_amount: 0,
    grand_total: 118,
    base_grand_total: 118,
    items_qty: 2,
    items: [{ qty: 2, price: 50, price_incl_tax: 54, row_total: 100, tax_percent: 8, tax_amount: 8, name: 'Mug' }],
    extension_attributes: { amount_to_pay: 118, base_amount_to_pay: 118 },
  });
  expect(body.total_segments.map(({ code, value }: { code: string; value: number }) => [code, value])).toEqual([
    ['subtotal', 100],
    ['shipping', 10],
    ['tax', 8],
    ['grand_total', 118],
  ]);
});

test('the totals of an empty cart are zero', async () => {
  const { open, totals } = await aShopper(api);
  await open();
  expect(await totals()).toMatchObject({ grand_total: 0, items: [], items_qty: 0 });
});

describe('coupons', () => {
  test('take off before tax, whatever their case; one takes the place of the other', async () => {
    const { call, totals } = await aShopperWithMugs(api);

    expect(await call('GET', '/coupons')).toMatchObject({ status: 200, body: [] });
    expect(await call('PUT', '/coupons/tenoff')).toMatchObject({ status: 200, body: true });
    expect(await call('GET', '/coupons')).toMatchObject({ status: 200, body: 'TENOFF' });
    expect(await totals()).toMatchObject({
      coupon_code: 'TENOFF',
      discount_amount: -10,
      subtotal_with_discount: 90,
      tax_amount: 7.2,
      grand_total: 107.2,
      items: [{ row_total: 100, row_total_with_discount: 90, discount_amount: 10 }],
      total_segments: expect.arrayContaining([expect.objectContaining({ code: 'discount', value: -10 })]),
    });
    expect(await call('PUT', '/coupons/FIVE')).toMatchObject({ status: 200 });
    expect(await totals()).toMatchObject({ discount_amount: -5, tax_amount: 7.6, grand_total: 112.6 });
    expect(await call('DELETE', '/coupons')).toMatchObject({ status: 200, body: true });
    expect(await call('DELETE', '/coupons')).toMatchObject({ status: 200, body: true });
    expect(await totals()).toMatchObject({ grand_total: 118 });
  });

  test.each(['NOSUCH', 'OVER', '%25', 'x'.repeat(255)])('%s is not good', async (code) => {
    const { call } = await aShopperWithMugs(api);
    expect(await call('PUT', `/coupons/${code}`)).toMatchObject({
      status: 404,
      body: { message: "The coupon code isn't valid. Verify the code and try again." },
    });
  });

  test('an empty cart takes none', async () => {
    const { call, open } = await aShopper(api);
    const id = await open();
    expect(await call('PUT', '/coupons/TENOFF')).toMatchObject({
      status: 404,
      body: { message: 'The "%1" Cart doesn\'t contain products.', parameters: [id] },
    });
  });
});

describe('shipping', () => {
  const rates = [{ carrier_code: 'flatrate', method_code: 'flatrate', amount: 10, base_amount: 10, available: true }];

  test('is a flat rate for each piece unless the shop says otherwise', async () => {
    const { call, open, put } = await aShopper(api);
    await open();
    await put('MUG', 2);
    await put('GIFTWRAP', 4);

    expect((await call('POST', '/estimate-shipping-methods', { address: { countryId: 'US' } })).body).toMatchObject(
      rates,
    );
    expect(await call('GET', '/shipping-methods')).toMatchObject({
      status: 400,
      body: { message: 'The shipping address is missing. Set the address and try again.' },
    });
    await call('POST', '/billing-address', { address: troy, useForShipping: true });
    expect((await call('GET', '/shipping-methods')).body).toMatchObject(rates);
  });

  test('is answered with the ways to pay and the totals', async () => {
    const { open, put, ship } = await aShopper(api);
    await open();
    await put('MUG');

    expect(await ship()).toMatchObject({
      status: 200,
      body: {
        payment_methods: [{ code: 'checkmo', title: 'Check / Money order' }],
        totals: { shipping_amount: 5, tax_amount: 4, grand_total: 59 },
      },
    });
  });

  test('free shipping and pick-up are there when the shop offers them', async () => {
    const em = api.orm.em.fork();
    em.create(ConfigValue, { path: 'carriers/freeshipping/active', value: '1', scope: 'stores', scopeId: 2 });
    em.create(ConfigValue, { path: 'carriers/freeshipping/free_shipping_subtotal', value: '60' });
    em.create(ConfigValue, { path: 'carriers/instore/active', value: '1', scope: 'stores', scopeId: 2 });
    await em.flush();
    const { put, call, token } = await aShopper(api);
    await api.call('POST', '/rest/ca/V1/carts/mine', { token });
    const codes = async () =>
      (await call('POST', '/estimate-shipping-methods', { address: {} })).body.map(
        ({ carrier_code, method_code, amount }: Record<string, string>) => `${carrier_code} ${method_code} ${amount}`,
      );

    await put('MUG');
    expect(await codes()).toEqual(['flatrate flatrate 6.8', 'instore pickup 0']);
    await put('MUG');
    expect(await codes()).toEqual(['flatrate flatrate 13.6', 'freeshipping freeshipping 0', 'instore pickup 0']);
  });

  test.each([
    ['an unknown carrier', { shippingCarrierCode: 'owl' }, 404, 'Carrier with such method not found: %1, %2'],
    ['a method of none', { shippingMethodCode: 'broom' }, 404, 'Carrier with such method not found: %1, %2'],
    [
      'no country',
      { shippingAddress: { ...troy, countryId: undefined } },
      400,
      'The shipping address is missing. Set the address and try again.',
    ],
    [
      'a country there is not',
      { shippingAddress: { ...troy, countryId: 'XX' } },
      400,
      'Invalid value of "%value" provided for the %fieldName field.',
    ],
    [
      'a region of elsewhere',
      { shippingAddress: { ...troy, regionId: 74 } },
      400,
      'Invalid value of "%value" provided for the %fieldName field.',
    ],
    [
      'no street and no city',
      { shippingAddress: { ...troy, street: [], city: '' } },
      400,
      'One or more input exceptions have occurred.',
    ],
    [
      'a name of nine hundred letters',
      { shippingAddress: { ...troy, firstname: 'x'.repeat(900) } },
      400,
      'First Name is not valid!',
    ],
    ['what is no billing address', { billingAddress: {} }, 400, 'One or more input exceptions have occurred.'],
  ])('is refused for %s, and nothing is kept', async (_case, more, status, message) => {
    const { open, put, ship, call } = await aShopper(api);
    await open();
    await put('MUG');

    expect(await ship(more)).toMatchObject({ status, body: { message } });
    expect((await call('GET')).body.extension_attributes.shipping_assignments[0].shipping).toMatchObject({
      method: null,
      address: { city: null },
    });
  });

  test('is refused for a cart with nothing to ship', async () => {
    const { open, put, ship } = await aShopper(api);
    await open();
    expect(await ship()).toMatchObject({
      status: 400,
      body: { message: "The shipping method can't be set for an empty cart. Add an item to cart and try again." },
    });
    await put('GIFTWRAP');
    expect(await ship()).toMatchObject({
      status: 400,
      body: { message: 'The Cart includes virtual product(s) only, so a shipping address is not used.' },
    });
  });
});

test('payment information is what there is to pay with, and the totals', async () => {
  const { call } = await aShopperWithMugs(api);

  expect((await call('GET', '/payment-methods')).body).toEqual([{ code: 'checkmo', title: 'Check / Money order' }]);
  expect((await call('GET', '/payment-information')).body).toMatchObject({
    payment_methods: [{ code: 'checkmo' }],
    totals: { grand_total: 118 },
  });
});
