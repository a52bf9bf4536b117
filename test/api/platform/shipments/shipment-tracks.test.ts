import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
});
afterAll(() => api.close());

const { fork, booksHold } = booksOf(() => api.orm);

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });
const sale = () => anOrder(fork(), { shipped: false });
const shipped = async () => {
  const { orderId } = await sale();
  return { orderId, shipmentId: (await call('POST', `/V1/order/${orderId}/ship`, {})).body as number };
};
const tracksOf = async (shipmentId: number) => (await call('GET', `/V1/shipment/${shipmentId}`)).body.tracks;
const save = (entity: object) => call('POST', '/V1/shipment/track', { entity });

test('a parcel is added, changed by its id, and taken off once', async () => {
  const { orderId, shipmentId } = await shipped();
  const parcel = {
    order_id: orderId,
    parent_id: shipmentId,
    track_number: 'Z9',
    title: 'Bike',
    carrier_code: 'custom',
  };
  const { body: track } = await save({ ...parcel, description: 'blue bag', weight: 1.5, qty: 2 });
  expect(track).toMatchObject({ ...parcel, description: 'blue bag', weight: 1.5, qty: 2 });
  expect(await tracksOf(shipmentId)).toEqual([track]);

  await save({ ...parcel, entity_id: track.entity_id, track_number: 'Z10' });
  expect(await tracksOf(shipmentId)).toMatchObject([{ track_number: 'Z10', description: 'blue bag' }]);

  expect(await call('DELETE', `/V1/shipment/track/${track.entity_id}`)).toMatchObject({ status: 200, body: true });
  expect((await call('DELETE', `/V1/shipment/track/${track.entity_id}`)).status).toBe(404);
  expect(await tracksOf(shipmentId)).toEqual([]);
});

test('a parcel of another order’s shipment, or without a number, cannot be saved', async () => {
  const [one, other] = [await shipped(), await shipped()];
  const words = { track_number: 'Z9', title: 'Bike', carrier_code: 'custom' };
  const refused = { status: 400, body: { message: 'Could not save the shipment tracking.' } };
  expect(await save({ ...words, order_id: one.orderId, parent_id: other.shipmentId })).toMatchObject(refused);
  expect(await save({ ...words, order_id: one.orderId, parent_id: one.shipmentId, track_number: '' })).toMatchObject(
    refused,
  );
  const unknown = { ...words, order_id: one.orderId, parent_id: one.shipmentId, entity_id: 999_999 };
  expect((await save(unknown)).status).toBe(404);
  expect((await save(words)).status).toBe(400);
  expect(await tracksOf(one.shipmentId)).toEqual([]);
});

test('a saved shipment hands its goods over, with parcel and label; by its id only the label changes', async () => {
  const { orderId, itemIds } = await sale();
  const entity = {
    order_id: orderId,
    items: [{ order_item_id: itemIds[0], qty: 1 }],
    tracks: [{ track_number: 'Z9', title: 'Bike', carrier_code: 'custom' }],
    comments: [{ comment: 'with care', is_visible_on_front: 1 }],
  };
  const { status, body } = await call('POST', '/V1/shipment', { entity });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { total_qty: 1, items: [{ qty: 1 }], tracks: [{ track_number: 'Z9' }], comments: [{ comment: 'with care' }] },
  });
  expect((await call('GET', `/V1/orders/${orderId}`)).body.items[0]).toMatchObject({ qty_shipped: 1 });
  expect((await call('GET', `/V1/shipment/${body.entity_id}/label`)).body).toEqual([]);

  await call('POST', '/V1/shipment', { entity: { entity_id: body.entity_id, shipping_label: 'JVBERi0xLjQ=' } });
  expect((await call('GET', `/V1/shipment/${body.entity_id}/label`)).body).toBe('JVBERi0xLjQ=');
  expect((await call('GET', `/V1/orders/${orderId}`)).body.items[0]).toMatchObject({ qty_shipped: 1 });
});

test('an id of zero counts as absent: it makes a new shipment and a new parcel', async () => {
  const { orderId } = await sale();
  const { status, body } = await call('POST', '/V1/shipment', {
    entity: { entity_id: 0, order_id: orderId, extension_attributes: [] },
  });
  expect(status).toBe(200);
  const parcel = { entity_id: 0, order_id: orderId, parent_id: body.entity_id, track_number: 'Z9' };
  expect((await save(parcel)).status).toBe(200);
  expect(await tracksOf(body.entity_id)).toMatchObject([{ track_number: 'Z9' }]);
});

test('of eight saves at once of all that is left one goes through, and the others are told why not', async () => {
  const { orderId } = await sale();
  const entity = { order_id: orderId, shipping_label: 'JVBERi0xLjQ=' };
  const answers = await eightAtOnce(() => call('POST', '/V1/shipment', { entity }));
  expect(Object.groupBy(answers, ({ status }) => status)).toMatchObject({ 200: { length: 1 }, 400: { length: 7 } });
});

test('an unknown shipment, order or label is refused', async () => {
  expect((await call('POST', '/V1/shipment', { entity: {} })).status).toBe(400);
  expect((await call('POST', '/V1/shipment', { entity: { order_id: 999_999 } })).status).toBe(404);
  expect((await call('POST', '/V1/shipment', { entity: { entity_id: 999_999, shipping_label: 'x' } })).status).toBe(
    404,
  );
  expect((await call('POST', '/V1/shipment', { entity: { entity_id: 999_999 } })).status).toBe(404);
  expect((await call('GET', '/V1/shipment/999999/label')).status).toBe(404);
});

test('after all of it the books hold', async () => {
  await booksHold();
});
