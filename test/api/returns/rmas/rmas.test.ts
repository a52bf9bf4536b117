import { beforeAll, describe, expect, test } from '@jest/globals';
import { refusedMoves } from '../../../../api/returns/return-outcomes.ts';
import { cardNumber } from '../../../../api/wire/outcomes.ts';
import { booksOf } from '../../../support/books.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aReturn } from '../../../support/builders/return.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aCustomer } from '../../../support/builders/wallet.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { api, call as atRegister, locationId, opensAReturnDesk, rows } from '../a-return-desk.ts';
import { useApi } from '../../../support/fixtures.ts';

describe('held rma', () => {
  const api = useApi();
  let returnId: number;
  const { change, fork } = booksOf(() => api.orm);

  beforeAll(async () => {
    const { locationId } = await aShop(fork());
    ({ returnId } = await aReturn(api.orm, {
      locationId,
      refundMethod: 'cash',
      item: { inspectedCondition: 'damaged' },
    }));
    // Its goods have no place: its creation cannot be finished.
    await change('pos_location', { location_id: locationId }, { damaged_stock_source_code: null });
  });

  test('a return whose creation is held is neither moved on nor deleted', async () => {
    const token = await api.tokenFor('Platform_Rma::magento_rma');
    const path = `/V1/returns/${returnId}`;
    const body = { rmaDataObject: { status: 'approved' } };
    await expectRefused({ send: () => api.call('PUT', path, { token, body }), status: 409, said: 'return_not_ready' });
    expect((await api.call('DELETE', path, { token })).status).toBe(400);
    expect((await api.call('GET', path, { token })).body).toMatchObject({ status: 'pending' });
  });
});

