import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../../../books/verify/verify.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { aShop } from '../../../support/builders/shop.ts';

/** What a register does with the platform's own routes, with the figures of the interface (platform facts 12.3, 12.4). */

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

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
  expect(await get(`/V1/orders/${order.entity_id}`)).toMatchObject({ state: 'complete', items: [{ qty_shipped: 2 }] });
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
