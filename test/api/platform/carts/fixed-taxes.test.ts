import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { aShirtInSizes } from '../../../support/builders/shirt.ts';
import { booksOf } from '../../../support/books.ts';
import { api, opensAShop } from './orders-of-carts.ts';

opensAShop();
const { configure, remove, fillShelves } = booksOf(() => api.orm);
const admin = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;

const fee = (website_id: number, country: string, state: number, value: number) => ({
  ...{ website_id, country, state, value },
});
const charge = (sku: string, ...fees: object[]) =>
  admin('PUT', `/V1/products/${sku}`, {
    product: { custom_attributes: [{ attribute_code: 'eco_fee', value: fees }] },
  });

beforeAll(async () => {
  await ownAttributes(api, { eco_fee: 'weee' });
  await charge('MUG', fee(0, 'US', 0, 2.5), fee(0, 'US', 43, 2.9), fee(1, 'US', 43, 3), fee(0, 'DE', 0, 1));
  const attribute = { default_frontend_label: 'Recycling fee' };
  expect((await admin('PUT', '/V1/products/attributes/eco_fee', { attribute })).status).toBe(200);
  await fillShelves();
});
beforeEach(async () => {
  await configure('tax/weee/enable', '1');
});
afterEach(async () => {
  for (const path of ['enable', 'apply_vat', 'include_in_subtotal'])
    await remove('config_value', { path: `tax/weee/${path}` });
  await remove('config_value', { path: 'tax/calculation/price_includes_tax' });
});

const segments = (totals: { total_segments: { code: string; value: number }[] }) =>
  Object.fromEntries(totals.total_segments.map(({ code, value }) => [code, value]));

test('two mugs to Troy cost their fee of this website and region on top, shown by piece and by row', async () => {
  const { totals } = await aShopperWithMugs(api);
  const body = await totals();
  expect(body).toMatchObject({
    ...{ subtotal: 100, shipping_amount: 10, tax_amount: 8, weee_tax_applied_amount: 6, grand_total: 124 },
    ...{ base_grand_total: 124, extension_attributes: { amount_to_pay: 124 } },
    items: [{ row_total: 100, tax_amount: 8, weee_tax_applied_amount: 3 }],
  });
  expect(segments(body)).toEqual({ subtotal: 100, shipping: 10, weee_tax: 6, tax: 8, grand_total: 124 });
  expect(JSON.parse(body.items[0].weee_tax_applied)).toEqual([
    {
      ...{ title: 'Recycling fee', amount: 3, row_amount: 6, amount_incl_tax: 3, row_amount_incl_tax: 6 },
      ...{ base_amount: 3, base_row_amount: 6, base_amount_incl_tax: 3, base_row_amount_incl_tax: 6 },
    },
  ]);
});

test.each([
  ['the country’s where the region has none', { countryId: 'US', regionId: 12 }, 5],
  ['another country’s', { countryId: 'DE', regionId: undefined }, 2],
  ['none where there is none', { countryId: 'FR', regionId: undefined }, 0],
])('a fee is %s', async (_case, place, expected) => {
  const { call } = await aShopperWithMugs(api);
  const { body } = await call('POST', '/totals-information', {
    addressInformation: { address: { ...troy, ...place, postcode: '10115' } },
  });
  expect(body).toMatchObject({ weee_tax_applied_amount: expected, grand_total: 110 + expected });
});

test('a shop that does not charge fees shows none', async () => {
  await remove('config_value', { path: 'tax/weee/enable' });
  const { totals } = await aShopperWithMugs(api);
  const body = await totals();
  expect(body).toMatchObject({ grand_total: 118, weee_tax_applied_amount: 0 });
  expect(segments(body)).not.toHaveProperty('weee_tax');
});

test('a coupon takes nothing off a fee; more mugs have more fees', async () => {
  const { call, totals, put } = await aShopperWithMugs(api);
  await call('PUT', '/coupons/TENOFF');
  expect(await totals()).toMatchObject({ discount_amount: -10, tax_amount: 7.2, grand_total: 113.2 });
  await put('MUG', 1);
  expect(await totals()).toMatchObject({ weee_tax_applied_amount: 9, grand_total: 169.8 });
});

test('shown among the goods, the fees are a part of the subtotal, and of nothing else', async () => {
  await configure('tax/weee/include_in_subtotal', '1');
  const { totals, place } = await aShopperWithMugs(api);
  const body = await totals();
  expect(body).toMatchObject({
    subtotal: 106,
    base_subtotal: 106,
    subtotal_incl_tax: 114,
    subtotal_with_discount: 106,
  });
  expect(segments(body)).toEqual({ subtotal: 106, shipping: 10, tax: 8, grand_total: 124 });
  const { body: orderId } = await place();
  expect(await orderOf(orderId)).toMatchObject({ subtotal: 100, grand_total: 124 });
});

