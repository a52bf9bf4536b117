import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { booksOf } from '../../../support/books.ts';
import { aCartShop, aShopper, troy } from '../../../support/builders/cart.ts';
import { waysToCarts, type CartBehind } from '../../../support/builders/cart-doors.ts';
import { manyProducts } from '../../../support/builders/many-products.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

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
  const customer = { email: 'gold@shop.test', firstname: 'Wilma', lastname: 'Wallet', websiteId: 1, addresses: [troy] };
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
