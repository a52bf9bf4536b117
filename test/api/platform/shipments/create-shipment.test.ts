import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const ship = (orderId: number, body: unknown = {}) =>
  api.call('POST', `/V1/order/${orderId}/ship`, { token: api.tokens.register, body });
const placed = (wanted = {}) => anOrder(api.orm.em, { shipped: false, ...wanted });

test('goods are handed over with what the platform sends along', async () => {
  const { orderId, itemIds } = await placed();
  const answer = await ship(orderId, {
    items: [{ orderItemId: itemIds[0], qty: '1' }],
    notify: false,
    appendComment: false,
    comment: { comment: 'one now', isVisibleOnFront: 0 },
    tracks: [{ track_number: '1Z', title: 'Van', carrier_code: 'custom' }],
    packages: [],
    arguments: { extension_attributes: { source_code: 'floor' } },
  });
  expect(answer).toMatchObject({ status: 200, body: expect.any(Number) });
  const rest = await ship(orderId);
  expect(rest.body).not.toBe(answer.body);
});

test('what was handed over can be read', async () => {
  const { orderId, itemIds } = await placed();
  const { body: id } = await ship(orderId, {
    items: [{ order_item_id: itemIds[0], qty: 1 }],
    comment: { comment: 'one now' },
    tracks: [{ track_number: '1Z', title: 'Van', carrier_code: 'custom' }],
    arguments: { extension_attributes: { source_code: 'floor' } },
  });
  const read = (path: string) => api.call('GET', path, { token: api.tokens.admin });
  const { body } = await read(`/V1/shipment/${id}`);
  expect(body).toMatchObject({
    entity_id: id,
    order_id: orderId,
    total_qty: 1,
    items: [{ parent_id: id, order_item_id: itemIds[0], sku: 'MUG', qty: 1 }],
    tracks: [{ order_id: orderId, parent_id: id, track_number: '1Z', title: 'Van', carrier_code: 'custom' }],
    comments: [{ comment: 'one now', parent_id: id }],
    extension_attributes: { source_code: 'floor' },
  });
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const found = await read(`/V1/shipments?${filter}[field]=order_id&${filter}[value]=${orderId}`);
  expect(found.body).toMatchObject({ items: [body], total_count: 1 });
  expect(await read('/V1/shipment/999999')).toMatchObject({ status: 404 });
});

test('what cannot be handed over is refused in the platform’s words', async () => {
  const { orderId, itemIds } = await placed();
  const lines = (body: { message: string }) => body.message.split('\n');
  const tooMany = await ship(orderId, { items: [{ order_item_id: itemIds[0], qty: 3 }] });
  expect({ status: tooMany.status, lines: lines(tooMany.body) }).toEqual({
    status: 400,
    lines: [
      'Shipment Document Validation Error(s):',
      'The quantity to ship must not be greater than the unshipped quantity for product SKU "MUG".',
      "You can't create a shipment without products.",
    ],
  });
  const untracked = await ship(orderId, { tracks: [{ title: 'Van', carrier_code: 'custom' }] });
  expect(lines(untracked.body)).toEqual(['Shipment Document Validation Error(s):', 'Please enter a tracking number.']);
  expect(await ship(orderId, { arguments: { extension_attributes: { source_code: 'damaged' } } })).toMatchObject({
    status: 400,
    body: { message: 'Not all of your products are available in the requested quantity.' },
  });
  const elsewhere = {
    items: [{ order_item_id: itemIds[0], qty: 1 }],
    extension_attributes: { source_code: 'damaged' },
  };
  await expectRefused({
    send: () =>
      api.call('POST', '/V1/shipment', {
        token: api.tokens.admin,
        body: { entity: { order_id: orderId, ...elsewhere } },
      }),
    ...{ status: 400, said: 'Not all of your products are available in the requested quantity.' },
  });
  expect(await ship(orderId, { arguments: { extension_attributes: { source_code: 'moon' } } })).toMatchObject({
    status: 404,
  });
  expect(await ship(999_999)).toMatchObject({ status: 404 });
});

test('a shipment is saved with all that a client knows of it, and keeps its own number', async () => {
  const { orderId, itemIds } = await placed();
  const save = (order_id: number, increment_id: string) => {
    const line = { order_item_id: itemIds[0], qty: 1, entity_id: 1, sku: 'simple', name: null, weight: null };
    const entity = { order_id, increment_id, entity_id: null, total_qty: null, items: { a: line }, comments: [] };
    return api.call('POST', '/V1/shipment', { token: api.tokens.admin, body: { entity } });
  };
  const { body } = await save(orderId, 'LS-1');
  expect(body).toMatchObject({ increment_id: 'LS-1', total_qty: 1, items: [{ sku: 'MUG', qty: 1 }] });
  await expectRefused({ send: () => save(orderId, 'LS-1'), status: 400, said: 'Unique constraint violation found' });
});