const without = { apply_vat: '0', included: '0', tax: 8, row: 6, grand: 124, paid: 67, back: 57 };
const on = { apply_vat: '1', included: '0', tax: 8.48, row: 6, grand: 124.48, paid: 67.24, back: 57.24 };
/** Of the first mug 46.30, 3.71 of tax, 2.78 and 0.22 of tax on it: a cent more than of the second. */
const within = { apply_vat: '1', included: '1', tax: 7.85, row: 5.56, grand: 116, paid: 63.01, back: 53.01 };
describe.each([
  { says: 'fees without tax', ...without },
  { says: 'fees with tax on them', ...on },
  { says: 'fees with tax in them', ...within },
])('$says', ({ apply_vat, included, tax, row, grand, paid, back }) => {
  beforeEach(async () => {
    await configure('tax/weee/apply_vat', apply_vat);
    await configure('tax/calculation/price_includes_tax', included);
  });

  test('are in the order, paid with it, and given back piece by piece to the cent', async () => {
    const { place } = await aShopperWithMugs(api);
    const { body: orderId } = await place();
    const order = await orderOf(orderId);
    expect(order).toMatchObject({ tax_amount: tax, grand_total: grand, base_grand_total: grand });
    const [line] = order.items;
    expect(line).toMatchObject({ weee_tax_applied_row_amount: row, base_weee_tax_applied_row_amnt: row });
    expect(JSON.parse(line.weee_tax_applied)).toMatchObject([{ title: 'Recycling fee', row_amount: row }]);

    const items = [{ order_item_id: line.item_id, qty: 1 }];
    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true, items });
    expect(await orderOf(orderId)).toMatchObject({ total_paid: paid });
    const some = { items, arguments: { shipping_amount: 0 } };
    expect(await admin('POST', `/V1/order/${orderId}/refund`, some)).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ total_refunded: back });

    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    expect(await orderOf(orderId)).toMatchObject({ total_paid: grand, tax_invoiced: tax });
    expect(await admin('POST', `/V1/order/${orderId}/refund`, some)).toMatchObject({ status: 200 });
    expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ total_refunded: grand, tax_refunded: tax, state: 'closed' });
  });

  test('are converted in the other currency, and all of them come back', async () => {
    const { call, token } = await aShopper(api);
    const inCanada = (method: string, path: string, body?: object) =>
      api.call(method, `/rest/ca/V1/carts/mine${path}`, { token, ...(body ? { body } : {}) });
    await inCanada('POST', '');
    await inCanada('POST', '/items', { cartItem: { sku: 'MUG', qty: 3 } });
    const way = { shippingCarrierCode: 'flatrate', shippingMethodCode: 'flatrate' };
    await inCanada('POST', '/shipping-information', {
      addressInformation: { shippingAddress: troy, billingAddress: troy, ...way },
    });
    await call('PUT', '/coupons/FIVE');
    const { body: totals } = await inCanada('GET', '/totals');
    expect(totals.items[0].weee_tax_applied_amount).toBe(included === '1' ? 3.7778 : 4.08);
    const { body: orderId } = await inCanada('PUT', '/order', { paymentMethod: { method: 'checkmo' } });
    const { grand_total, base_grand_total, items } = await orderOf(orderId);
    expect([grand_total, base_grand_total]).toEqual([totals.grand_total, totals.base_grand_total]);

    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    for (let piece = 1; piece <= 3; piece++)
      expect(
        await admin('POST', `/V1/order/${orderId}/refund`, {
          items: [{ order_item_id: items[0].item_id, qty: 1 }],
          ...(piece < 3 ? { arguments: { shipping_amount: 0 } } : {}),
        }),
      ).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({
      ...{ total_refunded: grand_total, base_total_refunded: base_grand_total, state: 'closed' },
    });
  });
});

test('a shirt has the fees of the one that was chosen, and those that only the shirt has', async () => {
  const choose = await aShirtInSizes(api);
  await charge('SHIRT', fee(0, 'US', 0, 9));
  const { open, call, totals, ship } = await aShopper(api);
  await open();
  await call('POST', '/items', { cartItem: { sku: 'SHIRT', qty: 2, product_option: choose(4, 2) } });
  await ship();
  expect(await totals()).toMatchObject({ weee_tax_applied_amount: 18 });
  await charge('RED-L', fee(0, 'US', 0, 0.25));
  expect(await totals()).toMatchObject({ weee_tax_applied_amount: 0.5 });
  await charge('RED-L', fee(0, 'US', 0, 0.25), fee(0, 'US', 43, 0));
  expect(await totals()).toMatchObject({ weee_tax_applied_amount: 0 });
});
