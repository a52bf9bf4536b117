import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { explainOrder } from '../../../../books/explain/explain-order.ts';
import { renderStory } from '../../../../books/explain/render-story.ts';
import { readDocumentToTell } from '../../../../db/mails/post-receipt-mail.ts';
import { Product } from '../../../../db/platform/catalog/product.entity.ts';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { ConfigValue } from '../../../../db/platform/stores/store.entity.ts';
import { taxGoods } from '../../../../db/platform/tax/tax-goods.ts';
import { readReceiptView } from '../../../../db/receipts/read-receipt-view.ts';
import { saveReceipt } from '../../../../db/receipts/save-receipt.ts';
import { addEntry } from '../../../../db/store-credit/add-entry.ts';
import { documentLetter } from '../../../../domain/mails/letter-pen.ts';
import type { MailedDocument } from '../../../../domain/mails/letters.ts';
import { money } from '../../../../domain/money.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { type CartBehind, waysToCarts } from '../../../support/builders/cart-accesses.ts';
import { aCartShop, aShopper, aShopperWithMugs, troy } from '../../../support/builders/cart.ts';
import { secretBox } from '../../../support/builders/counter.ts';
import { aCup, type Cup, type Entered } from '../../../support/builders/cup.ts';
import { aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { anEntry, aSecondWebsite } from '../../../support/builders/wallet.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { api, opensAShop } from './orders-of-carts.ts';
import { useApi } from '../../../support/fixtures.ts';

describe('cart place outcomes', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
    await aCartShop(fork());
    await configure('payment/purchaseorder/active', '1');
  });
  afterAll(async () => {
    expect(api.faults).toEqual([]);
    await api.close();
  });

  const { fork, change, configure } = booksOf(() => api.orm);
  const email = 'guest@shop.test';
  const checkmo = { method: 'checkmo' };

  describe.each(waysToCarts)('the order of $door.whose', ({ door, open }) => {
    const filled = async (sku = 'MUG') => {
      const cart = await open(api);
      await cart.put(sku);
      return cart;
    };
    /** By both routes that place an order. */
    const refuses = async (cart: CartBehind, said: string, paymentMethod: object = checkmo, status = 400) => {
      const pay = () => cart.call('POST', '/payment-information', { email, paymentMethod });
      await expectRefused({ send: pay, status, said });
      const place = () => cart.call('PUT', '/order', { paymentMethod });
      await expectRefused({ send: place, status, said });
    };
    const known = (cart: CartBehind) =>
      cart.call('POST', '/set-payment-information', { email, paymentMethod: checkmo });

    test('needs to know where the goods go, who pays, and how both is done', async () => {
      const cart = await filled();
      await known(cart);
      await refuses(cart, 'The shipping address is missing. Set the address and try again.');
      await cart.call('POST', '/billing-address', { address: troy, useForShipping: true });
      await refuses(cart, 'The shipping method is missing. Select the shipping method and try again.');
      await cart.ship();
      await refuses(cart, 'Enter a valid payment method and try again.', { method: '' });
      await refuses(cart, 'The requested Payment Method is not available.', { method: 'banktransfer' });
      await refuses(cart, 'Purchase order number is a required field.', { method: 'purchaseorder' });
      const unbilled = await filled();
      await known(unbilled);
      await unbilled.ship({ billingAddress: undefined });
      await refuses(unbilled, 'The billing address is missing. Set the address and try again.');
    });

    test('needs an e-mail that is one', async () => {
      const cart = await filled();
      await cart.ship();
      const pay = () => cart.call('POST', '/payment-information', { email: 'guest', paymentMethod: checkmo });
      await expectRefused({ send: pay, status: 400, said: 'Email has a wrong format' });
      if (door.kind === 'OwnCart') return;
      const place = () => cart.call('PUT', '/order', { paymentMethod: checkmo });
      await expectRefused({ send: place, status: 400, said: 'Email has a wrong format' });
    });

    test('is not placed with a coupon that ended meanwhile', async () => {
      const cart = await filled();
      await cart.ship();
      await known(cart);
      await change('sales_rule', { name: 'OVER' }, { to_date: null });
      await cart.call('PUT', '/coupons/OVER');
      await change('sales_rule', { name: 'OVER' }, { to_date: '2020-01-01' });
      await refuses(cart, "The coupon code isn't valid. Verify the code and try again.", checkmo, 404);
    });

    test('is not placed for goods that are gone', async () => {
      const cart = await filled('VASE');
      await cart.ship();
      await known(cart);
      await change('inventory_source_item', { sku: 'VASE' }, { quantity: 0 });
      await refuses(cart, 'The requested qty is not available');
      await change('product', { sku: 'VASE' }, { status: 2 });
      await refuses(cart, 'Product that you are trying to add is not available.');
      await change('product', { sku: 'VASE' }, { status: 1, type_id: 'configurable' });
      await refuses(cart, 'You need to choose options for your item.');
      await change('product', { sku: 'VASE' }, { type_id: 'simple' });
      await change('inventory_source_item', { sku: 'VASE' }, { quantity: 1 });
    });
  });

  test('a guest’s cart is given to a customer of its store, once', async () => {
    const { token, customerId } = await aShopper(api);
    const mask: string = (await api.call('POST', '/V1/guest-carts')).body;
    const { body: cartId } = await api.call('POST', '/V1/carts', { token: api.tokens.admin });
    const take = (storeId: number) => api.call('PUT', `/V1/guest-carts/${mask}`, { token, body: { storeId } });
    const give = (storeId: number, to = customerId) =>
      api.call('PUT', `/V1/carts/${cartId}`, { token: api.tokens.admin, body: { customerId: to, storeId } });
    const elsewhere = "The customer can't be assigned to the cart. The cart belongs to a different store.";
    const again = "The customer can't be assigned to the cart because the cart isn't anonymous.";
    await expectRefused({ send: () => take(999), status: 400, said: elsewhere });
    await expectRefused({ send: () => give(999), status: 400, said: elsewhere });
    const nobody = 'No such entity with %fieldName = %fieldValue';
    await expectRefused({ send: () => give(1, 999_999), status: 404, said: nobody });
    await take(1);
    await expectRefused({ send: () => take(1), status: 404, said: nobody });
    await give(1);
    await expectRefused({ send: () => give(1), status: 400, said: again });
  });
});

