import { beforeAll, describe, expect, test } from '@jest/globals';
import { Reservation } from '../../../../db/platform/inventory/stock.entity.ts';
import { pieces } from '../../../../domain/money.ts';
import { booksOf } from '../../../support/books.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';
import { api, get, opensAShop, set, stockId } from './counted-stock.ts';

describe('inventory', () => {
  opensAShop();

  const { fork, change, insert } = booksOf(() => api.orm);

  test('a source is read by its code', async () => {
    const { body } = await get('/V1/inventory/sources/floor');

    expect(body).toEqual({
      source_code: 'floor',
      name: 'Shop floor',
      enabled: true,
      country_id: 'US',
      use_default_carrier_config: true,
      carrier_links: [],
      extension_attributes: { is_pickup_location_active: false, frontend_name: 'Shop floor' },
    });
    expect(await get('/V1/inventory/sources/attic')).toMatchObject({
      status: 404,
      body: { message: 'Source with code "%value" does not exist.', parameters: { value: 'attic' } },
    });
  });

  test('a stock is read by its id and found by its website', async () => {
    const shop = {
      stock_id: stockId,
      name: 'Shop',
      extension_attributes: { sales_channels: [{ type: 'website', code: 'base' }] },
    };

    expect((await get(`/V1/inventory/stocks/${stockId}`)).body).toEqual(shop);
    expect((await get('/V1/inventory/stock-resolver/website/base')).body).toEqual(shop);
    expect(await get('/V1/inventory/stocks/999')).toMatchObject({
      status: 404,
      body: { message: 'Stock with id "%value" does not exist.', parameters: { value: 999 } },
    });
    expect(await get('/V1/inventory/stock-resolver/website/moon')).toMatchObject({
      status: 404,
      body: { message: 'No linked stock found' },
    });
  });

  test('sources, stocks, their links and their quantities are searched', async () => {
    const criteria = (field: string, value: string) =>
      `searchCriteria[filter_groups][0][filters][0][field]=${field}&searchCriteria[filter_groups][0][filters][0][value]=${value}`;

    expect((await get('/V1/inventory/sources')).body).toMatchObject({ total_count: 3 });
    expect((await get(`/V1/inventory/sources?${criteria('source_code', 'damaged')}`)).body.items).toMatchObject([
      { name: 'Damaged goods' },
    ]);
    expect((await get('/V1/inventory/stocks')).body.items).toMatchObject([{ stock_id: stockId, name: 'Shop' }]);
    expect((await get(`/V1/inventory/stock-source-links?${criteria('stock_id', String(stockId))}`)).body.items).toEqual(
      [{ stock_id: stockId, source_code: 'floor', priority: 1 }],
    );
    expect((await get(`/V1/inventory/source-items?${criteria('sku', 'MUG')}`)).body.items).toEqual([
      { sku: 'MUG', source_code: 'floor', quantity: 100, status: 1 },
    ]);
  });

  test('the salable quantity is the stock less the reservations', async () => {
    const em = fork();
    em.create(Reservation, { stockId, sku: 'MUG', quantity: pieces(-3), eventType: 'order_placed', orderId: 1 });
    await em.flush();
    await set([{ sku: 'MUG', source_code: 'damaged', quantity: 5, status: 1 }]);

    expect((await get(`/V1/inventory/get-product-salable-quantity/MUG/${stockId}`)).body).toBe(97);
    expect((await get(`/V1/inventory/is-product-salable/MUG/${stockId}`)).body).toBe(true);
  });

  test('an unknown product has no salable quantity and is not for sale', async () => {
    expect(await get(`/V1/inventory/get-product-salable-quantity/NONE/${stockId}`)).toMatchObject({
      status: 404,
      body: { message: "The product that was requested doesn't exist. Verify the product and try again." },
    });
    expect((await get(`/V1/inventory/is-product-salable/NONE/${stockId}`)).body).toBe(false);
  });

  test('several products are asked about in one call', async () => {
    await set([{ sku: 'PLATE', source_code: 'floor', quantity: 0, status: 0 }]);

    const { body } = await get(
      `/V1/inventory/are-products-salable?skus[0]=PLATE&skus[1]=GIFTWRAP&skus[2]=NONE&stockId=${stockId}`,
    );

    expect(body).toEqual([
      { sku: 'PLATE', stock_id: stockId, salable: false },
      { sku: 'GIFTWRAP', stock_id: stockId, salable: true },
      { sku: 'NONE', stock_id: stockId, salable: false },
    ]);
  });

  test('a quantity of a product is salable, or the reason is given', async () => {
    await set([{ sku: 'PLATE', source_code: 'floor', quantity: 40, status: 1 }]);
    const ask = async (sku: string, qty: number | string) =>
      (await get(`/V1/inventory/is-product-salable-for-requested-qty/${sku}/${stockId}/${qty}`)).body;
    const because = (code: string) => ({ salable: false, errors: [expect.objectContaining({ code })] });

    expect(await ask('PLATE', 40)).toEqual({ salable: true, errors: [] });
    expect(await ask('PLATE', 41)).toEqual({
      salable: false,
      errors: [
        { code: 'back_order-disabled', message: 'Backorders are disabled' },
        { code: 'manage_stock-enabled', message: 'Manage stock is enabled' },
        { code: 'is_salable_with_reservations-not_enough_qty', message: 'Not enough items for sale' },
      ],
    });
    expect(await ask('PLATE', 1.5)).toEqual(because('is_correct_qty-is_qty_decimal'));
    expect(await ask('PLATE', 0)).toEqual(because('is_correct_qty-min_sale_qty'));
    expect(await ask('PLATE', 10_001)).toEqual(because('is_correct_qty-max_sale_qty'));
    expect(await ask('GIFTWRAP', 1)).toEqual({ salable: true, errors: [] });
    const enable = (isEnabled: boolean) => change('inventory_source', {}, { is_enabled: isEnabled });
    await enable(false);
    expect((await ask('PLATE', 1)).errors).toMatchObject([
      { code: 'back_order-disabled' },
      { code: 'manage_stock-enabled' },
      { code: 'is_salable_with_reservations-no_data', message: 'The requested sku is not assigned to given stock' },
    ]);
    await enable(true);
    expect(await ask('NONE', 1)).toEqual(because('requested-sku-is-not-assigned-to-given-stock'));
    expect(await ask('PLATE', 'x')).toMatchObject({ message: expect.stringContaining('"float" type') });
  });

  test('a basket is asked for line by line in one call', async () => {
    await set([{ sku: 'PLATE', source_code: 'floor', quantity: 40, status: 1 }]);
    const path = '/V1/inventory/are-product-salable-for-requested-qty/';
    const lines = 'skuRequests[0][sku]=PLATE&skuRequests[0][qty]=40&skuRequests[1][sku]=NONE&skuRequests[1][qty]=1';

    expect((await get(`${path}?${lines}&stockId=${stockId}`)).body).toEqual([
      { sku: 'PLATE', stock_id: stockId, salable: true, errors: [] },
      {
        sku: 'NONE',
        stock_id: stockId,
        salable: false,
        errors: [
          {
            code: 'requested-sku-is-not-assigned-to-given-stock',
            message: 'The requested sku is not assigned to given stock.',
          },
        ],
      },
    ]);
    expect((await get(`${path}?stockId=${stockId}`)).body.parameters).toEqual({ fieldName: 'skuRequests' });
  });

  test('a register may read stock but not set it', async () => {
    const { status, body } = await api.call('POST', '/V1/inventory/source-items', {
      token: api.tokens.register,
      body: { sourceItems: [] },
    });

    expect(status).toBe(401);
    expect(body.parameters).toEqual({ resources: 'Platform_InventoryApi::stock_source_item_assign' });
  });

  test('what is sold as its parts has no salable quantity of its own', async () => {
    await insert('product', { sku: 'TEA-SET', name: 'Tea set', type_id: 'bundle', website_ids: '{1}', price: 20 });
    await expectRefused({
      send: () => get(`/V1/inventory/get-product-salable-quantity/TEA-SET/${stockId}`),
      ...{ status: 400, said: "Can't check requested quantity for products without Source Items support." },
    });
  });
});

