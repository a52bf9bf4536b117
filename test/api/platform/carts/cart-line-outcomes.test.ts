import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { type CartBehind, shippedToTroy, waysToCarts } from '../../../support/builders/cart-accesses.ts';
import { aCartShop, aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { manyProducts } from '../../../support/builders/many-products.ts';
import { aSecondWebsite } from '../../../support/builders/wallet.ts';
import { api, opensACartShop } from '../../../support/cart-shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('any carts', () => {
  opensACartShop();

  const admin = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
  const information = {
    ...{
      shipping_address: { ...troy, save_in_address_book: 1 },
      billing_address: { ...troy, save_in_address_book: 1 },
    },
    ...{ shipping_carrier_code: 'flatrate', shipping_method_code: 'flatrate' },
  };

  test('an administrator fills a customer’s cart and places its order; the address book gets the address once', async () => {
    const { customerId } = await aShopper(api);
    const { body: id } = await admin('POST', `/V1/customers/${customerId}/carts`);
    expect((await admin('POST', `/V1/customers/${customerId}/carts`)).body).toBe(id);
    await admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku: 'MUG', qty: 2 } });
    expect(
      await admin('POST', `/V1/carts/${id}/shipping-information`, { addressInformation: information }),
    ).toMatchObject({
      body: { totals: { grand_total: 118 } },
    });
    expect((await admin('GET', `/V1/carts/${id}/billing-address`)).body).toMatchObject({ save_in_address_book: 1 });

    const { status, body: orderId } = await admin('PUT', `/V1/carts/${id}/order`, {
      paymentMethod: { method: 'checkmo' },
    });

    expect(status).toBe(200);
    expect((await admin('GET', `/V1/orders/${orderId}`)).body).toMatchObject({ customer_id: customerId, quote_id: id });
    expect((await admin('GET', `/V1/customers/${customerId}`)).body.addresses).toMatchObject([{ city: 'Troy' }]);
    expect((await admin('GET', `/V1/carts/${id}`)).body).toMatchObject({ is_active: false, orig_order_id: orderId });
    expect(await admin('GET', `/V1/carts/${id}/items`)).toMatchObject({
      status: 404,
      body: { parameters: { fieldName: 'cartId', fieldValue: id } },
    });
  });

  test('a guest’s cart is given to a customer once', async () => {
    const { customerId, call } = await aShopper(api);
    const { body: id } = await admin('POST', '/V1/carts');
    await admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku: 'MUG', qty: 1 } });
    const give = (body: object) => admin('PUT', `/V1/carts/${id}`, body);

    expect(await give({ customerId: 999_999, storeId: 1 })).toMatchObject({
      status: 404,
      body: { parameters: { fieldName: 'customerId', fieldValue: 999_999 } },
    });
    expect(await give({ customerId, storeId: 77 })).toMatchObject({
      status: 400,
      body: { message: "The customer can't be assigned to the cart. The cart belongs to a different store." },
    });
    const answers = await eightAtOnce(() => give({ customerId, storeId: 1 }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status === 400)!.body.message).toBe(
      "The customer can't be assigned to the cart because the cart isn't anonymous.",
    );
    expect((await call('GET')).body).toMatchObject({ id, items_qty: 1 });
  });

  test('a cart is not given to a customer whose own holds the rest of the goods; both stay as they are', async () => {
    const shopper = await aShopper(api);
    await shopper.open();
    await shopper.put('VASE');
    const { body: id } = await admin('POST', '/V1/carts');
    await admin('POST', `/V1/carts/${id}/items`, { cartItem: { sku: 'VASE', qty: 1 } });
    const give = () => admin('PUT', `/V1/carts/${id}`, { customerId: shopper.customerId, storeId: 1 });
    await expectRefused({ send: give, status: 400, said: 'The requested qty is not available' });
    expect((await shopper.totals()).items_qty).toBe(1);
    expect((await admin('GET', `/V1/carts/${id}`)).body).toMatchObject({ items_qty: 1, customer_is_guest: true });
  });

  test('carts are searched by their customer, page by page', async () => {
    const { customerId, open } = await aShopperWithMugs(api);
    const id = await open();
    const search = (field: string, value: number, more = '') =>
      admin(
        'GET',
        `/V1/carts/search?searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}${more}`,
      );
    expect((await search('customer_id', customerId)).body).toMatchObject({
      items: [{ id, items_qty: 2 }],
      total_count: 1,
    });
    expect((await search('customer_id', 0)).body).toMatchObject({ items: [], total_count: 0 });
    expect(await search('nonsense', 1)).toMatchObject({ status: 400 });
    expect(await search('is_active', 1, '&searchCriteria[page_size]=101')).toMatchObject({
      status: 400,
      body: { message: 'Maximum SearchCriteria pageSize is %max', parameters: { max: 100 } },
    });
  });

  test('an entry of the address book says how a cart could be shipped, somebody else’s does not', async () => {
    const ann = await aShopperWithMugs(api);
    await admin('PUT', `/V1/customers/${ann.customerId}`, {
      customer: { addresses: [{ ...troy, region: { region_id: 43 } }] },
    });
    const [{ id: entry }] = (await admin('GET', `/V1/customers/${ann.customerId}`)).body.addresses;
    const path = '/estimate-shipping-methods-by-address-id';
    expect((await ann.call('POST', path, { addressId: entry })).body).toMatchObject([{ carrier_code: 'flatrate' }]);
    const bob = await aShopperWithMugs(api);
    expect(await bob.call('POST', path, { addressId: entry })).toMatchObject({ status: 404 });
  });

  test('without the resource, and for a customer, every cart is closed', async () => {
    const { open, token } = await aShopperWithMugs(api);
    const id = await open();
    for (const mine of [api.tokens.nothing, token])
      for (const path of [`/V1/carts/${id}`, `/V1/carts/${id}/items`, `/V1/carts/search?searchCriteria`])
        expect(await api.call('GET', path, { token: mine })).toMatchObject({ status: 401 });
  });
});