describe('lower prices', () => {
  const { change, fork, findOne, insert } = booksOf(() => api.orm);

  const now = new Date('2026-11-23T12:00:00Z');
  const api = useApi({ clock: () => now });
  beforeAll(() => aCartShop(fork()));

  let made = 0;
  /** A product for 50 with these attributes. */
  async function aProduct(attributes: Record<string, unknown>): Promise<string> {
    const sku = `CHEAP-${++made}`;
    const custom_attributes = Object.entries(attributes).map(([attribute_code, value]) => ({ attribute_code, value }));
    const extension_attributes = { stock_item: { manage_stock: false } };
    const product = { sku, name: sku, price: 50, custom_attributes, extension_attributes };
    expect(
      await api.call('POST', '/rest/all/V1/products', { token: api.tokens.admin, body: { product } }),
    ).toMatchObject({
      status: 200,
    });
    return sku;
  }

  async function priceOf(sku: string): Promise<number> {
    const shopper = await aShopper(api);
    await shopper.open();
    return (await shopper.put(sku)).body.price;
  }

  test.each([
    ['without days', { special_price: '40' }, 40],
    ['from today on', { special_price: '40', special_from_date: '2026-11-23 00:00:00' }, 40],
    ['until today', { special_price: 40.5, special_to_date: '2026-11-23 00:00:00' }, 40.5],
    ['from tomorrow on', { special_price: '40', special_from_date: '2026-11-24 00:00:00' }, 50],
    ['until yesterday', { special_price: '40', special_to_date: '2026-11-22 23:59:59' }, 50],
    ['above the price', { special_price: '60' }, 50],
  ])('a special price %s', async (_when, attributes, price) => {
    expect(await priceOf(await aProduct(attributes))).toBe(price);
  });

  test('a special price that is no number, from a catalog of before, counts for nothing', async () => {
    const sku = await aProduct({ special_price: '40' });
    await change('product', { sku }, { custom_attributes: JSON.stringify({ special_price: 'cheap' }) });
    expect(await priceOf(sku)).toBe(50);
  });

  test.each(['special_from_date', 'special_to_date'])(
    'a special price with a %s that cannot be read, from a catalog of before, never holds',
    async (code) => {
      const sku = await aProduct({ special_price: '40' });
      const wrongly = (day: string) =>
        change('product', { sku }, { custom_attributes: JSON.stringify({ special_price: '40', [code]: day }) });
      await wrongly('31.12.2030');
      expect(await priceOf(sku)).toBe(50);
      await wrongly('');
      expect(await priceOf(sku)).toBe(40);
    },
  );

  test('a website has a special price of its own', async () => {
    const sku = await aProduct({ special_price: '40' });
    await api.call('PUT', `/V1/products/${sku}`, {
      token: api.tokens.admin,
      body: { product: { custom_attributes: [{ attribute_code: 'special_price', value: '30' }] } },
    });
    expect(await priceOf(sku)).toBe(30);
  });

  test('a special price that ended costs as much as before it, in the cart too', async () => {
    const sku = await aProduct({ special_price: '40' });
    const product = { custom_attributes: [{ attribute_code: 'special_price', value: null }] };
    const ended = await api.call('PUT', `/V1/products/${sku}`, { token: api.tokens.admin, body: { product } });
    expect(ended.body.custom_attributes).not.toContainEqual(
      expect.objectContaining({ attribute_code: 'special_price' }),
    );
    expect(await priceOf(sku)).toBe(50);
  });

  test('what the catalog rules made for the group today is the price, another day’s and another group’s are not', async () => {
    const sku = await aProduct({});
    const { entity_id: id } = await findOne('product', { sku }, 'entity_id');
    const row = (date: string, group: number, price: number) =>
      insert('catalog_rule_price', {
        ...{ product_id: id, website_id: 1, rule_date: date, customer_group_id: group, rule_price: price },
      });
    await row('2026-11-24', 1, 10);
    await row('2026-11-23', 2, 20);
    expect(await priceOf(sku)).toBe(50);
    await row('2026-11-23', 1, 35);
    expect(await priceOf(sku)).toBe(35);
  });
});

