import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Reservation } from '../../../../db/platform/inventory/reservation.entity.ts';
import { pieces } from '../../../../domain/money/quantity.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  api.call(method, `/V1/inventory/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });

const berlin = { source_code: 'berlin', name: 'Berlin', country_id: 'DE', postcode: '10115', city: 'Berlin' };
const inStock = (sku: string, source_code: string, quantity: number) => ({ sku, source_code, quantity, status: 1 });
const itemsOf = async (sourceCode: string) => {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const found = await ask('GET', `source-items?${filter}[field]=source_code&${filter}[value]=${sourceCode}`);
  return found.body.items;
};

describe('a source', () => {
  test('is opened, changed in part, and the same after eight repeats at once', async () => {
    await eightAtOnce(() => ask('POST', 'sources', { source: berlin }));
    expect(await ask('POST', 'sources', { source: berlin })).toMatchObject({ status: 200, body: [] });
    expect(await ask('PUT', 'sources/berlin', { source: { name: 'Mitte', phone: '030' } })).toMatchObject({ body: [] });
    expect((await ask('GET', 'sources/berlin')).body).toMatchObject({ ...berlin, name: 'Mitte', phone: '030' });
  });

  test('without its required fields is refused, and all of them are named', async () => {
    const answer = await ask('POST', 'sources', { source: { source_code: 'a b', city: 'Berlin' } });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: 'Validation Failed',
        errors: ['source_code', 'name', 'postcode', 'country_id'].map((field) => ({ parameters: { field } })),
      },
    });
  });

  test('is not changed to one without a name, by its code either', async () => {
    const empty = await ask('PUT', 'sources/nameless', { source: { ...berlin, name: '' } });
    expect(empty).toMatchObject({ status: 400, body: { message: 'Validation Failed' } });
  });

  test('named default always sells', async () => {
    const refused = { status: 400, body: { message: 'Default source can not be disabled.' } };
    const source = { ...berlin, source_code: 'default' };
    expect(await ask('POST', 'sources', { source: { ...source, enabled: false } })).toMatchObject(refused);
    await ask('POST', 'sources', { source });
    expect(await ask('PUT', 'sources/default', { source: { enabled: false } })).toMatchObject(refused);
  });
});

interface StockAnswer {
  extension_attributes: { sales_channels: { code: string }[] };
}
const isBase = ({ code }: { code: string }) => code === 'base';

describe('a stock', () => {
  test('is changed only where it is there', async () => {
    const unknown = { status: 404, body: { message: 'Stock with id "%value" does not exist.' } };
    expect(await ask('PUT', 'stocks/9999', { stock: { name: 'Moon' } })).toMatchObject(unknown);
  });

  test('keeps its name and its websites where a change is refused', async () => {
    const { body: stockId } = await ask('POST', 'stocks', { stock: { name: 'Kept' } });
    const before = (await ask('GET', `stocks/${stockId}`)).body;
    const channel = { extension_attributes: { sales_channels: [{ type: 'website', code: 'nowhere' }] } };
    const change = (stock: object) => () => ask('PUT', `stocks/${stockId}`, { stock });
    await expectRefused({ send: change({ name: ' ' }), status: 400, said: 'Validation Failed' });
    const unknown = 'No such entity with %fieldName = %fieldValue';
    await expectRefused({ send: change({ name: 'Other', ...channel }), status: 404, said: unknown });
    expect((await ask('GET', `stocks/${stockId}`)).body).toEqual(before);
    await ask('DELETE', `stocks/${stockId}`);
  });

  test('is opened, gets a website from another stock, and stays as long as one sells from it', async () => {
    const { body: stockId } = await ask('POST', 'stocks', { stock: { name: 'Berlin' } });
    const { body: before } = await ask('GET', 'stock-resolver/website/base');
    const channel = (code: string) => ({ extension_attributes: { sales_channels: [{ type: 'website', code }] } });

    expect(await ask('PUT', `stocks/${stockId}`, { stock: channel('base') })).toMatchObject({ body: stockId });
    expect((await ask('GET', 'stock-resolver/website/base')).body).toMatchObject({ stock_id: stockId, name: 'Berlin' });
    expect(await ask('DELETE', `stocks/${stockId}`)).toMatchObject({ status: 400 });
    expect(
      await ask('PUT', `stocks/${stockId}`, { stock: { extension_attributes: { sales_channels: [] } } }),
    ).toMatchObject({ status: 400, body: { parameters: { fieldName: 'salesChannels', value: 'base' } } });

    await ask('PUT', `stocks/${before.stock_id}`, { stock: channel('base') });
    expect(await ask('DELETE', `stocks/${stockId}`)).toMatchObject({ status: 200, body: [] });
    expect(await ask('DELETE', `stocks/${stockId}`)).toMatchObject({ status: 404 });
  });

  test('takes a website from all others, also where two want it at once', async () => {
    const home = (await ask('GET', 'stock-resolver/website/base')).body.stock_id;
    const stock = { name: 'Rival', extension_attributes: { sales_channels: [{ type: 'website', code: 'base' }] } };
    const rivals = await eightAtOnce(() => ask('POST', 'stocks', { stock }));
    const all = (await ask('GET', 'stocks?searchCriteria=')).body.items;
    const sellers = all.filter((one: StockAnswer) => one.extension_attributes.sales_channels.some(isBase));
    expect(sellers).toHaveLength(1);
    await ask('PUT', `stocks/${home}`, { stock: { ...stock, name: 'Shop' } });
    for (const { body } of rivals) expect(await ask('DELETE', `stocks/${body}`)).toMatchObject({ status: 200 });
  });

  test('that ever promised goods is kept', async () => {
    const { body: stockId } = await ask('POST', 'stocks', { stock: { name: 'Old' } });
    const em = api.orm.em.fork();
    em.create(Reservation, { stockId, sku: 'MUG', quantity: pieces(1), eventType: 'order_canceled', orderId: 1 });
    await em.flush();
    expect(await ask('DELETE', `stocks/${stockId}`)).toMatchObject({
      status: 400,
      body: { message: 'Could not delete Stock' },
    });
  });

  test.each([
    ['no name', { name: ' ' }, 400],
    [
      'an unknown website',
      { name: 'X', extension_attributes: { sales_channels: [{ type: 'website', code: 'no' }] } },
      404,
    ],
    ['no website', { name: 'X', extension_attributes: { sales_channels: [{ type: 'shop', code: 'base' }] } }, 400],
  ])('with %s is refused', async (_what, stock, status) => {
    expect(await ask('POST', 'stocks', { stock })).toMatchObject({ status });
  });

  test('that everybody falls back to is never deleted', async () => {
    expect(await ask('DELETE', 'stocks/1')).toMatchObject({
      status: 400,
      body: { message: 'Default Stock could not be deleted.' },
    });
  });
});

