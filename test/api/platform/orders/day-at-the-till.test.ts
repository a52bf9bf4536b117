import { beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from '../../../../books/verify/verify.ts';
import { booksOf } from '../../../support/books.ts';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { api, call, opensAnOrderDesk, place, refusalOf } from './an-order-desk.ts';
import { useApi } from '../../../support/fixtures.ts';

describe('a line listed twice', () => {
  /** A document that names one line of an order in several rows takes them together, and never more than is left. */
  opensAnOrderDesk();
  const { fork, fillShelves, booksHold } = booksOf(() => api.orm);
  beforeAll(() => fillShelves());

  type Row = { order_item_id: number; qty: number | string };
  type Sold = Awaited<ReturnType<typeof anOrder>>;

  interface Door {
    door: string;
    order: WantedOrder;
    /** What the order counts when the goods went through. */
    counts: string;
    send: (sold: Sold, rows: Row[], pieces: number) => ReturnType<typeof call>;
  }

  const four: WantedOrder = { lines: [{ sku: 'MUG', qty: 4, price: '50', tax: '16' }], method: 'provider_a' };
  const unpaid = { ...four, paid: false, shipped: false };
  const grandTotal = (pieces: number) => ({ subtotal: 50 * pieces, tax_amount: 4 * pieces, grand_total: 54 * pieces });
  const post = (path: string, body: object) => call('POST', `/V1/${path}`, body);

  const doors: Door[] = [
    {
      ...{ door: 'order/:id/invoice', order: unpaid, counts: 'qty_invoiced' },
      send: ({ orderId }, items) => post(`order/${orderId}/invoice`, { items }),
    },
    {
      ...{ door: 'invoices', order: unpaid, counts: 'qty_invoiced' },
      send: ({ orderId }, items) => post('invoices', { entity: { order_id: orderId, items } }),
    },
    {
      ...{ door: 'order/:id/ship', order: unpaid, counts: 'qty_shipped' },
      send: ({ orderId }, items) => post(`order/${orderId}/ship`, { items }),
    },
    {
      ...{ door: 'shipment', order: unpaid, counts: 'qty_shipped' },
      send: ({ orderId }, items) =>
        api.call('POST', '/V1/shipment', { token: api.tokens.admin, body: { entity: { order_id: orderId, items } } }),
    },
    {
      ...{ door: 'order/:id/refund', order: four, counts: 'qty_refunded' },
      send: ({ orderId }, items) => post(`order/${orderId}/refund`, { items }),
    },
    {
      ...{ door: 'invoice/:id/refund', order: four, counts: 'qty_refunded' },
      send: ({ invoiceId }, items) => post(`invoice/${invoiceId}/refund`, { items }),
    },
    {
      ...{ door: 'creditmemo/refund', order: four, counts: 'qty_refunded' },
      send: ({ orderId }, items, pieces) =>
        post('creditmemo/refund', {
          creditmemo: { order_id: orderId, ...grandTotal(pieces), items },
          offlineRequested: true,
        }),
    },
    {
      ...{ door: 'pos/rma/process', order: four, counts: 'qty_refunded' },
      send: ({ orderId }, items) =>
        post('pos/rma/process', { orderId, items: JSON.stringify(items), resolution: 'refund', isOnline: false }),
    },
  ];

  describe.each(doors)('$door', ({ order, counts, send }) => {
    /** What was answered, and how many of the line the order counts now. */
    async function asked(...quantities: (number | string)[]) {
      const sold = await anOrder(fork(), order);
      const [itemId = 0] = sold.itemIds;
      const pieces = quantities.reduce((sum: number, qty) => sum + Number(qty), 0);
      const rows = quantities.map((qty) => ({ order_item_id: itemId, qty }));
      const { status } = await send(sold, rows, pieces);
      const { body } = await call('GET', `/V1/orders/${sold.orderId}`);
      return { status, counted: body.items[0][counts], body };
    }

    test.each([
      ['one and two', [1, 2], 3],
      ['one, and two as text', [1, '2.0000'], 3],
      ['all of it', ['3', 1], 4],
    ])('%s are taken together', async (_case, quantities, pieces) => {
      const { status, counted, body } = await asked(...quantities);
      expect({ status, counted }).toEqual({ status: 200, counted: pieces });
      if (counts === 'qty_refunded') expect(body.total_refunded).toBe(54 * pieces);
      if (counts === 'qty_invoiced') expect(body.total_invoiced).toBe(54 * pieces);
      await booksHold();
    });

    test.each([
      ['together more than is left', [3, 2]],
      ['in one row more than is left', [1, 5]],
      ['two halves of a piece', [0.5, '0.5']],
      ['more than can be counted', Array.from({ length: 100 }, () => 9_999_999_999)],
    ])('%s is refused and takes nothing', async (_case, quantities) => {
      const { status, counted } = await asked(...quantities);
      expect({ status, counted }).toEqual({ status: 400, counted: 0 });
      await booksHold();
    });
  });
});

describe('as clients send them', () => {
  /** Orders as clients of the platform send them, where its answer is easily missed (platform facts 14). */
  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
  const mug = {
    sku: 'MUG',
    name: 'Mug',
    qty_ordered: 2,
    price: 50,
    base_price: 50,
    row_total: 100,
    base_row_total: 100,
  };
  const order = {
    base_grand_total: 100,
    grand_total: 100,
    subtotal: 100,
    base_subtotal: 100,
    customer_email: 'ann@example.com',
    items: [mug],
    billing_address: { firstname: 'Ann', lastname: 'Lee', street: ['1 Main St'], city: 'Troy', country_id: 'US' },
    payment: { method: 'checkmo' },
  };
  const post = (more: object = {}) => call('POST', '/V1/orders', { entity: { ...order, ...more } });
  const put = (entity: object) => call('PUT', '/V1/orders/create', { entity });

  test('a line of null pieces is kept as a line of none', async () => {
    const { status, body } = await post({ items: [mug, { sku: 'PLATE', name: 'Plate', qty_ordered: null }] });
    expect(status).toBe(200);
    expect(body.items).toMatchObject([{ qty_ordered: 2 }, { sku: 'PLATE', qty_ordered: 0, row_total: 0 }]);
    expect((await call('POST', `/V1/order/${body.entity_id}/invoice`, {})).status).toBe(200);
    expect((await call('POST', `/V1/order/${body.entity_id}/refund`, {})).status).toBe(200);
    expect((await call('GET', `/V1/orders/${body.entity_id}`)).body).toMatchObject({ total_refunded: 100 });
  });

  test('a new order by PUT needs a billing address and lines; by POST, and for an order that is there, it does not', async () => {
    const { billing_address: _none, ...addressless } = order;
    expect((await put(addressless)).body).toEqual({ message: 'Please provide billing address for the order.' });
    expect((await put({ ...order, items: [] })).body).toEqual({ message: 'Please specify order items.' });
    expect((await put({ ...order, items: null })).body).toEqual({ message: 'Please specify order items.' });
    const placed = await put(order);
    expect(placed.status).toBe(200);
    expect((await put({ entity_id: placed.body.entity_id })).status).toBe(200);
    expect((await call('POST', '/V1/orders', { entity: addressless })).status).toBe(200);
  });

  test('an order whose address is null, or has no name, is refused for the address before anything else', async () => {
    const noAddress = { status: 400, body: { message: 'Please provide billing address for the order.' } };
    const { firstname: _none, ...nameless } = order.billing_address;
    expect(await put({ payment: { method: 'checkmo' }, billing_address: null, items: [] })).toMatchObject(noAddress);
    expect(await put({ ...order, billing_address: nameless, items: [] })).toMatchObject(noAddress);
    expect(await put({ ...order, billing_address: { ...order.billing_address, lastname: '' } })).toMatchObject(
      noAddress,
    );
    expect(await post({ billing_address: null })).toMatchObject(noAddress);
    const sale = { billing_address: null, extension_attributes: { pos_sale_id: 'sale-without-an-address' } };
    const { body } = await post(sale);
    expect(body).toMatchObject({ entity_id: expect.any(Number) });
    const placed = await post();
    const kept = await put({ entity_id: placed.body.entity_id, billing_address: null });
    expect(kept.body.billing_address).toEqual(placed.body.billing_address);
  });

  test('taxes are read, kept, and can be sent back', async () => {
    const taxes = [{ code: 'US-NY', title: 'US-NY', percent: 8, amount: 8, base_amount: 8 }];
    const additional_itemized_taxes = [{ tax_code: 'US-NY', amount: '1.2' }];
    const items = [{ ...mug, extension_attributes: { itemized_taxes: [{ tax_code: 'US-NY', tax_percent: '8' }] } }];
    const { body } = await post({ items, extension_attributes: { taxes, additional_itemized_taxes } });
    expect(body.extension_attributes).toMatchObject({ taxes, additional_itemized_taxes });
    expect(body.items[0].extension_attributes).toMatchObject(items[0]!.extension_attributes);

    const again = await call('POST', '/V1/orders', { entity: body });
    expect(again.status).toBe(200);
    // The lines stand in the extension too, and their `updated_at` moves with each save.
    expect(again.body.extension_attributes).toMatchObject({ taxes, additional_itemized_taxes });
    expect(again.body.items[0].extension_attributes).toMatchObject(items[0]!.extension_attributes);
  });

  test('a new order shows the figures that begin at zero, though the client did not send them', async () => {
    const { body } = await post();
    expect(body).toMatchObject({ customer_note_notify: 0 });
    expect(body.items[0]).toMatchObject({ row_weight: 0, free_shipping: 0, no_discount: 0 });
    const sent = await post({
      customer_note_notify: 1,
      items: [{ ...mug, row_weight: 3.5, free_shipping: 1, no_discount: 1 }],
    });
    expect(sent.body).toMatchObject({ customer_note_notify: 1 });
    expect(sent.body.items[0]).toMatchObject({ row_weight: 3.5, free_shipping: 1, no_discount: 1 });
  });

  test('a memo line carries the cost of its goods', async () => {
    const { body } = await post({ items: [{ ...mug, base_cost: 20 }] });
    await call('POST', `/V1/order/${body.entity_id}/invoice`, {});
    const { body: memoId } = await call('POST', `/V1/order/${body.entity_id}/refund`, {});
    expect((await call('GET', `/V1/creditmemo/${memoId}`)).body.items[0]).toMatchObject({ base_cost: 20 });
  });

  test.each([
    ['an order', '/V1/orders', { entity: 'order' }],
    ['an address', '/V1/orders', { entity: { ...order, billing_address: 'Main St' } }],
    ['a payment', '/V1/orders', { entity: { ...order, payment: 5 } }],
    ['an extension', '/V1/orders', { entity: { ...order, extension_attributes: true } }],
  ])('text, a number or a flag in the place of %s is 400', async (_what, path, body) => {
    expect((await call('POST', path, body)).status).toBe(400);
  });

  test('what could not be saved says where a checkout goes back to', async () => {
    const { headers } = await api.call('POST', '/V1/shipment/track', {
      token: api.tokens.admin,
      body: { entity: { order_id: 1, parent_id: 999_999, track_number: 'Z9', title: 'Bike', carrier_code: 'x' } },
    });
    expect(headers.get('errorRedirectAction')).toBe('#shipping');
  });

  const invoicesOf = async (orderId: number) =>
    (
      await call(
        'GET',
        `/V1/invoices?searchCriteria[filter_groups][0][filters][0][field]=order_id&searchCriteria[filter_groups][0][filters][0][value]=${orderId}`,
      )
    ).body.items;

  test('an order paid by invoice has its invoice open from the first moment; a capture pays it', async () => {
    const { body } = await post({ payment: { method: 'purchaseorder' } });
    const [invoice] = await invoicesOf(body.entity_id);
    expect(invoice).toMatchObject({ state: 1, grand_total: 100 });
    expect(body).toMatchObject({ total_paid: 0, total_due: 100, total_invoiced: 100 });
    expect((await call('POST', `/V1/invoices/${invoice.entity_id}/capture`)).body).toBe(true);
    expect((await call('GET', `/V1/orders/${body.entity_id}`)).body).toMatchObject({
      total_paid: 100,
      state: 'processing',
    });
  });

  test('an order paid otherwise, and one that is paid already, have none', async () => {
    const cheque = await post();
    const paid = await post({ payment: { method: 'purchaseorder' }, total_paid: 100, base_total_paid: 100 });
    expect(await invoicesOf(cheque.body.entity_id)).toEqual([]);
    expect(await invoicesOf(paid.body.entity_id)).toEqual([]);
  });
});

describe('change order', () => {
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
    const press = (id: number, verb: string) =>
      api.call('POST', `/V1/orders/${id}/${verb}`, { token: api.tokens.admin });
    const { entity_id: held } = await place({ state: 'holded', status: 'holded' });
    expect((await press(held, 'unhold')).status).toBe(200);
    expect((await call('GET', `/V1/orders/${held}`)).body).toMatchObject({ state: 'new', status: 'pending' });
    const { entity_id: closed } = await place({ state: 'closed', status: 'closed' });
    expect((await press(closed, 'hold')).status).toBe(400);
    expect((await press(999_999, 'hold')).status).toBe(404);
  });
});