describe('other website', () => {
  const berlin = {
    firstname: 'Dora',
    lastname: 'Dorn',
    street: ['Lindenweg 3'],
    city: 'Berlin',
    regionId: 82,
    postcode: '10115',
    countryId: 'DE',
    telephone: '030',
  };

  let api: TestApi;
  let customerId: number;
  let token: string;

  /** A website in euros whose prices include 19 % of tax, and a customer with 20 euros of credit there. */
  beforeAll(async () => {
    api = await testApi();
    await aCartShop(fork());
    const websiteId = await aSecondWebsite(fork());
    const em = fork();
    const path = 'tax/calculation/price_includes_tax';
    em.create(ConfigValue, { path, value: '1', scope: 'websites', scopeId: websiteId });
    const country = 'general/store_information/country_id';
    em.create(ConfigValue, { path: country, value: 'DE', scope: 'websites', scopeId: websiteId });
    await taxGoods(em, { code: 'DE', taxClassId: 2, countryId: 'DE', regionId: 0, percent: '19' });
    em.create(Product, {
      attributeSetId: 4,
      sku: 'EBOOK',
      name: 'E-Book',
      price: money('119'),
      typeId: 'virtual',
      manageStock: false,
      websiteIds: [websiteId],
    });
    const dora = em.create(Customer, {
      websiteId,
      storeId: 3,
      groupId: 1,
      email: 'dora@shop.test',
      firstname: 'Dora',
      lastname: 'Dorn',
    });
    await em.flush();
    customerId = dora.id;
    token = await api.customerToken(customerId);
    await addEntry(fork(), anEntry(customerId, { websiteId, amount: '20' }));
  });
  afterAll(async () => {
    await booksHold();
    await api.close();
  });

  const { fork, change, booksHold } = booksOf(() => api.orm);
  const call = (method: string, path = '', body?: object) =>
    api.call(method, `/rest/eu_de/V1/carts/mine${path}`, { token, ...(body ? { body } : {}) });
  const put = (sku: string) => call('POST', '/items', { cartItem: { sku, qty: 1 } });

  test('a cart there is priced with the tax inside, paid from the wallet there, and offers what is sold there', async () => {
    await call('POST');
    expect(await put('EBOOK')).toMatchObject({ status: 200, body: { price: 100 } });
    expect(await put('MUG')).toMatchObject({
      status: 400,
      body: { message: 'Product that you are trying to add is not available.' },
    });
    // Sold there, but that website has no stock to sell it from.
    expect(await put('FOREIGN')).toMatchObject({
      status: 400,
      body: { message: 'The requested qty is not available' },
    });
    await call('POST', '/billing-address', { address: berlin });
    await call('POST', '/store-credit/apply');
    expect((await call('GET', '/totals')).body).toMatchObject({
      quote_currency_code: 'EUR',
      subtotal: 100,
      subtotal_incl_tax: 119,
      tax_amount: 19,
      grand_total: 119,
      extension_attributes: { amount_to_pay: 99 },
    });

    const { status, body: orderId } = await call('PUT', '/order', { paymentMethod: { method: 'checkmo' } });

    expect(status).toBe(200);
    const order = await api.call('GET', `/V1/orders/${orderId}`, { token: api.tokens.admin });
    expect(order.body).toMatchObject({ store_id: 3, grand_total: 119, total_paid: 20, tax_amount: 19 });
  });

  test('a wallet in a currency the website left behind pays nothing', async () => {
    await call('POST');
    await put('EBOOK');
    await addEntry(fork(), anEntry(customerId, { websiteId: 2, amount: '20' }));
    await change('website', { website_id: 2 }, { base_currency_code: 'CHF' });
    try {
      expect((await call('GET', '/store-credit')).body).toMatchObject({ balance: 0, applicable_amount: 0 });
      expect(await call('POST', '/store-credit/apply')).toMatchObject({ status: 400 });
    } finally {
      await change('website', { website_id: 2 }, { base_currency_code: 'EUR' });
    }
  });
});