describe('where goods leave from', () => {
  const chosen = (items: object[], algorithmCode = 'priority', stock_id = 1) =>
    ask('POST', 'source-selection-algorithm-result', { inventoryRequest: { stock_id, items }, algorithmCode });

  test('follows the priorities of the linked sources, as long as a product is kept there', async () => {
    await ask('POST', 'sources', { source: { ...berlin, source_code: 'first' } });
    const links = [{ stock_id: 1, source_code: 'first', priority: 1 }];
    const later = { stock_id: 1, source_code: 'floor', priority: 2 };
    await ask('POST', 'stock-source-links', { links: [...links, ...links, later] });
    expect(await ask('POST', 'stock-source-links', { links })).toMatchObject({ body: [] });
    await ask('POST', 'source-items', { sourceItems: [inStock('MUG', 'first', 2)] });

    const both = await chosen([
      { sku: 'MUG', qty: 1 },
      { sku: 'MUG', qty: 2 },
    ]);
    expect(both.body.source_selection_items).toMatchObject([
      { source_code: 'first', sku: 'MUG', qty_to_deduct: 2, qty_available: 2 },
      { qty_to_deduct: 1 },
    ]);
    expect(both.body.shippable).toBe(true);
    expect((await chosen([{ sku: 'MUG', qty: 1_000_000 }])).body.shippable).toBe(false);
    expect((await chosen([{ sku: 'NOBODY', qty: 1 }])).body).toEqual({ source_selection_items: [], shippable: false });

    await ask('POST', 'source-items-delete', { sourceItems: [inStock('MUG', 'first', 2), inStock('MUG', 'first', 2)] });
    expect(await itemsOf('first')).toEqual([]);
    expect(await ask('POST', 'source-items-delete', { sourceItems: [inStock('MUG', 'first', 2)] })).toMatchObject({
      status: 200,
    });

    await ask('POST', 'stock-source-links-delete', { links });
    expect((await ask('GET', 'stock-source-links?searchCriteria=')).body.items).not.toContainEqual(links[0]);
  });

  test('is chosen by priority only', async () => {
    expect(await chosen([{ sku: 'MUG', qty: 1 }], 'distance')).toMatchObject({ status: 400 });
    expect((await ask('GET', 'source-selection-algorithm-list')).body).toMatchObject([{ code: 'priority' }]);
  });

  test('is not chosen for a stock that is not there', async () => {
    const send = () => chosen([{ sku: 'MUG', qty: 1 }], 'priority', 9_999);
    await expectRefused({ send, status: 404, said: 'Stock with id "%value" does not exist.' });
  });

  test.each([
    ['stock-source-links', { links: [] }],
    ['stock-source-links-delete', { links: [] }],
    ['source-items-delete', { sourceItems: [] }],
    ['bulk-partial-source-transfer', { originSourceCode: 'a', destinationSourceCode: 'b', items: [] }],
  ])('%s of nothing is refused', async (path, body) => {
    await expectRefused({ send: () => ask('POST', path, body), status: 400, said: 'Input data is empty' });
  });

  test.each([
    [{ priority: 0 }, ['"%field" should be greater then 0.']],
    [{ priority: undefined }, ['"%field" should be greater then 0.']],
    [{ source_code: '' }, ['"%field" can not be empty.']],
    [
      { source_code: 'a b', priority: -1 },
      ['"%field" can not contain whitespaces.', '"%field" should be greater then 0.'],
    ],
  ])('is not linked by %j', async (wrong, messages) => {
    const links = [{ stock_id: 1, source_code: 'floor', priority: 1, ...wrong }];
    const { status, body } = await ask('POST', 'stock-source-links', { links });
    expect([status, body.message]).toEqual([400, 'Validation Failed']);
    expect(body.errors).toEqual(messages.map((message) => expect.objectContaining({ message })));
  });

  test('is never an unknown source', async () => {
    const links = [{ stock_id: 1, source_code: 'nowhere', priority: 1 }];
    expect(await ask('POST', 'stock-source-links', { links })).toMatchObject({
      status: 400,
      body: { message: 'Could not save StockSourceLinks' },
    });
  });
});
