import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aCartShop } from '../../../support/builders/cart.ts';
import { waysToCarts, type CartBehind } from '../../../support/builders/cart-doors.ts';
import { aCup, type Cup, type Entered } from '../../../support/builders/cup.ts';
import { booksOf } from '../../../support/books.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

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