describe('own cart only', () => {
  const api = useApi();
  beforeAll(async () => {
    await aCartShop(fork());
    await aSecondWebsite(fork());
  });

  const { fork, find, findOne, insert } = booksOf(() => api.orm);

  const quoteOf = async (customerId: number) => {
    const quotes = await find('quote', { customer_id: customerId });
    const parts = ['quote_item', 'quote_address'].map((table) => find(table, { quote_id: quotes[0]?.['quote_id'] }));
    return [quotes, ...(await Promise.all(parts))];
  };

  test('no id anywhere leads into another customer’s cart', async () => {
    const [ann, bob] = [await aShopperWithMugs(api), await aShopper(api)];
    await bob.open();
    await bob.put('PLATE');
    const before = await quoteOf(ann.customerId);
    const [{ quote_id: annsCart } = { quote_id: 0 }] = before[0] as { quote_id: number }[];
    const [{ item_id: annsLine } = { item_id: 0 }] = before[1] as { item_id: number }[];
    const theirs = { customerId: ann.customerId, customer_id: ann.customerId, cartId: annsCart, cart_id: annsCart };
    const cartItem = { sku: 'MUG', qty: 9, quote_id: annsCart, quoteId: String(annsCart) };

    expect(await bob.call('PUT', `/items/${annsLine}`, { cartItem })).toMatchObject({ status: 404 });
    expect(await bob.call('DELETE', `/items/${annsLine}`)).toMatchObject({ status: 404 });
    expect(await bob.call('POST', '/items', { cartItem: { ...cartItem, item_id: annsLine } })).toMatchObject({
      status: 404,
    });
    expect(await bob.call('POST', '/items', { cartItem, ...theirs })).toMatchObject({ status: 200, body: { qty: 9 } });
    await bob.call('POST', `?customerId=${ann.customerId}&cartId=${annsCart}`, theirs);
    await bob.call('PUT', `/coupons/TENOFF?cartId=${annsCart}`, theirs);
    await bob.call('POST', `/store-credit/apply?cartId=${annsCart}`, theirs);
    await bob.call('POST', '/billing-address', { address: troy, ...theirs });
    await bob.call('POST', '/set-payment-information', {
      ...theirs,
      paymentMethod: { method: 'checkmo' },
      billingAddress: { ...troy, customer_id: ann.customerId },
    });
    expect((await bob.call('GET', `?customerId=${ann.customerId}`)).body.customer).toMatchObject({
      id: bob.customerId,
    });
    expect((await bob.call('GET', `/totals?cartId=${annsCart}`)).body.items).toHaveLength(2);
    const headers = { 'x-customer-id': String(ann.customerId) };
    expect((await api.call('GET', '/V1/carts/mine', { token: bob.token, headers })).body.customer.id).toBe(
      bob.customerId,
    );
    for (const path of [`/V1/carts/${annsCart}`, `/V1/carts/${annsCart}/items`, `/V1/carts/mine/../${annsCart}`])
      expect(await api.call('GET', path, { token: bob.token })).toMatchObject({ status: 401 });

    expect(await quoteOf(ann.customerId)).toEqual(before);
  });

  test('an address of another customer cannot be used', async () => {
    const [ann, bob] = [await aShopper(api), await aShopper(api)];
    await bob.open();
    await insert('customer_address', {
      ...{ customer_id: ann.customerId, firstname: 'Ann', lastname: 'Own', city: 'Troy', country_id: 'US' },
    });
    const { id } = await findOne('customer_address', { customer_id: ann.customerId }, 'id');

    expect(await bob.call('POST', '/billing-address', { address: { ...troy, customerAddressId: id } })).toMatchObject({
      status: 404,
      body: { message: 'Invalid customer address id %1', parameters: [id] },
    });
    expect((await bob.call('GET', '/billing-address')).body).toMatchObject({ city: null });
  });

  test('administrators, integrations and guests have no cart of their own', async () => {
    const refused = { status: 401, body: { parameters: { resources: 'self' } } };
    const routes = [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/totals'],
      ['PUT', '/order'],
      ['POST', '/store-credit/apply'],
    ] as const;
    for (const [method, path] of routes)
      for (const token of [api.tokens.admin, api.tokens.register, 'nobody', undefined])
        expect(await api.call(method, `/V1/carts/mine${path}`, token === undefined ? {} : { token })).toMatchObject(
          refused,
        );
  });

  test('an account of one website has no cart on another', async () => {
    const { token } = await aShopper(api);

    for (const path of ['/rest/eu_de/V1/carts/mine', '/rest/all/V1/carts/mine'])
      expect(await api.call('POST', path, { token })).toMatchObject({ status: 401 });
  });

  test('in another store view of the website it is the same cart in that view’s currency', async () => {
    const { open, put, token } = await aShopper(api);
    const id = await open();
    await put('MUG');

    expect(await api.call('POST', '/rest/ca/V1/carts/mine', { token })).toMatchObject({ status: 200, body: id });
    expect((await api.call('GET', '/rest/ca/V1/carts/mine/totals', { token })).body).toMatchObject({
      quote_currency_code: 'CAD',
      base_currency_code: 'USD',
      subtotal: 68,
      base_subtotal: 50,
    });
  });
});

