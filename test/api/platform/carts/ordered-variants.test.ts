import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ownAttributes } from '../../../support/attribute-token.ts';
import { booksOf } from '../../../support/books.ts';
import { aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { aShirtInSizes, type Choose } from '../../../support/builders/shirt.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { api, opensAShop, ordersOf } from './orders-of-carts.ts';

describe('fixed taxes', () => {
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
});

describe('ordered variants', () => {
  opensAShop();
  let choose: Choose;
  beforeAll(async () => {
    choose = await aShirtInSizes(api);
    await fillShelves();
  });

  const { promised, promisesOf, shelf, change, fillShelves } = booksOf(() => api.orm);
  const admin = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;
  const [red, medium, large] = [4, 1, 2];
  const salable = async () => {
    const { body: stock } = await admin('GET', '/V1/inventory/stock-resolver/website/base');
    return (await admin('GET', `/V1/inventory/get-product-salable-quantity/RED-L/${stock.stock_id}`)).body;
  };

  /** A cart with shirts in red and L, which cost 32. */
  async function aShopperWithShirts(qty: number) {
    const shopper = await aShopper(api);
    await shopper.open();
    const take = (option: object, pieces = 1) =>
      shopper.call('POST', '/items', { cartItem: { sku: 'SHIRT', qty: pieces, product_option: option } });
    await take(choose(red, large), qty);
    return { ...shopper, take };
  }

  test('the order has the shirt as a line, with its price, and the chosen one as a part of it', async () => {
    const { call, ship, place } = await aShopperWithShirts(3);
    await ship();
    await call('PUT', '/coupons/TENOFF');
    const { status, body: orderId } = await place();
    expect(status).toBe(200);

    const order = await orderOf(orderId);
    // 96 less 9.60, 15 for three pieces, 8 % of 86.40.
    expect(order).toMatchObject({ subtotal: 96, discount_amount: -9.6, tax_amount: 6.91, grand_total: 108.31 });
    expect(order).toMatchObject({ total_qty_ordered: 3, total_item_count: 1, weight: 0.6, is_virtual: 0 });
    const [sold, part] = order.items;
    expect(order.items).toHaveLength(2);
    expect(sold).toMatchObject({
      ...{ product_type: 'configurable', sku: 'RED-L', name: 'shirt', qty_ordered: 3, price: 32, discount_amount: 9.6 },
      product_option: choose(red, large),
    });
    expect(part).toMatchObject({
      ...{ parent_item_id: sold.item_id, product_type: 'simple', sku: 'RED-L', name: 'Shirt RED-L', qty_ordered: 3 },
      ...{ price: 0, row_total: 0, tax_amount: 0, discount_amount: 0, quote_item_id: sold.quote_item_id },
    });
    expect(sold.product_id).not.toBe(part.product_id);
    expect(await promisesOf(orderId, 'sku', 'quantity')).toEqual([{ sku: 'RED-L', quantity: '-3.0000' }]);
  });

  test('it is invoiced, handed over and refunded once, piece by piece, and the shelf follows', async () => {
    const before = await shelf('RED-L');
    const { ship, place, call } = await aShopperWithShirts(3);
    await ship();
    await call('PUT', '/coupons/TENOFF');
    const { body: orderId } = await place();
    const [sold, part] = (await orderOf(orderId)).items;

    expect(await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true })).toMatchObject({ status: 200 });
    expect(await admin('POST', `/V1/order/${orderId}/ship`, {})).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ state: 'complete', total_paid: 108.31 });
    expect([await shelf('RED-L'), await promised(orderId)]).toEqual([before - 3, 0]);

    const refund = (named: number) =>
      admin('POST', `/V1/order/${orderId}/refund`, {
        items: [{ order_item_id: sold.item_id, qty: 1 }],
        arguments: { shipping_amount: 0, extension_attributes: { return_to_stock_items: [named] } },
      });
    // 32 less 3.20 and 2.30 of tax, twice; the rest, with the shipping, comes last.
    expect(await refund(sold.item_id)).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ total_refunded: 31.1 });
    expect(await refund(part.item_id)).toMatchObject({ status: 200 });
    expect(await shelf('RED-L')).toBe(before - 1);
    expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ state: 'closed', total_refunded: 108.31 });
  });

  test('in the other currency it costs the same at the rate, also after a refund', async () => {
    const { call, token } = await aShopperWithShirts(3);
    const inCanada = (method: string, path: string, body?: object) =>
      api.call(method, `/rest/ca/V1/carts/mine${path}`, { token, ...(body ? { body } : {}) });
    await inCanada('POST', '');
    const way = { shippingCarrierCode: 'flatrate', shippingMethodCode: 'flatrate' };
    await inCanada('POST', '/shipping-information', {
      addressInformation: { shippingAddress: troy, billingAddress: troy, ...way },
    });
    expect((await call('GET', '/items')).body).toMatchObject([{ price: 43.52, sku: 'RED-L' }]);
    const { body: orderId } = await inCanada('PUT', '/order', { paymentMethod: { method: 'checkmo' } });
    const order = await orderOf(orderId);
    expect(order).toMatchObject({ order_currency_code: 'CAD', base_grand_total: 118.68, grand_total: 161.4 });

    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    await admin('POST', `/V1/order/${orderId}/refund`, {});
    expect(await orderOf(orderId)).toMatchObject({
      base_total_refunded: 118.68,
      total_refunded: 161.4,
      state: 'closed',
    });
  });

  test('the last shirts are not sold twice, as themselves and as a choice', async () => {
    const { put, ship, place, call } = await aShopperWithShirts(4);
    await put('RED-L', 4);
    await ship();
    const left = 7 - (await salable());
    await change('inventory_source_item', { sku: 'RED-L' }, { quantity: (await shelf('RED-L')) + left });
    expect(await place()).toMatchObject({ status: 400, body: { message: 'The requested qty is not available' } });
    const [line] = (await call('GET', '/items')).body;
    await call('PUT', `/items/${line.item_id}`, { cartItem: { qty: 3 } });
    expect(await place()).toMatchObject({ status: 200 });
    expect(await salable()).toBe(0);
    await fillShelves();
  });

  test('a cancelled order gives the chosen shirts back to everybody', async () => {
    const { ship, place } = await aShopperWithShirts(2);
    await ship();
    const { body: orderId } = await place();
    expect(await promised(orderId)).toBe(-2);
    expect(await admin('POST', `/V1/orders/${orderId}/cancel`)).toMatchObject({ body: true });
    expect(await promised(orderId)).toBe(0);
    expect(await orderOf(orderId)).toMatchObject({ state: 'canceled' });
  });

  test('a register takes the shirt back as one line', async () => {
    const { ship, place } = await aShopperWithShirts(2);
    await ship();
    const { body: orderId } = await place();
    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    await admin('POST', `/V1/order/${orderId}/ship`, {});
    const { status, body } = await admin('GET', `/V1/pos/rma/eligibility/${orderId}`);
    expect(status).toBe(200);
    const [sold] = (await orderOf(orderId)).items;
    expect(body.lines).toMatchObject([{ order_item_id: sold.item_id, name: 'shirt', qty_returnable: 2 }]);
  });

  test('two carts become one: the same choice is one line, another choice its own', async () => {
    const { call, take, customerId } = await aShopperWithShirts(2);
    await take(choose(red, medium));
    const { body: id } = await admin('POST', '/V1/carts');
    const put = (sku: string, option?: object) =>
      admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku, qty: 1, ...(option && { product_option: option }) } });
    await put('SHIRT', choose(red, large));
    await put('RED-M');
    expect(await admin('PUT', `/V1/carts/${id}`, { customerId, storeId: 1 })).toMatchObject({ status: 200 });

    expect((await call('GET', '/items')).body).toMatchObject([
      { sku: 'RED-L', qty: 3, product_option: choose(red, large) },
      { sku: 'RED-M', qty: 1, product_type: 'simple' },
      { sku: 'RED-M', qty: 1, product_type: 'configurable' },
    ]);
  });

  test('of eight at once, each adds its shirt to the one line', async () => {
    const { take, call } = await aShopperWithShirts(1);
    const answers = await eightAtOnce(() => take(choose(red, large)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await call('GET', '/items')).body).toMatchObject([{ sku: 'RED-L', qty: 9 }]);
  });

  test('a promotion for shirts, by the category of the shirt, holds for the one that was chosen', async () => {
    await change('product', { sku: 'SHIRT' }, { category_ids: '{77}' });
    const condition = {
      ...{ condition_type: 'Magento\\SalesRule\\Model\\Rule\\Condition\\Product\\Combine', aggregator_type: 'all' },
      ...{ value: '1', operator: null, attribute_name: null },
      conditions: [
        {
          condition_type: 'Magento\\SalesRule\\Model\\Rule\\Condition\\Product',
          ...{ attribute_name: 'category_ids', operator: '==', value: '77' },
        },
      ],
    };
    const { body: ruleId, status } = await admin('POST', '/V1/salesRules', {
      rule: {
        ...{
          name: 'Shirts',
          website_ids: [1],
          customer_group_ids: [0, 1, 2, 3],
          is_active: true,
          uses_per_customer: 0,
        },
        ...{ simple_action: 'by_percent', discount_amount: 50, coupon_type: 'NO_COUPON', action_condition: condition },
      },
    });
    expect({ status, ruleId }).toMatchObject({ status: 200 });
    const { put, totals } = await aShopperWithShirts(1);
    await put('MUG');
    expect(await totals()).toMatchObject({
      discount_amount: -16,
      items: [{ discount_amount: 16 }, { discount_amount: 0 }],
    });
  });
});