describe('rmas', () => {
  opensAReturnDesk();

  let token: string;
  beforeAll(async () => {
    token = await api.tokenFor('Platform_Rma::magento_rma', 'Platform_Rma::rma_attribute');
  });

  const call = (method: string, path: string, rmaDataObject?: unknown, headers: Record<string, string> = {}) =>
    api.call(method, path, { token, headers, ...(rmaDataObject === undefined ? {} : { body: { rmaDataObject } }) });
  const item = (order_item_id: number | undefined, more: object = {}) => ({
    ...{ order_item_id, qty_requested: 1, reason: 'Wrong size', condition: 'Unopened', resolution: 'Refund' },
    ...more,
  });

  async function aReturn(more: object = {}) {
    const order = await anOrder(api.orm.em.fork());
    const wish = { order_id: order.orderId, items: [item(order.itemIds[0])], ...more };
    const { status, body } = await call('POST', '/V1/returns', wish);
    expect(status).toBe(200);
    return { order, rma: body };
  }

  const listOf = async (field: string, value: unknown, more = '') =>
    (
      await call(
        'GET',
        `/V1/returns?searchCriteria[filter_groups][0][filters][0][field]=${field}` +
          `&searchCriteria[filter_groups][0][filters][0][value]=${String(value)}${more}`,
      )
    ).body;

  test('a return in the platform’s shape is one of the register’s own', async () => {
    const customerId = await aCustomer(api.orm.em.fork());
    const { order, rma } = await aReturn({ comments: [{ comment: 'It is too small.' }], customer_id: customerId });

    expect(rma).toMatchObject({
      ...{ order_id: order.orderId, store_id: 1, customer_id: customerId, status: 'pending', tracks: [] },
      items: [item(order.itemIds[0], { rma_entity_id: rma.entity_id, status: 'pending' })],
    });
    expect((await call('GET', `/V1/returns/${rma.entity_id}`)).body).toEqual(rma);
    const { body } = await atRegister('GET', `/V1/pos/rma/${rma.entity_id}`);
    expect(body).toMatchObject({
      increment_id: rma.increment_id,
      status: 'pending',
      items: [{ resolution: 'Refund' }],
    });
  });

  test('the same request with one key creates one return; without a key another one, while goods are left', async () => {
    const order = await anOrder(api.orm.em.fork());
    const wish = { order_id: order.orderId, items: [item(order.itemIds[0])] };
    const key = { 'idempotency-key': 'rma-once' };
    const first = await call('POST', '/V1/returns', wish, key);
    expect((await call('POST', '/V1/returns', wish, key)).body).toEqual(first.body);
    expect((await call('POST', '/V1/returns', wish)).status).toBe(200);
    expect(await call('POST', '/V1/returns', wish)).toMatchObject({
      status: 400,
      body: { parameters: { outcome: 'return_not_eligible', reason_code: 'quantity' } },
    });
    expect(await listOf('order_id', order.orderId)).toMatchObject({ total_count: 2 });
  });

  test.each([
    ['no order', { items: [item(1)] }, 400],
    ['an order that is not there', { order_id: 999_999, items: [item(1)] }, 404],
    ['no items', { order_id: 1 }, 400],
    ['an item without its line', { order_id: 1, items: [{ qty_requested: 1 }] }, 400],
    ['an item without its quantity', { order_id: 1, items: [{ order_item_id: 1 }] }, 400],
    ['parcels', { order_id: 1, items: [item(1)], tracks: [{ track_number: 'Z9' }] }, 400],
  ])('a return with %s is refused', async (_what, wish, status) => {
    expect((await call('POST', '/V1/returns', wish)).status).toBe(status);
  });

  test('a return is found by each of its fields', async () => {
    const customerId = await aCustomer(api.orm.em.fork());
    const { order, rma } = await aReturn({ customer_id: customerId });
    for (const [field, value] of [
      ['entity_id', rma.entity_id],
      ['increment_id', rma.increment_id],
      ['order_id', order.orderId],
      ['order_increment_id', rma.order_increment_id],
      ['customer_id', customerId],
    ] as const)
      expect(await listOf(field, value)).toMatchObject({ items: [{ entity_id: rma.entity_id }], total_count: 1 });
    const newest = '&searchCriteria[sort_orders][0][field]=date_requested&searchCriteria[page_size]=1';
    expect((await listOf('status', 'pending', newest)).items[0].entity_id).toBe(rma.entity_id);
    expect((await listOf('store_id', 1)).total_count).toBeGreaterThan(0);
    expect(await listOf('status', 'closed')).toMatchObject({ items: [], total_count: 0 });
    expect((await call('GET', '/V1/returns?searchCriteria[filter_groups][0][filters][0][field]=comment')).status).toBe(
      400,
    );
  });

  test('a status is set by the return or by its items; an answer that is sent back changes nothing', async () => {
    const { rma } = await aReturn();
    const path = `/V1/returns/${rma.entity_id}`;
    expect((await call('PUT', path, rma)).body).toEqual(rma);
    expect((await call('PUT', path, { items: [{ status: 'authorized' }] })).body).toMatchObject({
      status: 'authorized',
    });
    const approved = await call('PUT', path, { ...rma, status: 'approved', items: [] });
    expect(approved.body).toMatchObject({ status: 'approved', items: [{ qty_approved: 1, status: 'approved' }] });
    expect((await call('PUT', path, { status: 'approved' })).body).toEqual(approved.body);
  });

  test.each([
    ['a status that only a verb sets', { status: 'closed' }],
    ['a status that is none', { status: 'lost' }],
    ['several statuses', { status: 'approved', items: [{ status: 'denied' }] }],
  ])('%s is refused', async (_what, wish) => {
    const { rma } = await aReturn();
    expect((await call('PUT', `/V1/returns/${rma.entity_id}`, wish)).status).toBe(400);
    expect((await call('GET', `/V1/returns/${rma.entity_id}`)).body).toEqual(rma);
  });

  test('a return that nothing came of is deleted once, and its goods can be returned again', async () => {
    const { order, rma } = await aReturn({ comments: [{ comment: 'Changed my mind.' }] });
    const path = `/V1/returns/${rma.entity_id}`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('DELETE', path)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array(7).fill(404),
    ]);
    expect((await call('GET', path)).status).toBe(404);
    const wish = { order_id: order.orderId, items: [item(order.itemIds[0], { qty_requested: 2 })] };
    expect((await call('POST', '/V1/returns', wish)).status).toBe(200);
  });

  test('a return that was approved, or whose goods were taken in, stays', async () => {
    const { rma } = await aReturn();
    await call('PUT', `/V1/returns/${rma.entity_id}`, { status: 'approved' });
    const { orderId, itemIds } = await anOrder(api.orm.em.fork());
    const received = await atRegister('POST', '/V1/pos/rma', {
      ...{ orderId, autoApprove: true, locationId, refundMethod: 'cash' },
      items: rows({ order_item_id: itemIds[0], qty_requested: 1, resolution: 'Refund' }),
    });
    for (const id of [rma.entity_id, received.body.id]) {
      expect(await call('DELETE', `/V1/returns/${id}`)).toMatchObject({
        status: 400,
        body: { message: 'The return %1 is "%2" and cannot be deleted. Close it instead.' },
      });
      expect((await call('GET', `/V1/returns/${id}`)).status).toBe(200);
    }
  });

  test('a card number is kept in no comment', async () => {
    const { orderId, itemIds } = await anOrder(api.orm.em.fork());
    const comments = [{ comment: 'Card 4111 1111 1111 1111' }];
    const wish = { order_id: orderId, items: [item(itemIds[0])], comments };
    await expectRefused({ send: () => call('POST', '/V1/returns', wish), status: 400, said: cardNumber.message });
    expect(await listOf('order_id', orderId)).toMatchObject({ total_count: 0 });
  });

  test('a status that is final stays, and a verb of its own is named', async () => {
    const { rma } = await aReturn();
    const path = `/V1/returns/${rma.entity_id}`;
    const [isFinal, hasAVerb] = refusedMoves;
    const set = (status: string) => ({ send: () => call('PUT', path, { status }), status: 400 });
    await expectRefused({ ...set('items_received'), said: hasAVerb!.message });
    await call('PUT', path, { status: 'denied' });
    await expectRefused({ ...set('approved'), said: isFinal!.message });
  });

  test('an unknown return is 404', async () => {
    for (const [method, wish] of [['GET'], ['DELETE'], ['PUT', { status: 'approved' }]] as const)
      expect((await call(method, '/V1/returns/999999', wish)).status).toBe(404);
  });

  test('the choices of an item, as the shop’s provider offers them', async () => {
    const { body } = await call('GET', '/V1/returnsAttributeMetadata');
    expect(body.map((one: { attribute_code: string }) => one.attribute_code)).toEqual([
      'resolution',
      'condition',
      'reason',
    ]);
    expect(body[1].options).toEqual(['Unopened', 'Opened', 'Damaged'].map((label) => ({ label, value: label })));
    expect((await call('GET', '/V1/returnsAttributeMetadata/resolution')).body).toEqual(body[0]);
    expect((await call('GET', '/V1/returnsAttributeMetadata/colour')).status).toBe(404);
  });
});
