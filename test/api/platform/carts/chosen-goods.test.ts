import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop } from '../../../support/builders/cart.ts';
import { waysToCarts, type CartBehind } from '../../../support/builders/cart-doors.ts';
import { aShirtInSizes, optionOf, type Choose } from '../../../support/builders/shirt.ts';
import { booksOf } from '../../../support/books.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

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