describe('place cart', () => {
  opensAShop();

  const { promisesOf, find } = booksOf(() => api.orm);
  const orderOf = async (id: number) => (await api.call('GET', `/V1/orders/${id}`, { token: api.tokens.admin })).body;
  const admin = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const promised = (orderId: number) => promisesOf(orderId, 'sku', 'quantity', 'event_type');

  test('a cart becomes the order it showed', async () => {
    const { call, customerId, place } = await aShopperWithMugs(api);
    await call('PUT', '/coupons/TENOFF');
    const { id: quoteId } = (await call('GET')).body;

    const { status, body: orderId } = await place();

    expect(status).toBe(200);
    const order = await orderOf(orderId);
    expect(order).toMatchObject({
      state: 'new',
      status: 'pending',
      quote_id: quoteId,
      customer_id: customerId,
      customer_is_guest: 0,
      customer_firstname: 'Wilma',
      base_currency_code: 'USD',
      subtotal: 100,
      discount_amount: -10,
      coupon_code: 'TENOFF',
      shipping_amount: 10,
      shipping_description: 'Flat Rate - Fixed',
      tax_amount: 7.2,
      grand_total: 107.2,
      base_grand_total: 107.2,
      total_due: 107.2,
      total_qty_ordered: 2,
      items: [{ sku: 'MUG', qty_ordered: 2, price: 50, tax_percent: 8, tax_amount: 7.2, discount_amount: 10 }],
      billing_address: { city: 'Troy', region: 'New York', region_code: 'NY' },
      payment: { method: 'checkmo', amount_ordered: 107.2 },
      extension_attributes: {
        shipping_assignments: [{ shipping: { address: { city: 'Troy' }, method: 'flatrate_flatrate' } }],
      },
    });
    expect(await promised(orderId)).toEqual([{ sku: 'MUG', quantity: '-2.0000', event_type: 'order_placed' }]);
    expect(await call('GET')).toMatchObject({ status: 404 });
    expect((await call('POST')).body).not.toBe(quoteId);
  });

  test('the order goes the way of every order: invoiced, shipped, refunded', async () => {
    const { place } = await aShopperWithMugs(api);
    const { body: orderId } = await place();

    expect(await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true })).toMatchObject({ status: 200 });
    expect(await admin('POST', `/V1/order/${orderId}/ship`, {})).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ state: 'complete', total_paid: 118, total_due: 0 });
    expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ state: 'closed', total_refunded: 118 });
  });

  test('payment information places it as well, the billing address along with it', async () => {
    const { open, put, call, ship } = await aShopper(api);
    await open();
    await put('MUG');
    await ship({ billingAddress: undefined });
    const billingAddress = { ...troy, city: 'Albany' };

    const { status, body } = await call('POST', '/payment-information', {
      cartId: 'any',
      email: 'any@shop.test',
      paymentMethod: { method: 'checkmo', additional_data: { cc_number: '4111111111111111' } },
      billing_address: billingAddress,
    });

    expect(status).toBe(200);
    expect(await orderOf(body)).toMatchObject({ billing_address: { city: 'Albany' }, grand_total: 59 });
    expect(JSON.stringify(await find('sales_order_payment'))).not.toContain('4111');
  });

  test('choices made before are enough', async () => {
    const { call } = await aShopperWithMugs(api);
    expect(await call('POST', '/set-payment-information', { paymentMethod: { method: 'checkmo' } })).toMatchObject({
      status: 200,
      body: true,
    });

    expect(await call('PUT', '/order', {})).toMatchObject({ status: 200, body: expect.any(Number) });
  });

  test('nothing but virtual goods need no way and no address to go to', async () => {
    const { open, put, call, place } = await aShopper(api);
    await open();
    await put('GIFTWRAP', 3);
    await call('POST', '/billing-address', { address: troy });

    const { body } = await place();

    expect(await orderOf(body)).toMatchObject({ is_virtual: 1, grand_total: 16.2, shipping_amount: 0 });
  });

  test('in a view of another currency both currencies add up', async () => {
    const { put, call, token, ship, place } = await aShopper(api);
    await api.call('POST', '/rest/ca/V1/carts/mine', { token });
    await put('PLATE', 3);
    await ship();
    await call('PUT', '/coupons/FIVE');

    const { body } = await place();

    expect(await orderOf(body)).toMatchObject({
      order_currency_code: 'CAD',
      base_to_order_rate: 1.36,
      base_subtotal: 99.99,
      subtotal: 135.99,
      base_discount_amount: -5,
      discount_amount: -6.8,
      base_shipping_amount: 15,
      shipping_amount: 20.4,
      base_tax_amount: 7.6,
      tax_amount: 10.34,
      base_grand_total: 117.59,
      grand_total: 159.93,
    });
  });

  describe('once:', () => {
    test('eight at once place one order', async () => {
      const { place, customerId } = await aShopperWithMugs(api);

      const answers = await eightAtOnce(() => place());

      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
        200,
        ...Array(7).fill(404),
      ]);
      expect(await ordersOf(customerId)).toHaveLength(1);
    });

    test('a repeat finds no cart', async () => {
      const { place } = await aShopperWithMugs(api);
      await place();

      expect(await place()).toMatchObject({
        status: 404,
        body: { message: 'Current customer does not have an active cart.' },
      });
    });

    test('of eight buyers of the last piece one gets it', async () => {
      const shoppers = await eightAtOnce(async () => {
        const shopper = await aShopper(api);
        await shopper.open();
        await shopper.put('VASE');
        await shopper.ship();
        return shopper;
      });

      const answers = await Promise.all(shoppers.map(({ place }) => place()));

      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
        200,
        ...Array(7).fill(400),
      ]);
      expect(answers.find(({ status }) => status === 400)!.body).toEqual({
        message: 'The requested qty is not available',
      });
    });

    test('of eight who have the coupon that is good for one use, one uses it', async () => {
      const shoppers = await eightAtOnce(() => aShopperWithMugs(api));
      for (const { call } of shoppers) expect(await call('PUT', '/coupons/ONCE')).toMatchObject({ status: 200 });

      const answers = await Promise.all(shoppers.map(({ place }) => place()));

      expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
        200,
        ...Array(7).fill(404),
      ]);
      const [late] = shoppers.filter((_, at) => answers[at]!.status === 404);
      expect(await late!.totals()).toMatchObject({ discount_amount: 0, grand_total: 118 });
      await late!.call('DELETE', '/coupons');
      expect(await late!.place()).toMatchObject({ status: 200 });
    });
  });
});
