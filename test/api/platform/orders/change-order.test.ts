import { expect, test } from 'vitest';
import { aPostedSale } from '../../../support/builders/posted-sale.ts';
import { opensAnOrderDesk, api, call, place, refusalOf } from './an-order-desk.ts';

opensAnOrderDesk();

test('card data is stored neither with an order nor by a change of it', async () => {
  const { entity_id } = await place();
  const note = 'paid by 4111 1111 1111 1111';
  const refused = { status: 400, message: 'The text must not be stored: it carries a card number.' };
  for (const texts of [
    { customer_note: note },
    { status_histories: [{ comment: note }] },
    { payment: { method: 'checkmo', cc_last4: '4111111111111111' } },
  ]) {
    expect(await refusalOf(aPostedSale(texts))).toMatchObject(refused);
    expect(await refusalOf({ entity_id, ...texts })).toMatchObject(refused);
  }
  expect((await place({ payment: { method: 'checkmo', cc_last4: '1111' } })).payment.cc_last4).toBe('1111');
});

test('a comment sent with a change shows whether the customer was notified, as with a new order', async () => {
  const { entity_id } = await place();
  const comment = { comment: 'call first', is_customer_notified: 1, is_visible_on_front: 1 };
  const changed = await call('POST', '/V1/orders', { entity: { entity_id, status_histories: [comment] } });
  expect(changed.body.status_histories).toContainEqual(expect.objectContaining(comment));
});

test('an order that was read can be sent back, and only the fields sent change', async () => {
  const order = await place({ extension_attributes: { pos_sale_id: 'U-2' } });
  const again = await call('POST', '/V1/orders', {
    entity: { ...order, status: 'my_own', customer_note: 'call first' },
  });
  expect(again.status).toBe(200);
  const { updated_at: _then, items: _items, extension_attributes: _extension, ...unchanged } = order;
  expect(again.body).toMatchObject({ ...unchanged, status: 'my_own', customer_note: 'call first' });
  expect(again.body.status_histories).toHaveLength(1);
  const alone = await call('POST', '/V1/orders', { entity: { entityId: order.entity_id } });
  expect(alone.body).toMatchObject({ increment_id: order.increment_id, status: 'my_own' });
});

test('comments: a status of the order’s state is taken, any other is not', async () => {
  const { entity_id: id } = await place({ state: 'processing', status: 'processing' });
  const comment = (statusHistory: unknown) => call('POST', `/V1/orders/${id}/comments`, { statusHistory });
  expect(
    await comment({ comment: 'first', is_customer_notified: 0, is_visible_on_front: 1, parent_id: id }),
  ).toMatchObject({ status: 200, body: true });
  expect((await call('GET', `/V1/orders/${id}/statuses`)).body).toBe('processing');
  await comment({ comment: 'second', status: 'closed' });
  expect((await call('GET', `/V1/orders/${id}/statuses`)).body).toBe('processing');
  await comment({ comment: 'third', status: 'fraud' });
  expect((await call('GET', `/V1/orders/${id}/statuses`)).body).toBe('fraud');

  const history = (await call('GET', `/V1/orders/${id}/comments`)).body;
  expect(history.items.map((item: { comment: string; status: string }) => [item.comment, item.status])).toEqual([
    ['third', 'fraud'],
    ['second', 'processing'],
    ['first', 'processing'],
    ['The order was placed.', 'processing'],
  ]);
  expect(history).toMatchObject({
    total_count: 4,
    search_criteria: {
      filter_groups: [{ filters: [{ field: 'parent_id', value: String(id), condition_type: 'eq' }] }],
    },
  });
  expect(history.items[2]).toMatchObject({ is_customer_notified: 0, is_visible_on_front: 1, entity_name: 'order' });
  expect(await call('POST', '/V1/orders/999999/comments', { statusHistory: { comment: 'x' } })).toMatchObject({
    status: 404,
  });
  expect((await call('GET', '/V1/orders/999999/comments')).body).toMatchObject({ items: [], total_count: 0 });
});

test('an order is cancelled once', async () => {
  const { entity_id: id } = await place();
  expect(await call('POST', `/V1/orders/${id}/cancel`)).toMatchObject({ status: 200, body: true });
  expect(await call('POST', `/V1/orders/${id}/cancel`)).toMatchObject({ status: 200, body: false });
  expect((await call('GET', `/V1/orders/${id}`)).body).toMatchObject({
    state: 'canceled',
    total_canceled: 108,
    items: [{ qty_canceled: 2 }],
  });
});

test('an order can be held in its state, and continues in that state', async () => {
  const { entity_id: id } = await place({ state: 'processing', status: 'processing' });
  const press = (verb: string) => api.call('POST', `/V1/orders/${id}/${verb}`, { token: api.tokens.admin });
  const stateOf = async () => {
    const { state, status, hold_before_state, hold_before_status } = (await call('GET', `/V1/orders/${id}`)).body;
    return [state, status, hold_before_state, hold_before_status];
  };
  expect(await press('unhold')).toMatchObject({ status: 400, body: { message: 'You cannot remove the hold.' } });
  expect(await press('hold')).toMatchObject({ status: 200, body: true });
  expect(await stateOf()).toEqual(['holded', 'holded', 'processing', 'processing']);
  expect(await press('hold')).toMatchObject({ status: 400, body: { message: 'A hold action is not available.' } });
  expect((await call('POST', `/V1/order/${id}/invoice`, {})).body.message).toContain('status of holded');
  expect(await press('unhold')).toMatchObject({ status: 200, body: true });
  expect(await stateOf()).toEqual(['processing', 'processing', undefined, undefined]);
  expect(await call('POST', `/V1/orders/${id}/hold`)).toMatchObject({
    status: 401,
    body: { parameters: { resources: 'Platform_Sales::hold' } },
  });
});

test('an order posted as held becomes new after it, and a finished one cannot be held', async () => {
  const press = (id: number, verb: string) => api.call('POST', `/V1/orders/${id}/${verb}`, { token: api.tokens.admin });
  const { entity_id: held } = await place({ state: 'holded', status: 'holded' });
  expect((await press(held, 'unhold')).status).toBe(200);
  expect((await call('GET', `/V1/orders/${held}`)).body).toMatchObject({ state: 'new', status: 'pending' });
  const { entity_id: closed } = await place({ state: 'closed', status: 'closed' });
  expect((await press(closed, 'hold')).status).toBe(400);
  expect((await press(999_999, 'hold')).status).toBe(404);
});