describe('day at the till', () => {
  /**
   * What a register does with the platform's own routes, with the figures of the interface (platform facts 12.3, 12.4).
   */

  const api = useApi();
  beforeAll(() => aShop(api.orm.em.fork()));

  const get = async (path: string) => (await api.call('GET', path, { token: api.tokens.register })).body;
  const post = (path: string, body: unknown = {}) => api.call('POST', path, { token: api.tokens.register, body });
  const place = async (over: Record<string, unknown> = {}) =>
    (await post('/V1/orders', { entity: aPostedSale(over) })).body;
  const stockOf = async (sku: string) => {
    const filter =
      'searchCriteria[filter_groups][0][filters][0][field]=sku&searchCriteria[filter_groups][0][filters][0][value]=';
    const { items } = await get(`/V1/inventory/source-items?${filter}${sku}`);
    return items[0].quantity;
  };
  const salable = (sku: string) => get(`/V1/inventory/get-product-salable-quantity/${sku}/1`);

  test('a sale, paid and carried out', async () => {
    const [lying, free] = [await stockOf('MUG'), await salable('MUG')];
    const order = await place({ extension_attributes: { pos_sale_id: 'U-1' } });
    expect(order).toMatchObject({ state: 'new', status: 'pending', total_paid: 0, total_due: 108 });
    expect(order.extension_attributes.pos_sale_id).toBe('U-1');
    expect(await salable('MUG')).toBe(free - 2);

    const invoiced = await post(`/V1/order/${order.entity_id}/invoice`, { capture: true });
    expect(invoiced).toMatchObject({ status: 200, body: expect.any(Number) });
    expect(await get(`/V1/orders/${order.entity_id}`)).toMatchObject({
      state: 'processing',
      total_paid: 108,
      total_due: 0,
      items: [{ qty_invoiced: 2 }],
    });

    const shipped = await post(`/V1/order/${order.entity_id}/ship`, {
      arguments: { extension_attributes: { source_code: 'floor' } },
    });
    expect(shipped).toMatchObject({ status: 200, body: expect.any(Number) });
    expect(await get(`/V1/orders/${order.entity_id}`)).toMatchObject({
      state: 'complete',
      items: [{ qty_shipped: 2 }],
    });
    expect(await get(`/V1/orders/${order.entity_id}/statuses`)).toBe('complete');
    expect([await stockOf('MUG'), await salable('MUG')]).toEqual([lying - 2, free - 2]);
  });

  test('a sale handed over first, paid later', async () => {
    const { entity_id: id } = await place();
    await post(`/V1/order/${id}/ship`);
    expect(await get(`/V1/orders/${id}/statuses`)).toBe('processing');
    await post(`/V1/order/${id}/invoice`);
    expect(await get(`/V1/orders/${id}/statuses`)).toBe('complete');
  });

  test('a sale of nothing one can hold is complete once it is paid', async () => {
    const { entity_id: id } = await place({
      is_virtual: 1,
      items: [aPostedLine({ sku: 'GIFTWRAP', product_type: 'virtual', is_virtual: 1 })],
    });
    await post(`/V1/order/${id}/invoice`, { capture: true });
    expect(await get(`/V1/orders/${id}/statuses`)).toBe('complete');
  });

  test('a layaway: placed, found, not to be invoiced or cancelled, paid in parts, settled, carried out', async () => {
    const order = await place({
      state: 'pending_payment',
      status: 'pending_payment',
      extension_attributes: {
        pos_layaway_status: 'open',
        pos_layaway_deposit_amount: 0,
        pos_layaway_expires_at: '2027-01-31T00:00:00Z',
      },
    });
    const id = order.entity_id;
    expect(order).toMatchObject({
      state: 'pending_payment',
      total_invoiced: 108,
      total_paid: 0,
      total_due: 108,
      items: [{ qty_invoiced: 2 }],
      extension_attributes: {
        pos_layaway_status: 'open',
        pos_layaway_balance_owed: 108,
        pos_layaway_expires_at: '2027-01-31 00:00:00',
      },
    });

    const field = 'searchCriteria[filter_groups][0][filters][0]';
    const found = await get(
      `/V1/orders?${field}[field]=pos_layaway_status&${field}[value]=open,stale&${field}[condition_type]=in`,
    );
    expect(found.items.map((item: { entity_id: number }) => item.entity_id)).toEqual([id]);

    const invoices = await get(`/V1/invoices?${field}[field]=order_id&${field}[value]=${id}`);
    expect(invoices).toMatchObject({ total_count: 1, items: [{ state: 1, grand_total: 108, order_id: id }] });
    const invoiceId = invoices.items[0].entity_id;

    const refused = await post(`/V1/order/${id}/invoice`);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(
      /^Invoice Document Validation Error\(s\):\nThe invoice can't be created without products\. Add products and try again\.\n/,
    );
    expect(await post(`/V1/orders/${id}/cancel`)).toMatchObject({ status: 200, body: false });

    await post('/V1/orders', { entity: { entity_id: id, total_paid: 40, base_total_paid: 40 } });
    expect(await get(`/V1/orders/${id}`)).toMatchObject({ state: 'pending_payment', total_paid: 40, total_due: 68 });

    expect(await post(`/V1/invoices/${invoiceId}/capture`)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^The layaway still owes %1/), parameters: ['68'] },
    });
    await post('/V1/orders', { entity: { entity_id: id, total_paid: 108, base_total_paid: 108 } });
    expect(await post(`/V1/invoices/${invoiceId}/capture`)).toMatchObject({ status: 200, body: true });
    expect(await get(`/V1/invoices/${invoiceId}`)).toMatchObject({ state: 2 });
    expect(await get(`/V1/orders/${id}`)).toMatchObject({ state: 'processing', total_paid: 108, total_due: 0 });

    await post(`/V1/order/${id}/ship`);
    expect(await get(`/V1/orders/${id}/statuses`)).toBe('complete');
  });

  test('a layaway settled by saving its invoice as paid ends the same', async () => {
    const { entity_id: id } = await place({
      state: 'pending_payment',
      status: 'pending_payment',
      extension_attributes: { pos_layaway_status: 'open' },
    });
    const field = 'searchCriteria[filterGroups][0][filters][0]';
    const { items } = await get(`/V1/invoices?${field}[field]=order_id&${field}[value]=${id}`);
    await post('/V1/orders', { entity: { entity_id: id, total_paid: 108, base_total_paid: 108 } });
    const saved = await post('/V1/invoices/', { entity: { entity_id: items[0].entity_id, state: 2 } });
    expect(saved).toMatchObject({ status: 200, body: { entity_id: items[0].entity_id, state: 2 } });
    expect(await get(`/V1/orders/${id}`)).toMatchObject({ state: 'processing', total_paid: 108, total_due: 0 });
  });

  test('the books are right, whatever was done so far', async () => {
    expect(await verify(api.orm.em.fork())).toEqual([]);
  });
});
