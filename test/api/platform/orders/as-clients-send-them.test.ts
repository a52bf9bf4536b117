import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';

/** Orders as clients of the platform send them, where its answer is easily missed (platform facts 14). */
let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
const mug = { sku: 'MUG', name: 'Mug', qty_ordered: 2, price: 50, base_price: 50, row_total: 100, base_row_total: 100 };
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
  expect(await put({ ...order, billing_address: { ...order.billing_address, lastname: '' } })).toMatchObject(noAddress);
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
