import { beforeAll, describe, expect, test } from '@jest/globals';
import { booksOf } from '../../../support/books.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

describe('create shipment', () => {
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

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
    expect(lines(untracked.body)).toEqual([
      'Shipment Document Validation Error(s):',
      'Please enter a tracking number.',
    ]);
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
});

describe('shipment tracks', () => {
  const api = useApi();
  beforeAll(() => aShop(fork()));

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
      body: {
        total_qty: 1,
        items: [{ qty: 1 }],
        tracks: [{ track_number: 'Z9' }],
        comments: [{ comment: 'with care' }],
      },
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
});
