import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigValue } from '../../../../db/platform/stores/store.entity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { type CartBehind, waysToCarts } from '../../../support/builders/cart-accesses.ts';
import { aCartShop, aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { aCup, type Cup, type Entered } from '../../../support/builders/cup.ts';
import { aShirtInSizes, type Choose, optionOf } from '../../../support/builders/shirt.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { api, opensAShop, ordersOf } from './orders-of-carts.ts';

describe('cart totals', () => {
  const api = useApi();
  beforeAll(() => aCartShop(api.orm.em.fork()));

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
});

describe('chosen goods', () => {
  let api: TestApi;
  let choose: Choose;
  beforeAll(async () => {
    api = await testApi();
    await aCartShop(fork());
    choose = await aShirtInSizes(api);
  });
  afterAll(async () => {
    await booksHold();
    await api.close();
  });

  const { fork, findOne, change, booksHold } = booksOf(() => api.orm);
  const missing = 'You need to choose options for your item.';
  const gone = 'Product that you are trying to add is not available.';
  const notThere = 'The requested qty is not available';
  const [red, blue, medium, large] = [4, 5, 1, 2];

  const takes = (cart: CartBehind, option: unknown, qty: unknown = 1) =>
    cart.call('POST', '/items', { cartItem: { sku: 'SHIRT', qty, product_option: option } });
  const linesOf = async ({ call }: CartBehind) => (await call('GET', '/items')).body;

  describe.each(waysToCarts)('$door.whose', ({ open }) => {
    test('takes a shirt by colour and size: under its name, at the price of the one that was chosen', async () => {
      const cart = await open(api);
      const { status, body } = await takes(cart, choose(red, large), 2);
      expect(status).toBe(200);
      expect(body).toEqual({
        ...{ item_id: expect.any(Number), quote_id: expect.any(String), product_type: 'configurable' },
        ...{ sku: 'RED-L', name: 'shirt', qty: 2, price: 32, product_option: choose(red, large) },
      });

      expect((await takes(cart, choose(red, large))).body).toMatchObject({ item_id: body.item_id, qty: 3 });
      await takes(cart, choose(blue, medium));
      await cart.put('RED-L', 4);
      expect(await linesOf(cart)).toMatchObject([
        { sku: 'RED-L', qty: 3, product_type: 'configurable' },
        { sku: 'BLUE-M', qty: 1, price: 34, product_option: choose(blue, medium) },
        { sku: 'RED-L', qty: 4, product_type: 'simple', name: 'Shirt RED-L' },
      ]);
      expect((await cart.call('GET')).body).toMatchObject({ items_count: 3, items_qty: 8, is_virtual: false });
      expect((await cart.call('GET', '/totals')).body).toMatchObject({
        subtotal: 258,
        items: [
          { row_total: 96, name: 'shirt', options: '[{"label":"Colour","value":"4"},{"label":"Size","value":"2"}]' },
          { row_total: 34 },
          { row_total: 128, options: '[]' },
        ],
      });
    });

    test('asks for every option, and for values that a shirt has', async () => {
      const cart = await open(api);
      const [one, other] = choose(red, large).extension_attributes.configurable_item_options;
      const both = [one!, other!].map(({ option_id, option_value }) => [option_id, option_value] as const);
      const wrong: unknown[] = [
        ...[undefined, null, {}, { extension_attributes: {} }, optionOf(), optionOf(both[0]!)],
        ...[optionOf(both[0]!, both[0]!), optionOf(both[0]!, [1000, 2000]), optionOf(...both, [1000, 2000])],
        ...[choose(blue, large), choose(red, 77), choose(red, -1)],
      ];
      for (const option of wrong) await expectRefused({ send: () => takes(cart, option), status: 400, said: missing });
      const unreadable = await takes(cart, optionOf(both[0]!, [both[1]![0], 'large']));
      expect(unreadable).toMatchObject({ status: 400, body: { message: expect.stringContaining('type is invalid') } });
      expect(await linesOf(cart)).toEqual([]);
      expect(await takes(cart, optionOf(['color', red], ['size', '1']))).toMatchObject({ body: { sku: 'RED-M' } });
    });

    test('takes nothing of a shirt whose size is no attribute of the shop any more', async () => {
      const cart = await open(api);
      const size = { attribute_code: 'size' };
      const known = await findOne('product_attribute', size, 'attribute_id');
      await change('product_attribute', size, { attribute_id: 900_000 });
      await expectRefused({ send: () => takes(cart, choose(red, large)), status: 400, said: missing });
      await change('product_attribute', size, known);
      expect((await takes(cart, choose(red, large))).status).toBe(200);
    });

    test('takes only a choice that exists', async () => {
      const cart = await open(api);
      const many = optionOf(...Array.from({ length: 101 }, (_, at) => [at, at] as const));
      const hostile: unknown[] = [
        ...['red', 5, [1], { extension_attributes: 'x' }, { extension_attributes: { configurable_item_options: {} } }],
        ...[{ __proto__: null, unknown: 1 }, many, optionOf(['color', 1e12]), optionOf([{}, 4]), optionOf(["'--", 4])],
      ];
      for (const option of hostile)
        expect({ option, ...(await takes(cart, option)) }).toMatchObject({ option, status: 400 });
      expect(await linesOf(cart)).toEqual([]);
    });

    test('takes no shirt that is not sold, and counts one shelf for all its lines', async () => {
      const cart = await open(api);
      for (const sku of ['SHIRT', 'RED-M']) {
        await change('product', { sku }, { status: 2 });
        await expectRefused({ send: () => takes(cart, choose(red, medium)), status: 400, said: gone });
        await change('product', { sku }, { status: 1 });
      }
      await cart.put('RED-M', 6);
      await expectRefused({ send: () => takes(cart, choose(red, medium), 5), status: 400, said: notThere });
      const { body: line } = await takes(cart, choose(red, medium), 4);
      const set = (qty: number) => cart.call('PUT', `/items/${line.item_id}`, { cartItem: { qty } });
      await expectRefused({ send: () => set(5), status: 400, said: notThere });
      expect((await set(3)).body).toMatchObject({ qty: 3, product_option: choose(red, medium) });
    });

    test('changes the size of what it holds; what is chosen twice becomes one line', async () => {
      const cart = await open(api);
      const { body: line } = await takes(cart, choose(red, medium), 2);
      const set = (option: unknown, qty: number, itemId = line.item_id) =>
        cart.call('PUT', `/items/${itemId}`, { cartItem: { qty, product_option: option } });
      for (const time of ['once', 'twice'])
        expect({ time, ...(await set(choose(red, large), 3)) }).toMatchObject({
          ...{ time, status: 200, body: { item_id: line.item_id, sku: 'RED-L', qty: 3, price: 32 } },
        });
      await expectRefused({ send: () => set(choose(blue, large), 1), status: 400, said: missing });
      expect((await set(null, 1)).body).toMatchObject({ sku: 'RED-L', qty: 1 });

      const { body: other } = await takes(cart, choose(blue, medium), 8);
      await expectRefused({ send: () => set(choose(blue, medium), 3), status: 400, said: notThere });
      expect((await set(choose(blue, medium), 2)).body).toMatchObject({ item_id: other.item_id, qty: 10 });
      expect(await linesOf(cart)).toMatchObject([{ item_id: other.item_id, qty: 10 }]);
      await expectRefused({
        ...{ send: () => set(choose(blue, medium), 2), status: 404 },
        said: "The %1 Cart doesn't contain the %2 item.",
      });
    });

    test('is not placed with what was taken off the shirt, or off the shop, since', async () => {
      const cart = await open(api);
      await takes(cart, choose(red, large));
      await cart.ship();
      const paid = { email: 'guest@shop.test', paymentMethod: { method: 'checkmo' } };
      const refuses = async (said: string) => {
        await expectRefused({ send: () => cart.call('POST', '/payment-information', paid), status: 400, said });
        await expectRefused({ send: () => cart.call('PUT', '/order', paid), status: 400, said });
      };
      await cart.call('POST', '/set-payment-information', paid);
      const { admin: token } = api.tokens;
      await api.call('DELETE', '/V1/configurable-products/SHIRT/children/RED-L', { token });
      await refuses(missing);
      await api.call('POST', '/V1/configurable-products/SHIRT/child', { token, body: { childSku: 'RED-L' } });
      await change('product', { sku: 'SHIRT' }, { status: 2 });
      await refuses(gone);
      await change('product', { sku: 'SHIRT' }, { status: 1 });
      await change('product', { sku: 'RED-L' }, { website_ids: '{2}' });
      await refuses(gone);
      await change('product', { sku: 'RED-L' }, { website_ids: '{1}' });
      expect(await cart.call('PUT', '/order', paid)).toMatchObject({ status: 200 });
    });
  });
});

describe('ordered options', () => {
  opensAShop();
  let cup: Cup;
  let choose: Choose;
  beforeAll(async () => {
    cup = await aCup(api);
    choose = await aShirtInSizes(api);
    await fillShelves();
  });

  const { promised, promisesOf, shelf, change, fillShelves, find } = booksOf(() => api.orm);
  const admin = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const orderOf = async (id: number) => (await admin('GET', `/V1/orders/${id}`)).body;
  const gold: Entered = { engraving: 'For Ada', glaze: ['Gold'] };
  const notAvailable = 'Some of the selected item options are not currently available.';
  const blue: Entered = { glaze: ['Blue'] };

  /** A cart with cups: in gold with an engraving at 49, in blue at 42. */
  async function aShopperWithCups(qty: number, ...entered: Entered[]) {
    const shopper = await aShopper(api);
    await shopper.open();
    const take = (one: Entered, pieces = 1) =>
      shopper.call('POST', '/items', { cartItem: { sku: 'CUP', qty: pieces, product_option: cup.enter(one) } });
    for (const one of entered) await take(one, qty);
    await shopper.ship();
    return { ...shopper, take };
  }

  test('the order’s line has the price, the SKU and what was entered; the product itself is promised', async () => {
    const { call, place } = await aShopperWithCups(2, gold, blue);
    await call('PUT', '/coupons/TENOFF');
    const { status, body: orderId } = await place();
    expect(status).toBe(200);
    const order = await orderOf(orderId);
    // 182 less 18.20, 20 for four pieces, 8 % of 88.20 and of 75.60.
    expect(order).toMatchObject({ subtotal: 182, discount_amount: -18.2, tax_amount: 13.11, grand_total: 196.91 });
    expect(order.items).toMatchObject([
      { sku: 'CUP-ENGR-GOLD', name: 'Cup CUP', price: 49, qty_ordered: 2, product_option: cup.enter(gold) },
      { sku: 'CUP-BLUE', price: 42, discount_amount: 8.4, product_option: cup.enter(blue) },
    ]);
    expect(JSON.stringify(order)).not.toContain('stock_sku');
    expect(await promisesOf(orderId, 'sku', 'quantity')).toEqual([
      { sku: 'CUP', quantity: '-2.0000' },
      { sku: 'CUP', quantity: '-2.0000' },
    ]);
  });

  test('it is invoiced, handed over and refunded piece by piece, and the shelf of the product follows', async () => {
    const before = await shelf('CUP');
    const { place } = await aShopperWithCups(3, gold);
    const { body: orderId } = await place();
    const [line] = (await orderOf(orderId)).items;
    const one = { items: [{ order_item_id: line.item_id, qty: 1 }] };
    expect(await admin('POST', `/V1/order/${orderId}/invoice`, one)).toMatchObject({ status: 200 });
    expect(await admin('POST', `/V1/order/${orderId}/ship`, one)).toMatchObject({ status: 200 });
    expect([await shelf('CUP'), await promised(orderId)]).toEqual([before - 1, -2]);
    const ships = await eightAtOnce(() => admin('POST', `/V1/order/${orderId}/ship`, {}));
    expect(ships.filter(({ status }) => status === 200)).toHaveLength(1);
    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    expect([await shelf('CUP'), await promised(orderId)]).toEqual([before - 3, 0]);
    const [shipment] = await find('sales_shipment_item', { order_item_id: line.item_id }, 'sku');
    expect(shipment).toEqual({ sku: 'CUP-ENGR-GOLD' });

    const back = { ...one, arguments: { extension_attributes: { return_to_stock_items: [line.item_id] } } };
    expect(await admin('POST', `/V1/order/${orderId}/refund`, back)).toMatchObject({ status: 200 });
    expect(await shelf('CUP')).toBe(before - 2);
    expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
    expect(await orderOf(orderId)).toMatchObject({ state: 'closed', total_refunded: 173.76 });
  });

  test('what was never handed over is written off the shelf of the product by a refund', async () => {
    const before = await shelf('CUP');
    const { place } = await aShopperWithCups(2, gold);
    const { body: orderId } = await place();
    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    expect(await admin('POST', `/V1/order/${orderId}/refund`, {})).toMatchObject({ status: 200 });
    expect([await shelf('CUP'), await promised(orderId)]).toEqual([before - 2, 0]);
  });

  test('a cancelled order gives its cups back, also one that a save cancels or makes smaller', async () => {
    const cancels = [
      (id: number) => admin('POST', `/V1/orders/${id}/cancel`),
      (id: number) => admin('POST', '/V1/orders', { entity: { entity_id: id, state: 'canceled', status: 'canceled' } }),
    ];
    for (const cancel of cancels) {
      const { place } = await aShopperWithCups(3, gold);
      const { body: orderId } = await place();
      const [{ item_id }] = (await orderOf(orderId)).items;
      const items = [{ item_id, sku: 'CUP-ENGR-GOLD', qty_ordered: 2 }];
      expect(await admin('POST', '/V1/orders', { entity: { entity_id: orderId, items } })).toMatchObject({
        status: 200,
      });
      expect(await promised(orderId)).toBe(-2);
      expect(await cancel(orderId)).toMatchObject({ status: 200 });
      expect(await promised(orderId)).toBe(0);
    }
  });

  test('the last cups are not sold twice, in gold and in blue; of eight at once one order is placed', async () => {
    const { place, call, customerId } = await aShopperWithCups(2, gold, blue);
    const { body: stock } = await admin('GET', '/V1/inventory/stock-resolver/website/base');
    const salable = async () =>
      (await admin('GET', `/V1/inventory/get-product-salable-quantity/CUP/${stock.stock_id}`)).body;
    await change('inventory_source_item', { sku: 'CUP' }, { quantity: (await shelf('CUP')) + 3 - (await salable()) });
    expect(await place()).toMatchObject({ status: 400, body: { message: 'The requested qty is not available' } });
    const [{ item_id: itemId }] = (await call('GET', '/items')).body;
    await call('PUT', `/items/${itemId}`, { cartItem: { qty: 1 } });
    const answers = await eightAtOnce(() => place());
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([await salable(), (await ordersOf(customerId)).length]).toEqual([0, 1]);
    await fillShelves();
  });

  test('of a placement and a rival who takes the option off, the order is either refused or whole', async () => {
    const own = await aCup(api, 'CUP-RACED');
    await fillShelves();
    const shopper = await aShopper(api);
    await shopper.open();
    const product_option = own.enter({ glaze: ['Gold'], day: '2026-12-24 00:00:00' });
    await shopper.call('POST', '/items', { cartItem: { sku: own.sku, qty: 1, product_option } });
    await shopper.ship();
    const [placed, deleted] = await Promise.all([
      shopper.place(),
      admin('DELETE', `/V1/products/${own.sku}/options/${own.ids.day}`),
    ]);
    expect(deleted).toMatchObject({ body: true });
    if (placed.status === 200) expect((await orderOf(placed.body)).items).toMatchObject([{ product_option }]);
    else expect(placed).toMatchObject({ status: 400, body: { message: notAvailable } });
  });

  test('special prices and tiers come first: a percentage is of what the piece costs', async () => {
    const tiers = { tier_prices: [{ customer_group_id: 32_000, qty: 3, value: 30 }] };
    await admin('PUT', '/V1/products/CUP', { product: tiers });
    const { call, take } = await aShopperWithCups(2, gold);
    expect((await call('GET', '/items')).body).toMatchObject([{ price: 49 }]);
    expect((await take(gold)).body).toMatchObject({ qty: 3, price: 38 });
    await admin('PUT', '/V1/products/CUP', { product: { tier_prices: [] } });
  });

  test('in the other currency the options cost the same at the rate, on the order too', async () => {
    const { call, token } = await aShopperWithCups(2, gold);
    const inCanada = (method: string, path: string, body?: object) =>
      api.call(method, `/rest/ca/V1/carts/mine${path}`, { token, ...(body ? { body } : {}) });
    await inCanada('POST', '');
    const way = { shippingCarrierCode: 'flatrate', shippingMethodCode: 'flatrate' };
    const addressInformation = { shippingAddress: troy, billingAddress: troy, ...way };
    await inCanada('POST', '/shipping-information', { addressInformation });
    expect((await call('GET', '/items')).body).toMatchObject([{ price: 66.64, sku: 'CUP-ENGR-GOLD' }]);
    const { body: orderId } = await inCanada('PUT', '/order', { paymentMethod: { method: 'checkmo' } });
    const [line] = (await orderOf(orderId)).items;
    expect(line).toMatchObject({ base_price: 49, price: 66.64, sku: 'CUP-ENGR-GOLD' });
  });

  test('a shirt that is chosen by size is printed too: the part keeps its own SKU, and stock goes by it', async () => {
    const print = {
      product_sku: 'SHIRT',
      title: 'Print',
      type: 'field',
      price: 10,
      price_type: 'percent',
      sku: 'PRINT',
    };
    const { option_id: id } = (await admin('POST', '/V1/products/options', { option: print })).body;
    const printed = (words: string) => ({
      extension_attributes: {
        custom_options: [{ option_id: String(id), option_value: words }],
        ...choose(4, 2).extension_attributes,
      },
    });
    const { call, ship, place, open } = await aShopper(api);
    await open();
    const take = (option: object) =>
      call('POST', '/items', { cartItem: { sku: 'SHIRT', qty: 1, product_option: option } });
    await take(printed('Ada'));
    await take(choose(4, 2));
    const { body: again } = await take(printed('Ada'));
    expect(again).toMatchObject({ sku: 'RED-L-PRINT', qty: 2, price: 35.2, product_option: printed('Ada') });
    await call('PUT', `/items/${again.item_id}`, { cartItem: { qty: 2, product_option: choose(4, 1) } });
    expect((await call('GET', '/items')).body).toMatchObject([
      { item_id: again.item_id, sku: 'RED-M-PRINT', price: 33 },
      { sku: 'RED-L', price: 32 },
    ]);
    await ship();
    const { body: orderId } = await place();
    const { items } = await orderOf(orderId);
    expect(items).toMatchObject([
      { sku: 'RED-M-PRINT', product_type: 'configurable', price: 33 },
      { sku: 'RED-M', product_type: 'simple', price: 0 },
      { sku: 'RED-L', product_type: 'configurable', price: 32 },
      { sku: 'RED-L', product_type: 'simple' },
    ]);
    expect(await promisesOf(orderId, 'sku')).toEqual([{ sku: 'RED-M' }, { sku: 'RED-L' }]);
    const before = await shelf('RED-M');
    await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    await admin('POST', `/V1/order/${orderId}/ship`, {});
    expect([await shelf('RED-M'), await promised(orderId)]).toEqual([before - 2, 0]);
  });

  test('two carts become one: what is entered the same is one line', async () => {
    const { call, customerId } = await aShopperWithCups(1, gold, blue);
    const { body: id } = await admin('POST', '/V1/carts');
    for (const one of [gold, { ...gold, engraving: 'For Bo' }])
      await admin('POST', `/V1/carts/${id}/items`, {
        cartItem: { sku: 'CUP', qty: 2, product_option: cup.enter(one) },
      });
    expect(await admin('PUT', `/V1/carts/${id}`, { customerId, storeId: 1 })).toMatchObject({ status: 200 });
    expect((await call('GET', '/items')).body).toMatchObject([
      { sku: 'CUP-ENGR-GOLD', qty: 3, product_option: cup.enter(gold) },
      { sku: 'CUP-ENGR-GOLD', qty: 2 },
      { sku: 'CUP-BLUE', qty: 1 },
    ]);
  });

  test('of eight at once, each adds its cup to the one line', async () => {
    const { take, call } = await aShopperWithCups(1, gold);
    const answers = await eightAtOnce(() => take(gold));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await call('GET', '/items')).body).toMatchObject([{ qty: 9 }]);
  });
});
