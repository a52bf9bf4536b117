import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { type CartBehind, waysToCarts } from '../../../support/builders/cart-accesses.ts';
import { aCartShop, aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { aCup, type Cup, type Entered } from '../../../support/builders/cup.ts';
import { manyProducts } from '../../../support/builders/many-products.ts';
import { api, opensACartShop } from '../../../support/cart-shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('cart items', () => {
  const api = useApi();
  beforeAll(() => aCartShop(fork()));

  const books = booksOf(() => api.orm);
  const { fork } = books;

  test('a customer opens one cart, however often and however concurrently', async () => {
    const { call } = await aShopper(api);

    const answers = await eightAtOnce(() => call('POST'));

    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: expect.any(Number) });
  });

  test('a customer without a cart gets 404 from the cart’s route and from those of its parts', async () => {
    const { call, customerId } = await aShopper(api);

    expect(await call('GET')).toMatchObject({
      status: 404,
      body: {
        message: 'No such entity with %fieldName = %fieldValue',
        parameters: { fieldName: 'customerId', fieldValue: customerId },
      },
    });
    const noCart = { status: 404, body: { message: 'Current customer does not have an active cart.' } };
    const item = { cartItem: { sku: 'MUG', qty: 1 } };
    expect(await call('GET', '/items')).toMatchObject(noCart);
    expect(await call('POST', '/items', item)).toMatchObject(noCart);
    expect(await call('PUT', '/items/1', item)).toMatchObject(noCart);
    expect(await call('DELETE', '/items/1')).toMatchObject(noCart);
    expect(await call('GET', '/totals')).toMatchObject(noCart);
    expect(await call('GET', '/coupons')).toMatchObject(noCart);
    expect(await call('PUT', '/coupons/TENOFF')).toMatchObject(noCart);
    expect(await call('DELETE', '/coupons')).toMatchObject(noCart);
    expect(await call('GET', '/billing-address')).toMatchObject(noCart);
    expect(await call('GET', '/shipping-methods')).toMatchObject(noCart);
    expect(await call('GET', '/payment-methods')).toMatchObject(noCart);
    expect(await call('GET', '/payment-information')).toMatchObject(noCart);
    expect(await call('PUT', '/order', {})).toMatchObject(noCart);
  });

  test('a cart is read as the platform has it', async () => {
    const { call, open, put, customerId } = await aShopper(api);
    const id = await open();
    await put('MUG', 2);

    const { body } = await call('GET');

    expect(body).toMatchObject({
      id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      is_active: true,
      is_virtual: false,
      items: [{ sku: 'MUG', qty: 2, name: 'Mug', price: 50, product_type: 'simple', quote_id: String(id) }],
      items_count: 1,
      items_qty: 2,
      customer: { id: customerId, group_id: 1, website_id: 1 },
      currency: { base_currency_code: 'USD', quote_currency_code: 'USD' },
      store_id: 1,
    });
  });

  test('a product that is put in again adds up; a change sets; a line goes once', async () => {
    const { call, open, put } = await aShopper(api);
    const quoteId = await open();

    const first = await put('MUG', 2);
    expect(await put('MUG', '1')).toMatchObject({ status: 200, body: { item_id: first.body.item_id, qty: 3 } });
    const line = `/items/${first.body.item_id}`;
    expect(await call('PUT', line, { cart_item: { qty: 7 } })).toMatchObject({ status: 200, body: { qty: 7 } });
    const again = { cartItem: { item_id: first.body.item_id, sku: 'MUG', qty: 4 } };
    expect(await call('POST', '/items', again)).toMatchObject({ status: 200, body: { qty: 4 } });
    expect(await call('DELETE', line)).toMatchObject({ status: 200, body: true });
    expect(await call('DELETE', line)).toMatchObject({
      status: 404,
      body: { message: "The %1 Cart doesn't contain the %2 item.", parameters: [quoteId, first.body.item_id] },
    });
    expect(await call('GET', '/items')).toMatchObject({ status: 200, body: [] });
  });

  test('eight who put one more in at once put eight in', async () => {
    const { open, put, call } = await aShopper(api);
    await open();

    await eightAtOnce(() => put('MUG'));

    expect((await call('GET', '/items')).body).toMatchObject([{ qty: 8 }]);
  });

  describe('refused, with the cart as it was:', () => {
    const float = { message: expect.stringContaining('The "float" type was expected') };
    const notAvailable = { message: 'Product that you are trying to add is not available.' };
    const notThere = { message: 'The requested qty is not available' };
    const noDecimals = { message: 'You cannot use decimal quantity for this product.' };
    const wrongQty = { message: 'Invalid value of "%value" provided for the %fieldName field.' };

    test.each([
      [{ sku: 'MUG', qty: 0 }, 400, wrongQty],
      [{ sku: 'MUG', qty: -1 }, 400, wrongQty],
      [{ sku: 'MUG', qty: '-0' }, 400, wrongQty],
      [{ sku: 'MUG', qty: 0.5 }, 400, noDecimals],
      [{ sku: 'CHEESE', qty: 0.00001 }, 400, float],
      [{ sku: 'CHEESE', qty: 12.6 }, 400, notThere],
      [{ sku: 'MUG', qty: 101 }, 400, notThere],
      [{ sku: 'MUG', qty: 'two' }, 400, float],
      [{ sku: 'MUG', qty: '1e3' }, 400, float],
      [{ sku: 'MUG', qty: 1e15 }, 400, float],
      [{ sku: 'MUG', qty: [1] }, 400, float],
      [
        { sku: 'RUG', qty: 10_001 },
        400,
        { message: 'The requested qty exceeds the maximum qty allowed in shopping cart' },
      ],
      [{ sku: 'SIGN', qty: 1 }, 400, notAvailable],
      [{ sku: 'FOREIGN', qty: 1 }, 400, notAvailable],
      [{ sku: 'SHIRT', qty: 1 }, 400, { message: 'You need to choose options for your item.' }],
      [{ sku: 'NOSUCH', qty: 1 }, 404, { message: expect.stringContaining("that was requested doesn't exist") }],
      [{ sku: 'mugs', qty: 1 }, 404, {}],
      [{ sku: '', qty: 1 }, 404, {}],
      [{ sku: "MUG' or 1=1 --", qty: 1 }, 404, {}],
      [{ sku: 'M'.repeat(65), qty: 1 }, 400, { parameters: { fieldName: 'sku', maxLength: 64 } }],
      [{ sku: 'MUG' }, 400, { parameters: { fieldName: 'qty' } }],
      [{ qty: 1 }, 400, { parameters: { fieldName: 'sku' } }],
      [{ sku: 'MUG', qty: null }, 400, { parameters: { fieldName: 'qty' } }],
      [{ sku: 'MUG', qty: 1, colour: 'red' }, 400, {}],
      [{ sku: 'MUG', qty: 1, item_id: 999_999 }, 404, {}],
    ])('%j', async (cartItem, status, body) => {
      const { open, call } = await aShopper(api);
      await open();

      expect(await call('POST', '/items', { cartItem })).toMatchObject({ status, body });
      expect((await call('GET', '/items')).body).toEqual([]);
    });

    test('a line that grows beyond what there is', async () => {
      const { open, put, call } = await aShopper(api);
      await open();
      await put('MUG', 60);

      expect(await put('MUG', 60)).toMatchObject({ status: 400, body: notThere });
      expect((await call('GET', '/items')).body).toMatchObject([{ qty: 60 }]);
    });

    test('goods worth more than can be counted', async () => {
      const { open, put, call } = await aShopper(api);
      await open();

      expect(await put('GOLD', 10_000)).toMatchObject({
        status: 400,
        body: { message: 'The cart is worth more than can be counted.' },
      });
      expect((await call('GET', '/items')).body).toEqual([]);
    });
  });

  test('by weight any part may be bought, on order more than there is', async () => {
    const { open, put } = await aShopper(api);
    await open();

    expect(await put('CHEESE', 0.25)).toMatchObject({ status: 200, body: { qty: 0.25, price: 21.9 } });
    expect(await put('RUG', 3)).toMatchObject({ status: 200, body: { qty: 3 } });
  });

  test('a cart of a thousand lines is full, and is added up in good time', async () => {
    const { open, put, call, totals } = await aShopper(api);
    const quoteId = await open();
    const products = await manyProducts(books, {
      ...{ sku: 'BULK', count: 1_000, price: 1.01, website_ids: [1], manage_stock: false },
    });
    await books.insertAll(
      'quote_item',
      products.map((id) => ({ quote_id: quoteId, product_id: id, qty: 3 })),
    );

    expect(await put('MUG')).toMatchObject({
      status: 400,
      body: { message: 'Maximum items of type "%type" is %max', parameters: { type: 'cartItem', max: 1_000 } },
    });
    expect(await put('BULK-7')).toMatchObject({ status: 200, body: { qty: 4 } });
    expect(await totals()).toMatchObject({ subtotal: 3031.01, items_qty: 3001 });
    expect((await call('GET', '/items')).body).toHaveLength(1_000);
  });
});