describe('told options', () => {
  opensAShop();
  let cup: Cup;
  beforeAll(async () => {
    cup = await aCup(api);
  });
  beforeEach(() => fillShelves());

  const { fork, find, findOne, fillShelves } = booksOf(() => api.orm);
  const admin = (method: string, path: string, body?: object) =>
    api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
  const gold: Entered = { engraving: 'For Ada', glaze: ['Gold'] };
  const asEntered = [
    { label: 'engraving', value: 'For Ada' },
    { label: 'glaze', value: 'Gold' },
  ];

  async function aSaleOfACup(): Promise<number> {
    const shopper = await aShopper(api);
    await shopper.open();
    const cartItem = { sku: 'CUP', qty: 1, product_option: cup.enter(gold) };
    await shopper.call('POST', '/items', { cartItem });
    await shopper.ship();
    return (await shopper.place()).body;
  }

  async function letterOf(document: MailedDocument, documentId: number): Promise<string | undefined> {
    const told = await readDocumentToTell(fork(), { document, documentId });
    return told && documentLetter(told.document).text;
  }

  test('mails about the order, its invoice, its parcel and its credit memo say what was entered', async () => {
    const orderId = await aSaleOfACup();
    const lines = '- 1 × Cup CUP\n  engraving: For Ada\n  glaze: Gold\n';
    expect(await letterOf('order', orderId)).toContain(lines);
    const { body: invoiceId } = await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
    const { body: shipmentId } = await admin('POST', `/V1/order/${orderId}/ship`, {});
    const { body: memoId } = await admin('POST', `/V1/order/${orderId}/refund`, {});
    for (const [document, id] of [
      ['invoice', invoiceId],
      ['shipment', shipmentId],
      ['creditmemo', memoId],
    ] as const)
      expect(await letterOf(document, Number(id))).toContain(lines);
  });

  test('what was entered keeps its names when the product changes', async () => {
    const orderId = await aSaleOfACup();
    const { body } = await admin('GET', `/V1/products/CUP/options/${cup.ids.engraving}`);
    await admin('PUT', `/V1/products/options/${cup.ids.engraving}`, { option: { ...body, title: 'Words' } });
    expect(await letterOf('order', orderId)).toContain('  engraving: For Ada\n');
    await admin('PUT', `/V1/products/options/${cup.ids.engraving}`, { option: body });
  });

  test('an order that a register sends says it too, and what the product does not have says nothing', async () => {
    const { entity_id: productId } = await findOne('product', { sku: 'CUP' }, 'entity_id');
    const { extension_attributes: own } = cup.enter(gold);
    const custom_options = [...own.custom_options, { option_id: '999999', option_value: 'x' }, 'nothing', {}];
    const product_option = { extension_attributes: { custom_options } };
    const line = { sku: 'CUP-ENGR-GOLD', product_id: productId, qty_ordered: 1, product_option };
    const entity = aPostedSale({ customer_id: null, customer_is_guest: 1, items: [aPostedLine(line)] });
    const { body } = await admin('POST', '/V1/orders', { entity });
    expect(await find('sales_order_item', { order_id: body.entity_id }, 'entered_options')).toEqual([
      { entered_options: asEntered },
    ]);
  });

  test('the story of an order says it', async () => {
    const orderId = await aSaleOfACup();
    const { increment_id: number } = await findOne('sales_order', { entity_id: orderId }, 'increment_id');
    expect(renderStory(await explainOrder(fork(), String(number)))).toContain(
      '1 × Cup CUP (CUP-ENGR-GOLD) with engraving "For Ada" and glaze "Gold"',
    );
  });

  test('a receipt shows it, unless the register’s own document does', async () => {
    const orderId = await aSaleOfACup();
    const { increment_id: orderIncrementId } = await findOne('sales_order', { entity_id: orderId }, 'increment_id');
    const items = [
      { sku: 'PLATE', name: 'Plate' },
      { sku: 'CUP-ENGR-GOLD', name: 'Cup' },
    ];
    const shown = async (posOrderId: string, receiptModel?: object) => {
      const token = posOrderId.padStart(64, 'c');
      await saveReceipt(fork(), secretBox, {
        fields: {
          ...{ posOrderId, currency: 'USD', orderIncrementId: String(orderIncrementId) },
          ...(receiptModel ? { receiptModel: JSON.stringify(receiptModel) } : {}),
        },
        ...{ items, receiptToken: token },
      });
      const view = await readReceiptView(fork(), { token }, { box: secretBox, publicBaseUrl: undefined });
      return view.items.map(({ options }) => options);
    };
    expect(await shown('e1')).toEqual([[], asEntered]);
    const own = [{ label: 'Text', value: 'Ada' }];
    expect(await shown('e2', { schema_version: 1, items: [{ sku: 'CUP-ENGR-GOLD', options: own }] })).toEqual([own]);
    expect(await shown('e3', { schema_version: 1, items: [{ sku: 'CUP-ENGR-GOLD' }] })).toEqual([asEntered]);
  });
});