describe('move and count stock', () => {
  opensAShop();

  test('quantities are set absolutely, so that setting them twice changes nothing', async () => {
    const count = [
      { sku: 'PLATE', sourceCode: 'floor', quantity: 40, status: 1 },
      { sku: 'PLATE', source_code: 'damaged', quantity: '2.5', status: 1 },
    ];

    const answers = [await set(count), await set(count)];

    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 200, body: [] },
      { status: 200, body: [] },
    ]);
    expect((await get(`/V1/inventory/get-product-salable-quantity/PLATE/${stockId}`)).body).toBe(40);
  });

  test('goods move from shop to shop, all of them or none', async () => {
    const move = (items: unknown, over: object = {}) =>
      api.call('POST', '/V1/inventory/bulk-partial-source-transfer', {
        token: api.tokens.admin,
        body: { originSourceCode: 'floor', destinationSourceCode: 'damaged', items, ...over },
      });
    const lie = async () => {
      const { items } = (await get('/V1/inventory/source-items?searchCriteria=')).body;
      return items
        .filter(({ sku }: { sku: string }) => sku === 'PLATE')
        .map((item: { source_code: string; quantity: number }) => [item.source_code, item.quantity]);
    };
    const plates = await lie();
    const refused = { status: 400, body: { message: 'Transfer validation failed', errors: [{}] } };

    expect(await move([{ sku: 'PLATE', qty: 41 }])).toMatchObject(refused);
    expect(
      await move([
        { sku: 'PLATE', qty: 1 },
        { sku: 'NONE', qty: 1 },
      ]),
    ).toMatchObject(refused);
    expect(
      await move([{ sku: 'PLATE', qty: 1 }], { destination_source_code: 'attic', destinationSourceCode: null }),
    ).toMatchObject({
      ...refused,
      body: {
        errors: [
          { message: 'Destination source %sourceCode does not exist', parameters: { sourceCode: 'attic' } },
          { message: '%message', parameters: { message: 'Source item for PLATE and attic does not exist' } },
        ],
      },
    });
    expect(await move([{ sku: 'PLATE', qty: 1 }], { destinationSourceCode: 'floor' })).toMatchObject({
      status: 400,
      body: {
        message: 'Transfer validation failed',
        errors: [{ message: 'Cannot transfer a source on itself', parameters: [] }],
      },
    });
    expect((await move([{ sku: 'PLATE', qty: 1 }], { originSourceCode: 'cellar' })).body.errors).toEqual([
      { message: 'Origin source %sourceCode does not exist', parameters: { sourceCode: 'cellar' } },
      { message: '%message', parameters: { message: 'Source item for PLATE and cellar does not exist' } },
    ]);
    expect((await move([{ sku: 'PLATE', qty: 1_000 }])).body.errors).toEqual([
      { message: 'Requested transfer amount for sku %sku is not available', parameters: { sku: 'PLATE' } },
    ]);
    expect(await move([{ sku: 'PLATE', qty: 0 }])).toMatchObject(refused);
    expect(await lie()).toEqual(plates);

    expect(await move([{ sku: 'PLATE', qty: 1.5 }])).toMatchObject({ status: 200, body: [] });
    expect(await lie()).toEqual([
      ['floor', 38.5],
      ['damaged', 4],
    ]);
  });

  test('eight counts of the same shelves at once, in any order, leave one of them', async () => {
    const found = ['GIFTWRAP', 'MUG', 'PLATE'].flatMap((sku) => [
      { sku, source_code: 'floor', quantity: 100, status: 1 },
      { sku, source_code: 'damaged', quantity: 5, status: 1 },
    ]);

    const answers = await eightAtOnce((turn) => set(turn % 2 ? found : found.toReversed()));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await get(`/V1/inventory/get-product-salable-quantity/PLATE/${stockId}`)).body).toBe(100);
  });

  test('one wrong row refuses the count, in the inventory’s own envelope', async () => {
    const salable = async () => (await get(`/V1/inventory/get-product-salable-quantity/MUG/${stockId}`)).body;
    const before = await salable();
    const { status, body } = await set([
      { source_code: 'floor', quantity: 1, status: 1 },
      { sku: 'MUG', source_code: 'floor', quantity: 1, status: 1 },
    ]);

    expect(status).toBe(400);
    expect(body).toEqual({
      message: 'Validation Failed: "sku" can not be empty.',
      errors: [{ message: '"%field" can not be empty.', parameters: { field: 'sku' } }],
    });
    expect(await salable()).toBe(before);
  });

  test('all wrong fields of a count are reported at once', async () => {
    const { body } = await set([{ sku: ' ', source_code: ' ', status: 7 }]);
    const error = (message: string, field: string) => ({ message, parameters: { field } });

    expect(body).toEqual({
      message: 'Validation Failed: "sku" can not be empty.',
      errors: [
        error('"%field" can not be empty.', 'sku'),
        error('"%field" can not contain leading or trailing spaces.', 'sku'),
        error('"%field" can not be empty.', 'source_code'),
        error('"%field" can not contain whitespaces.', 'source_code'),
        error('"%field" should be numeric.', 'quantity'),
        error('"%field" should a known status.', 'status'),
      ],
    });
    expect((await set([{ sku: 'MUG', source_code: 'floor', quantity: 1 }])).body.errors).toEqual([
      error('"%field" should be numeric.', 'status'),
    ]);
    expect(await set([{ sku: 'MUG', source_code: 'attic', quantity: 1, status: 1 }])).toMatchObject({
      status: 400,
      body: { message: 'Could not save Source Item' },
    });
    expect(await set([])).toMatchObject({ status: 400, body: { message: 'Input data is empty' } });
    expect(await set([{ sku: 'MUG', source_code: 'floor', quantity: -1, status: 1 }])).toMatchObject({ status: 400 });
  });
});