describe('custom options', () => {
  let api: TestApi;
  let cup: Cup;
  beforeAll(async () => {
    api = await testApi();
    await aCartShop(fork());
    cup = await aCup(api);
  });
  afterAll(async () => {
    await booksHold();
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const { fork, booksHold } = booksOf(() => api.orm);
  const admin = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const takes = ({ call }: CartBehind, entered: Entered, qty: unknown = 1) =>
    call('POST', '/items', { cartItem: { sku: cup.sku, qty, product_option: cup.enter(entered) } });
  const linesOf = async ({ call }: CartBehind) => (await call('GET', '/items')).body;

  const missing = "The product's required option(s) weren't entered. Make sure the options are entered and try again.";
  const notAvailable = 'Some of the selected item options are not currently available.';
  const wrong: [Entered, string][] = [
    [{}, missing],
    [{ engraving: 'Ada' }, missing],
    [{ glaze: '  ' }, missing],
    [{ glaze: 'gold' }, notAvailable],
    [{ glaze: ['Box'] }, notAvailable],
    [{ glaze: ['Blue', 'Gold'] }, notAvailable],
    [{ glaze: ['Gold'], extras: ['Box', 'Box'] }, notAvailable],
    [{ glaze: ['Gold'], engraving: 'Longer than it' }, 'The text is too long. Shorten the text and try again.'],
    [{ glaze: ['Gold'], day: '2026-02-30' }, 'Please specify date required option(s).'],
    [{ glaze: ['Gold'], hour: '25:00' }, 'Please specify time required option(s).'],
    [{ glaze: ['Gold'], moment: '2026-12-24' }, 'Please specify time required option(s).'],
    [{ glaze: ['Gold'], picture: 'file' }, 'A cart cannot keep a file. Send the line without it.'],
  ];

  describe.each(waysToCarts)('$door.whose', ({ open, door }) => {
    test('takes a cup with what is entered for it, at its price and under its SKU', async () => {
      const cart = await open(api);
      const gold: Entered = { engraving: 'For Ada', glaze: ['Gold'] };
      const { status, body } = await takes(cart, gold, 2);
      expect(status).toBe(200);
      expect(body).toEqual({
        ...{ item_id: expect.any(Number), quote_id: expect.any(String), product_type: 'simple', name: 'Cup CUP' },
        ...{ sku: 'CUP-ENGR-GOLD', qty: 2, price: 49, product_option: cup.enter(gold) },
      });
      // Entered in another order, with blanks around it, it is the same cup.
      const again = await takes(cart, { glaze: ['Gold'], engraving: ' For Ada ' });
      expect(again.body).toMatchObject({ item_id: body.item_id, qty: 3, product_option: cup.enter(gold) });

      await takes(cart, { glaze: ['Blue'], extras: ['Second choice', 'Box'], hour: '09:30' });
      expect(await linesOf(cart)).toMatchObject([
        { sku: 'CUP-ENGR-GOLD', qty: 3 },
        {
          ...{ sku: 'CUP-BLUE-BOX', qty: 1, price: 44 },
          product_option: cup.enter({ glaze: ['Blue'], extras: ['Box', 'Second choice'], hour: '09:30:00' }),
        },
      ]);
      expect((await cart.call('GET', '/totals')).body).toMatchObject({
        subtotal: 191,
        items: [
          { row_total: 147, options: '[{"label":"engraving","value":"For Ada"},{"label":"glaze","value":"Gold"}]' },
          {
            options: JSON.stringify([
              { label: 'glaze', value: 'Blue' },
              { label: 'extras', value: 'Box, Second choice' },
              { label: 'hour', value: '09:30:00' },
            ]),
          },
        ],
      });
      expect((await cart.call('GET')).body).toMatchObject({ items_count: 2, items_qty: 4 });
    });

    test('takes no cup that is wrongly entered, and changes none so', async () => {
      const cart = await open(api);
      const { item_id: itemId } = (await takes(cart, { glaze: ['Blue'] })).body;
      for (const [entered, said] of wrong) {
        await expectRefused({ send: () => takes(cart, entered), status: 400, said });
        if (Object.keys(entered).length === 0) continue;
        const change = { cartItem: { qty: 1, product_option: cup.enter(entered) } };
        await expectRefused({ send: () => cart.call('PUT', `/items/${itemId}`, change), status: 400, said });
      }
      const { custom_options: blue } = cup.enter({ glaze: ['Blue'] }).extension_attributes;
      for (const more of [...blue, { option_id: '999999', option_value: 'x' }, { option_id: 'x', option_value: 1 }]) {
        const option = { extension_attributes: { custom_options: [...blue, more] } };
        const cartItem = { sku: 'CUP', qty: 1, product_option: option };
        await expectRefused({ send: () => cart.call('POST', '/items', { cartItem }), status: 400, said: notAvailable });
      }
      expect(await linesOf(cart)).toMatchObject([
        { item_id: itemId, qty: 1, product_option: cup.enter({ glaze: ['Blue'] }) },
      ]);
    });

    test('changes what was entered; a line that is as another goes into it', async () => {
      const cart = await open(api);
      const { item_id: itemId } = (await takes(cart, { glaze: ['Blue'] }, 2)).body;
      const { item_id: other } = (await takes(cart, { glaze: ['Gold'] }, 3)).body;
      const set = (cartItem: object) => cart.call('PUT', `/items/${itemId}`, { cartItem });
      expect((await set({ qty: 4 })).body).toMatchObject({ item_id: itemId, qty: 4, sku: 'CUP-BLUE' });
      const engraved = { qty: 4, product_option: cup.enter({ glaze: ['Blue'], engraving: 'Bo' }) };
      for (const _time of [1, 2])
        expect((await set(engraved)).body).toMatchObject({ item_id: itemId, sku: 'CUP-ENGR-BLUE' });
      const none = { extension_attributes: { custom_options: [] } };
      expect((await set({ qty: 5, product_option: none })).body).toMatchObject({ qty: 5, sku: 'CUP-ENGR-BLUE' });

      // Eighteen more are not there: the pieces of both lines count.
      const gold = cup.enter({ glaze: ['Gold'] });
      const tooMany = () => set({ qty: 18, product_option: gold });
      await expectRefused({ send: tooMany, status: 400, said: 'The requested qty is not available' });
      expect((await set({ qty: 5, product_option: gold })).body).toMatchObject({ item_id: other, qty: 8 });
      expect(await linesOf(cart)).toMatchObject([{ item_id: other, qty: 8, sku: 'CUP-GOLD' }]);
    });

    test('is not placed where an option must be entered meanwhile, or is gone', async () => {
      const sku = `CUP-OF-${door.kind}`;
      const { ids, enter } = await aCup(api, sku);
      const cart = await open(api);
      const cartItem = { sku, qty: 1, product_option: enter({ glaze: ['Gold'], day: '2026-12-24' }) };
      await cart.call('POST', '/items', { cartItem });
      await cart.ship();
      const paid = { email: 'guest@shop.test', paymentMethod: { method: 'checkmo' } };
      await cart.call('POST', '/set-payment-information', paid);
      const refusesBoth = async (said: string) => {
        await expectRefused({ send: () => cart.call('POST', '/payment-information', paid), status: 400, said });
        await expectRefused({ send: () => cart.call('PUT', '/order', {}), status: 400, said });
      };

      const engraving = { product_sku: sku, is_require: true };
      await admin('PUT', `/V1/products/options/${ids.engraving}`, { option: engraving });
      await refusesBoth('The product has required options. Enter the options and try again.');
      await admin('DELETE', `/V1/products/${sku}/options/${ids.day}`);
      expect(await linesOf(cart)).toMatchObject([{ sku: `${sku}-GOLD`, price: 44 }]);
      await refusesBoth(notAvailable);

      const [{ item_id: itemId }] = await linesOf(cart);
      const mended = { qty: 1, product_option: enter({ glaze: ['Gold'], engraving: 'Ada' }) };
      await cart.call('PUT', `/items/${itemId}`, { cartItem: mended });
      expect(await cart.call('PUT', '/order', {})).toMatchObject({ status: 200, body: expect.any(Number) });
    });
  });
});

describe('guest carts', () => {
  opensACartShop();

  const { change, forgetTries } = booksOf(() => api.orm);

  /** A guest with two mugs (50 each) for Troy. */
  async function aGuest() {
    const { status, body: mask } = await api.call('POST', '/V1/guest-carts');
    expect([status, mask]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const call = (method: string, path = '', body?: unknown) =>
      api.call(method, `/V1/guest-carts/${mask}${path}`, body === undefined ? {} : { body });
    await call('POST', '/items', { cartItem: { sku: 'MUG', qty: 2, quote_id: mask } });
    const ship = () =>
      call('POST', '/shipping-information', {
        addressInformation: {
          ...{ shipping_address: troy, billing_address: troy },
          ...{ shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' },
        },
      });
    const pay = () =>
      call('POST', '/payment-information', { email: 'guest@shop.test', paymentMethod: { method: 'checkmo' } });
    return { mask, call, ship, pay };
  }
  const admin = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

  test('a guest fills a cart, pays it, and the order is a guest’s', async () => {
    const { call, ship, pay } = await aGuest();
    expect((await call('GET')).body).toMatchObject({
      customer_is_guest: true,
      customer: { email: null },
      items_qty: 2,
    });
    expect((await ship()).body).toMatchObject({ totals: { grand_total: 118, tax_amount: 8 } });
    expect((await call('GET', '/payment-methods')).body).toEqual([{ code: 'checkmo', title: 'Check / Money order' }]);

    const { status, body: orderId } = await pay();

    expect(status).toBe(200);
    expect((await admin('GET', `/V1/orders/${orderId}`)).body).toMatchObject({
      ...{ customer_is_guest: 1, customer_email: 'guest@shop.test', customer_group_id: 0, grand_total: 118 },
      billing_address: { email: 'guest@shop.test', city: 'Troy' },
    });
    expect(await call('GET')).toMatchObject({ status: 404 });
  });

  test('eight payments of one guest place one order', async () => {
    const { ship, pay } = await aGuest();
    await ship();
    const answers = await eightAtOnce(() => pay());
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, ...Array(7).fill(404)]);
  });

  test('a coupon, a line and an address come and go as in a customer’s cart', async () => {
    const { call, ship } = await aGuest();
    await ship();
    expect(await call('PUT', '/coupons/TENOFF')).toMatchObject({ body: true });
    expect((await call('GET', '/totals')).body).toMatchObject({
      grand_total: 117.2 - 10,
      items: [{ discount_percent: 10, weee_tax_applied_amount: 0, weee_tax_applied: '[]' }],
    });
    expect((await call('GET', '/coupons')).body).toBe('TENOFF');
    expect(await call('DELETE', '/coupons')).toMatchObject({ body: true });
    const [{ item_id: line }] = (await call('GET', '/items')).body;
    expect((await call('PUT', `/items/${line}`, { cartItem: { qty: 1 } })).body).toMatchObject({ qty: 1 });
    expect(await call('DELETE', `/items/${line}`)).toMatchObject({ body: true });
    expect((await call('GET', '/billing-address')).body).toMatchObject({ city: 'Troy', same_as_billing: 0 });
  });

  test('what a cart would come to elsewhere is told and not kept', async () => {
    const { call } = await aGuest();
    const addressInformation = { address: troy, shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' };
    expect((await call('POST', '/totals-information', { addressInformation })).body).toMatchObject({
      ...{ tax_amount: 8, shipping_amount: 10, grand_total: 118 },
    });
    expect((await call('GET', '/totals')).body).toMatchObject({ tax_amount: 0, shipping_amount: 0, grand_total: 100 });
  });

  test('a payment method is chosen when the shop offers it, and read back', async () => {
    const { call, ship } = await aGuest();
    expect((await call('GET', '/selected-payment-method')).body).toEqual([]);
    const choose = (method: string) => call('PUT', '/selected-payment-method', { method: { method } });
    expect(await choose('checkmo')).toMatchObject({
      status: 400,
      body: { message: 'The shipping address is missing. Set the address and try again.' },
    });
    await ship();
    expect(await choose('banktransfer')).toMatchObject({
      status: 400,
      body: { message: 'The requested Payment Method is not available.' },
    });
    expect(await choose('checkmo')).toMatchObject({ status: 200, body: expect.any(Number) });
    expect((await call('GET', '/selected-payment-method')).body).toMatchObject({ method: 'checkmo', po_number: null });
  });

  describe('refused:', () => {
    test('an unknown cart token, for every part of a cart', async () => {
      const gone = { status: 404, body: { parameters: { fieldName: 'cartId', fieldValue: null } } };
      const nobody = `/V1/guest-carts/${'f'.repeat(32)}`;
      for (const part of ['', '/items', '/totals', '/coupons', '/billing-address', '/payment-information'])
        expect(await api.call('GET', nobody + part)).toMatchObject(gone);
    });

    test('an order without an e-mail, or with an invalid one', async () => {
      const { call, ship } = await aGuest();
      await ship();
      const paymentMethod = { method: 'checkmo' };
      expect(await call('PUT', '/order', { paymentMethod })).toMatchObject({
        status: 400,
        body: { message: 'Email has a wrong format' },
      });
      expect(await call('POST', '/payment-information', { paymentMethod })).toMatchObject({
        body: { parameters: { fieldName: 'email' } },
      });
      expect(await call('POST', '/payment-information', { email: 'nobody', paymentMethod })).toMatchObject({
        body: { message: 'Email has a wrong format' },
      });
    });

    test('the way of a customer’s cart: it has no word', async () => {
      const shopper = await aShopper(api);
      const id = await shopper.open();
      expect(await api.call('GET', `/V1/guest-carts/${id}`)).toMatchObject({ status: 404 });
    });
  });

  test('a guest who signs in takes the cart along, and the word opens it no more', async () => {
    const { mask, call } = await aGuest();
    const shopper = await aShopper(api);
    await shopper.open();
    await shopper.put('PLATE');
    await shopper.put('MUG', 1);

    const take = () =>
      api.call('PUT', `/V1/guest-carts/${mask}`, {
        token: shopper.token,
        body: { customerId: shopper.customerId, storeId: 1 },
      });
    expect(await take()).toMatchObject({ status: 200, body: true });

    const { body: cart } = await shopper.call('GET');
    const held = cart.items.map(({ sku, qty }: { sku: string; qty: number }) => `${qty} ${sku}`);
    expect(held.toSorted()).toEqual(['1 PLATE', '3 MUG']);
    expect(cart.customer.id).toBe(shopper.customerId);
    expect([(await call('GET')).status, (await take()).status]).toEqual([404, 404]);
  });

  test('a guest’s cart is given to nobody but the customer who asks for it', async () => {
    const { mask, call } = await aGuest();
    const shopper = await aShopper(api);
    const take = (customerId: number, more: { token?: string }) =>
      api.call('PUT', `/V1/guest-carts/${mask}`, { ...more, body: { customerId, storeId: 1 } });
    const refused = {
      status: 400,
      body: { message: "You don't have the correct permissions to assign the customer to the cart." },
    };

    expect(await take(shopper.customerId, {})).toMatchObject(refused);
    expect(await take(shopper.customerId, { token: api.tokens.admin })).toMatchObject(refused);
    expect(await take(999, { token: shopper.token })).toMatchObject(refused);
    expect((await call('GET')).body.customer_is_guest).toBe(true);
  });

  test('eight carts that one customer takes at once become one, and nothing of them is lost', async () => {
    const shopper = await aShopper(api);
    const guests = await eightAtOnce(aGuest);
    const take = (mask: string) =>
      api.call('PUT', `/V1/guest-carts/${mask}`, { token: shopper.token, body: { storeId: 1 } });

    const answers = await Promise.all([...guests.map(({ mask }) => take(mask)), shopper.call('POST')]);

    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect((await shopper.call('GET', '/items')).body).toMatchObject([{ sku: 'MUG', qty: 16 }]);
  });

  test('an address opens 1000 carts in ten minutes; who has a token is not counted', async () => {
    await change('rate_limit', {}, { attempts: 1000 });
    expect(await api.call('POST', '/V1/guest-carts')).toMatchObject({ status: 429 });
    const shopper = await aShopper(api);
    expect(await api.call('POST', '/V1/guest-carts', { token: shopper.token })).toMatchObject({ status: 200 });
    await forgetTries();
  });

  test('two carts together hold no more than the shop has; refused, both stay as they are', async () => {
    const guest = await aGuest();
    const shopper = await aShopper(api);
    await shopper.open();
    await shopper.put('VASE');
    await guest.call('POST', '/items', { cartItem: { sku: 'VASE', qty: 1, quote_id: guest.mask } });
    const take = () => api.call('PUT', `/V1/guest-carts/${guest.mask}`, { token: shopper.token, body: { storeId: 1 } });

    expect(await take()).toMatchObject({ status: 400, body: { message: 'The requested qty is not available' } });
    expect((await shopper.totals()).items_qty).toBe(1);
    expect((await guest.call('GET')).body.items_qty).toBe(3);
    await shopper.call('DELETE', `/items/${(await shopper.call('GET')).body.items[0].item_id}`);
    expect(await take()).toMatchObject({ status: 200 });
    expect((await shopper.call('GET')).body.items_qty).toBe(3);
  });
});

describe('percent of a line', () => {
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
});
