import { expect, test } from 'vitest';
import { eightAtOnce } from '../../../support/rivals.ts';
import { opensAShop, api, stockId, get, set } from './counted-stock.ts';

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