describe('open a shop', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

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
      expect(await ask('PUT', 'sources/berlin', { source: { name: 'Mitte', phone: '030' } })).toMatchObject({
        body: [],
      });
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
      expect((await ask('GET', 'stock-resolver/website/base')).body).toMatchObject({
        stock_id: stockId,
        name: 'Berlin',
      });
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
      expect((await chosen([{ sku: 'NOBODY', qty: 1 }])).body).toEqual({
        source_selection_items: [],
        shippable: false,
      });

      await ask('POST', 'source-items-delete', {
        sourceItems: [inStock('MUG', 'first', 2), inStock('MUG', 'first', 2)],
      });
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
});

describe('places of sources', () => {
  opensAShop();

  const save = (source: object, code = 'harbour') =>
    api.call('PUT', `/V1/inventory/sources/${code}`, { token: api.tokens.admin, body: { source } });

  const harbour = {
    name: 'Harbour',
    country_id: 'DE',
    postcode: '20457',
    fax: '+49 40 2',
    description: 'Behind the customs house.',
    latitude: 53.543641,
    longitude: '9.966271',
    use_default_carrier_config: false,
    carrier_links: [{ carrier_code: 'dhl', position: 1 }],
    extension_attributes: {
      is_pickup_location_active: true,
      frontend_name: 'Pick-up at the harbour',
      frontend_description: 'Ring twice.',
    },
  };

  test('a source keeps where it is, who carries from it, and what customers read who fetch their goods', async () => {
    expect(await save(harbour)).toMatchObject({ status: 200, body: [] });

    expect((await get('/V1/inventory/sources/harbour')).body).toEqual({
      ...harbour,
      source_code: 'harbour',
      enabled: true,
      longitude: 9.966271,
    });
  });

  test('a source that is sent back as it was read stays the same', async () => {
    await save(harbour, 'pier');
    const before = await get('/V1/inventory/sources/pier');

    expect(await save(before.body, 'pier')).toMatchObject({ status: 200 });
    expect((await get('/V1/inventory/sources/pier')).body).toEqual(before.body);
  });

  test('a source without words for customers has its own name for them, and a null takes words away', async () => {
    await save(harbour, 'quay');
    await save({ latitude: null, fax: null, extension_attributes: { frontend_name: null } }, 'quay');

    const { body } = await get('/V1/inventory/sources/quay');
    expect(body).toMatchObject({ longitude: 9.966271, extension_attributes: { frontend_name: 'Harbour' } });
    expect(body).not.toHaveProperty('latitude');
    expect(body).not.toHaveProperty('fax');
  });

  test('a place beyond the poles is refused', async () => {
    await expectRefused({
      send: () => save({ ...harbour, latitude: 91 }, 'moon'),
      status: 400,
      said: 'Error occurred during "latitude" processing. The "91" value…',
    });
  });

  test.each([
    ['gteq', '53.5'],
    ['eq', '53.543641'],
    ['like', '53.5%25'],
  ])('sources are found by where they are: latitude %s %s', async (condition, value) => {
    await save(harbour);
    await save({ ...harbour, latitude: -33.9 }, 'cape');

    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const asked = `${filter}[field]=latitude&${filter}[value]=${value}&${filter}[condition_type]=${condition}`;
    const found = await get(`/V1/inventory/sources?${asked}`);
    const codes = found.body.items.map((source: { source_code: string }) => source.source_code);
    expect(codes).toContain('harbour');
    expect(codes).not.toContain('cape');
  });
});
