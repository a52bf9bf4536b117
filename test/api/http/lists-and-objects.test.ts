import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';

/** What a caller hears who sends an object for a list, a list for an object, or one value for either. */
let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const post = (path: string, body: unknown) =>
  api.call('POST', path.startsWith('/') ? path : `/V1/${path}`, { token: api.tokens.admin, body });
const line = { order_item_id: 1, qty: 1 };
const item = { sku: 'MUG', source_code: 'floor', quantity: 1, status: 1 };
const within = (...names: string[]) => names.map((name) => `Error occurred during "${name}" processing. `).join('');
const wrong = (value: string, type: string) =>
  `The "${value}" value's type is invalid. The "${type}" type was expected. Verify and try again.`;

test.each([
  ['lines of an order', 'orders', (items: unknown) => ({ entity: { items } }), within('items'), { sku: 'MUG' }],
  ['quantities', 'inventory/source-items', (sourceItems: unknown) => ({ sourceItems }), '', item],
  [
    'chosen options of a cart',
    'guest-carts/none/items',
    (configurable_item_options: unknown) => ({
      cartItem: {
        ...{ sku: 'MUG', qty: 1 },
        product_option: { extension_attributes: { configurable_item_options } },
      },
    }),
    within('product_option', 'extension_attributes', 'configurable_item_options'),
    { option_id: '1', option_value: 1 },
  ],
  [
    'rows of a return',
    'pos/rma/process',
    (rows: unknown) => ({ orderId: 1, resolution: 'refund', items: JSON.stringify(rows) }),
    '',
    line,
  ],
])('%s are a list', async (_case, path, bodyOf, where, one) => {
  const said = async (value: unknown) => {
    const { status, body } = await post(path, bodyOf(value));
    return { status, message: body.message };
  };
  expect(await said(one)).toEqual({ status: 400, message: where + wrong('object', 'array') });
  expect(await said('x')).toEqual({ status: 400, message: where + wrong('x', 'array') });
  expect(await said(5)).toEqual({ status: 400, message: where + wrong('5', 'array') });
  expect(await said([[one]])).toEqual({ status: 400, message: where + wrong('array', 'object') });
});

test.each(['refund', 'invoice', 'ship'])('the goods to %s are a list, or an object of lines', async (verb) => {
  const said = async (items: unknown) => {
    const { status, body } = await post(`order/1/${verb}`, { items });
    return { status, message: body.message };
  };
  expect(await said(line)).toEqual({ status: 400, message: wrong('1', 'object') });
  expect(await said('x')).toEqual({ status: 400, message: wrong('x', 'array') });
  expect(await said([[line]])).toEqual({ status: 400, message: wrong('array', 'object') });
  expect(await said({ first: line })).toEqual(await said([line]));
});

test.each([
  ['an order', 'orders', (entity: unknown) => ({ entity })],
  ['an invoice', 'invoices', (entity: unknown) => ({ entity })],
  ['a line of a cart', 'guest-carts/none/items', (cartItem: unknown) => ({ cartItem })],
  ['what a refund adds', 'order/1/refund', (given: unknown) => ({ arguments: given })],
])('%s is an object', async (_case, path, bodyOf) => {
  const said = async (value: unknown) => (await post(path, bodyOf(value))).body.message;
  expect(await said([line])).toBe(wrong('array', 'object'));
  expect(await said('x')).toBe(wrong('x', 'object'));
  expect(await said(true)).toBe(wrong('1', 'object'));
});

test('an operation of a bulk says it in the same words, and a bulk is a list', async () => {
  const bulk = '/rest/async/bulk/V1/order/byOrderId/refund';
  const { status, body } = await post(bulk, [{ orderId: 1, items: line }]);
  expect({ status, items: body.request_items }).toMatchObject({
    status: 202,
    items: [{ status: 'rejected', error_message: wrong('1', 'object') }],
  });
  expect(await post(bulk, { items: [line] })).toMatchObject({
    status: 400,
    body: { message: 'A bulk is a list of objects, one for each operation.' },
  });
});