describe('cart line outcomes', () => {
  let api: TestApi;
  let products: number[];
  beforeAll(async () => {
    api = await testApi();
    await aCartShop(fork());
    products = await manyProducts(books, {
      ...{ sku: 'BULK', count: 1_000, price: 1.01, website_ids: [1], manage_stock: false },
    });
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const books = booksOf(() => api.orm);
  const { fork, change } = books;
  const goldCosts = (price: number) => change('product', { sku: 'GOLD' }, { price });
  const tooMuch = 'The cart is worth more than can be counted.';

  describe.each(waysToCarts)('$door.whose', ({ open }) => {
    const refuses = (send: () => ReturnType<CartBehind['put']>, said: string, status = 400) =>
      expectRefused({ send, status, said });

    test('takes only what this website sells', async () => {
      const { put } = await open(api);
      await refuses(
        () => put('NOTHING'),
        "The product that was requested doesn't exist. Verify the product and try again.",
        404,
      );
      await refuses(() => put('SIGN'), 'Product that you are trying to add is not available.');
      await refuses(() => put('FOREIGN'), 'Product that you are trying to add is not available.');
      await refuses(() => put('SHIRT'), 'You need to choose options for your item.');
    });

    test('takes no more of a product than there is, than is allowed, than can be counted', async () => {
      const cart = await open(api);
      const lineOf = async (sku: string) => {
        const { item_id: itemId } = (await cart.put(sku)).body;
        return (qty: number) => cart.call('PUT', `/items/${itemId}`, { cartItem: { qty } });
      };
      for (const [sku, qty, said] of [
        ['VASE', 2, 'The requested qty is not available'],
        ['RUG', 10_001, 'The requested qty exceeds the maximum qty allowed in shopping cart'],
        ['RUG', 1.5, 'You cannot use decimal quantity for this product.'],
        ['RUG', 0, 'Invalid value of "%value" provided for the %fieldName field.'],
        ['GOLD', 11, tooMuch],
      ] as const) {
        await refuses(() => cart.put(sku, qty), said);
        const set = await lineOf(sku);
        await refuses(() => set(qty), said);
      }
    });

    test('takes no options that it cannot keep, and nothing that must be engraved without an engraving', async () => {
      const cart = await open(api);
      const { item_id: itemId } = (await cart.put('MUG')).body;
      const said = 'A cart cannot keep the %fieldName of a product. Send the line without them.';
      const optionsOf = (sent: object) => ({ sku: 'MUG', qty: 1, product_option: { extension_attributes: sent } });
      for (const sent of [
        { bundle_options: [{ option_id: 1, option_qty: 1, option_selections: [2] }] },
        { downloadable_option: { downloadable_links: [1] } },
        { giftcard_item_option: { giftcard_amount: 'custom' } },
      ]) {
        const cartItem = optionsOf(sent);
        await refuses(() => cart.call('POST', '/items', { cartItem }), said);
        await refuses(() => cart.call('PUT', `/items/${itemId}`, { cartItem }), said);
      }
      const empty = { custom_options: [], bundle_options: null, downloadable_option: { downloadable_links: [] } };
      expect(await cart.call('POST', '/items', { cartItem: optionsOf(empty) })).toMatchObject({ body: { qty: 2 } });

      const mustBeEngraved = async (isRequired: unknown) => {
        const option = { title: 'Name', type: 'field', is_require: isRequired, price: 5, price_type: 'fixed' };
        const product = { options: [option] };
        const answer = await api.call('PUT', '/V1/products/MUG', { token: api.tokens.admin, body: { product } });
        expect(answer.body).toMatchObject(product);
      };
      await mustBeEngraved(true);
      const missing =
        "The product's required option(s) weren't entered. Make sure the options are entered and try again.";
      await refuses(() => cart.put('MUG'), missing);
      await mustBeEngraved(false);
      expect((await cart.put('MUG')).body).toMatchObject({ qty: 3 });
    });

    test('keeps no line of what is taken off the shelf', async () => {
      const { put, call } = await open(api);
      const { item_id: itemId } = (await put('BULK-1')).body;
      const set = () => call('PUT', `/items/${itemId}`, { cartItem: { qty: 2 } });
      await change('product', { sku: 'BULK-1' }, { status: 2 });
      await refuses(set, 'Product that you are trying to add is not available.');
      await change('product', { sku: 'BULK-1' }, { status: 1, type_id: 'configurable' });
      await refuses(set, 'You need to choose options for your item.');
      await change('product', { sku: 'BULK-1' }, { type_id: 'simple' });
    });

    test('has a thousand lines at most', async () => {
      const { put } = await open(api);
      const { quote_id: quoteId } = (await put('BULK-1000')).body;
      await books.insertAll(
        'quote_item',
        products.slice(0, 999).map((id) => ({ quote_id: quoteId, product_id: id, qty: 1 })),
      );
      await refuses(() => put('MUG'), 'Maximum items of type "%type" is %max');
    });

    test('is not shown where prices rose to more than can be counted', async () => {
      const { put, ship, call } = await open(api);
      await goldCosts(900_000_000);
      await put('GOLD', 10);
      await ship();
      const paid = { email: 'guest@shop.test', paymentMethod: { method: 'checkmo' } };
      await call('POST', '/set-payment-information', paid);
      await goldCosts(900_000_001);
      const shown = ['', '/items', '/totals', '/shipping-methods', '/payment-methods', '/payment-information'];
      for (const path of shown) await refuses(() => call('GET', path), tooMuch);
      await refuses(() => call('POST', '/totals-information', { addressInformation: { address: troy } }), tooMuch);
      await refuses(() => call('POST', '/estimate-shipping-methods', { address: troy }), tooMuch);
      await refuses(() => call('POST', '/payment-information', paid), tooMuch);
      await refuses(() => call('PUT', '/order', {}), tooMuch);
    });
  });

  test('the way to an entry of the address book is not told where prices rose to more than can be counted', async () => {
    const { call, put, open, customerId } = await aShopper(api);
    const cartId = await open();
    await goldCosts(900_000_000);
    await put('GOLD', 10);
    const customer = {
      email: 'gold@shop.test',
      firstname: 'Wilma',
      lastname: 'Wallet',
      websiteId: 1,
      addresses: [troy],
    };
    const { body } = await api.call('PUT', `/V1/customers/${customerId}`, {
      ...{ token: api.tokens.admin, body: { customer } },
    });
    const sent = { addressId: body.addresses[0].id };
    await goldCosts(900_000_001);
    const path = '/estimate-shipping-methods-by-address-id';
    await expectRefused({ send: () => call('POST', path, sent), status: 400, said: tooMuch });
    const byAdmin = () => api.call('POST', `/V1/carts/${cartId}${path}`, { token: api.tokens.admin, body: sent });
    await expectRefused({ send: byAdmin, status: 400, said: tooMuch });
  });
});

describe('cart outcomes', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
    await aCartShop(api.orm.em.fork());
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  type Sent = readonly [method: string, path: string, body?: unknown];

  const paymentMethod = { method: 'checkmo' };
  const email = 'guest@shop.test';

  /** Every call of a cart, with what it takes. */
  const everyCall: readonly Sent[] = [
    ['GET', ''],
    ['GET', '/items'],
    ['POST', '/items', { cartItem: { sku: 'MUG', qty: 1 } }],
    ['PUT', '/items/1', { cartItem: { qty: 1 } }],
    ['DELETE', '/items/1'],
    ['GET', '/totals'],
    ['POST', '/totals-information', { addressInformation: { address: troy } }],
    ['GET', '/coupons'],
    ['PUT', '/coupons/TENOFF'],
    ['DELETE', '/coupons'],
    ['GET', '/billing-address'],
    ['POST', '/billing-address', { address: troy }],
    ['GET', '/shipping-methods'],
    ['POST', '/estimate-shipping-methods', { address: troy }],
    ['POST', '/shipping-information', shippedToTroy()],
    ['GET', '/payment-methods'],
    ['GET', '/payment-information'],
    ['POST', '/set-payment-information', { email, paymentMethod }],
    ['GET', '/selected-payment-method'],
    ['PUT', '/selected-payment-method', { method: paymentMethod }],
    ['POST', '/payment-information', { email, paymentMethod }],
    ['PUT', '/order', { paymentMethod }],
  ];
  const byEntry: Sent = ['POST', '/estimate-shipping-methods-by-address-id', { addressId: 1 }];

  describe.each(waysToCarts)('$door.whose', ({ door, open, nowhere }) => {
    const refuses = (cart: CartBehind, [method, path, body]: Sent, status: number, said: string) =>
      expectRefused({ send: () => cart.call(method, path, body), status, said });

    test('is not found where there is none', async () => {
      const cart = await nowhere(api);
      const { status, message } = door.missing;
      for (const sent of door.kind === 'GuestCart' ? everyCall : [...everyCall, byEntry]) {
        const [method, path] = sent;
        // The cart itself is asked for by its id, also a customer's own (platform facts 11).
        const said = method === 'GET' && path === '' ? 'No such entity with %fieldName = %fieldValue' : message;
        await refuses(cart, sent, status, said);
      }
    });

    test('does not have the line of another cart', async () => {
      const [cart, other] = [await open(api), await open(api)];
      const { item_id: itemId } = (await other.put('MUG')).body;
      const said = "The %1 Cart doesn't contain the %2 item.";
      await refuses(cart, ['POST', '/items', { cartItem: { itemId, qty: 2 } }], 404, said);
      await refuses(cart, ['PUT', `/items/${itemId}`, { cartItem: { qty: 2 } }], 404, said);
      await refuses(cart, ['DELETE', `/items/${itemId}`], 404, said);
    });

    test('with nothing in it is not added up, reduced, shipped or paid', async () => {
      const cart = await open(api);
      const said = 'The "%1" Cart doesn\'t contain products.';
      await refuses(cart, ['PUT', '/coupons/TENOFF'], 404, said);
      await refuses(cart, ['DELETE', '/coupons'], 404, said);
      await refuses(cart, ['POST', '/set-payment-information', { email, paymentMethod }], 404, said);
      await refuses(cart, ['POST', '/payment-information', { email, paymentMethod }], 404, said);
      await refuses(cart, ['PUT', '/order', { paymentMethod }], 404, said);
      const noTotals = 'Totals calculation is not applicable to empty cart';
      await refuses(cart, ['POST', '/totals-information', { addressInformation: { address: troy } }], 400, noTotals);
      const noWay = "The shipping method can't be set for an empty cart. Add an item to cart and try again.";
      await refuses(cart, ['POST', '/shipping-information', shippedToTroy()], 400, noWay);
    });

    test('takes no address that is not whole, and none of a stranger', async () => {
      const cart = await open(api);
      await cart.put('MUG');
      const takenBy = (address: object): Sent[] => [
        ['POST', '/billing-address', { address }],
        ['POST', '/shipping-information', shippedToTroy({ shippingAddress: address })],
        ['POST', '/set-payment-information', { email, paymentMethod, billingAddress: address }],
        ['POST', '/payment-information', { email, paymentMethod, billingAddress: address }],
      ];
      for (const sent of takenBy({ ...troy, lastname: '' }))
        await refuses(cart, sent, 400, '"%fieldName" is required. Enter and try again.');
      for (const sent of takenBy({ ...troy, customerAddressId: 999_999 }))
        await refuses(cart, sent, 404, 'Invalid customer address id %1');
      if (door.kind !== 'GuestCart') await refuses(cart, byEntry, 404, 'Invalid customer address id %1');
    });

    test('is shipped as the shop ships, to a place, and only where there is something to ship', async () => {
      const [cart, light] = [await open(api), await open(api)];
      await cart.put('MUG');
      await light.put('GIFTWRAP');
      const noPlace = 'The shipping address is missing. Set the address and try again.';
      await refuses(cart, ['GET', '/shipping-methods'], 400, noPlace);
      await refuses(cart, ['PUT', '/selected-payment-method', { method: paymentMethod }], 400, noPlace);
      await refuses(cart, ['POST', '/shipping-information', shippedToTroy({ shippingAddress: {} })], 400, noPlace);
      const unknown = shippedToTroy({ shippingCarrierCode: 'balloon' });
      await refuses(
        cart,
        ['POST', '/shipping-information', unknown],
        404,
        'Carrier with such method not found: %1, %2',
      );
      const virtual = 'The Cart includes virtual product(s) only, so a shipping address is not used.';
      await refuses(light, ['POST', '/shipping-information', shippedToTroy()], 400, virtual);
    });

    test('is paid as the shop takes it, with a coupon that holds', async () => {
      const cart = await open(api);
      await cart.put('MUG');
      await cart.ship();
      const method = { method: 'banktransfer' };
      const notOffered = 'The requested Payment Method is not available.';
      await refuses(cart, ['PUT', '/selected-payment-method', { method }], 400, notOffered);
      await refuses(cart, ['PUT', '/coupons/OVER'], 404, "The coupon code isn't valid. Verify the code and try again.");
    });
  });
});

describe('quantity rules', () => {
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
});

describe('save own cart', () => {
  const api = useApi();
  beforeAll(async () => {
    await aCartShop(api.orm.em.fork());
    await aSecondWebsite(api.orm.em.fork());
  });

  const gift = { firstname: 'Grace', middlename: 'B.', lastname: 'Hopper', email: 'grace@example.com' };

  test('a customer buys under another name, and the account keeps its own', async () => {
    const shopper = await aShopperWithMugs(api);
    const { body: cart } = await shopper.call('GET');
    const before = (await api.call('GET', '/V1/customers/me', { token: shopper.token })).body;
    const save = () =>
      shopper.call('PUT', '', { quote: { ...cart, customer: { ...cart.customer, ...gift }, items: undefined } });

    expect(await save()).toMatchObject({ status: 200, body: [] });
    expect(await save()).toMatchObject({ status: 200, body: [] });
    expect((await shopper.call('GET')).body.customer).toMatchObject({ id: shopper.customerId, ...gift });
    const order = await api.call('GET', `/V1/orders/${(await shopper.place()).body}`, { token: api.tokens.admin });
    expect(order.body).toMatchObject({
      customer_id: shopper.customerId,
      customer_firstname: 'Grace',
      customer_middlename: 'B.',
      customer_lastname: 'Hopper',
      customer_email: 'grace@example.com',
    });
    expect((await api.call('GET', '/V1/customers/me', { token: shopper.token })).body).toEqual(before);
  });

  test('a cart whose buyer is not named again keeps the one it has', async () => {
    const shopper = await aShopper(api);
    const id = await shopper.open();
    await shopper.call('PUT', '', { quote: { id, store_id: 1, customer: { id: shopper.customerId, ...gift } } });
    await shopper.call('PUT', '', { quote: { customer: { id: String(shopper.customerId), firstname: '' } } });
    expect((await shopper.call('GET')).body.customer).toMatchObject(gift);
  });

  test('a cart is saved by nobody but its customer', async () => {
    const [ann, bob] = [await aShopper(api), await aShopper(api)];
    const [annsCart] = [await ann.open(), await bob.open()];
    const put = (quote: object) => bob.call('PUT', '', { quote });
    const said = 'Invalid state change requested';
    for (const customer of [{ id: 999 }, { id: null }, { id: '25' }, { id: ann.customerId }, {}])
      await expectRefused({ send: () => put({ store_id: 1, customer: { ...customer, ...gift } }), status: 400, said });
    await expectRefused({ send: () => put({ store_id: 1 }), status: 400, said });
    const customer = { id: bob.customerId, ...gift };
    await expectRefused({
      send: () => put({ id: annsCart, customer }),
      status: 404,
      said: 'No such entity with %fieldName = %fieldValue',
    });
    for (const shopper of [ann, bob]) expect((await shopper.call('GET')).body.customer.lastname).not.toBe('Hopper');
  });

  test('a cart is not saved with a view of another website, a name or an e-mail that is none, or where there is none', async () => {
    const shopper = await aShopper(api);
    const put = (more: object, quote = {}) =>
      shopper.call('PUT', '', { quote: { ...quote, customer: { id: shopper.customerId, ...more } } });
    const none = 'Current customer does not have an active cart.';
    await expectRefused({ send: () => put(gift), status: 404, said: none });
    await shopper.open();
    const elsewhere = "The customer can't be assigned to the cart. The cart belongs to a different store.";
    await expectRefused({ send: () => put(gift, { store_id: 999 }), status: 400, said: elsewhere });
    await expectRefused({ send: () => put({ firstname: '<b>' }), status: 400, said: 'First Name is not valid!' });
    const noEmail = '"Email" is not a valid email address.';
    await expectRefused({ send: () => put({ email: 'nobody' }), status: 400, said: noEmail });
  });
});
