import { beforeAll, describe, expect, test } from 'vitest';
import { anOrder, type WantedOrder } from '../../../support/builders/order.ts';
import { booksOf } from '../../../support/books.ts';
import { api, call, opensAnOrderDesk } from './an-order-desk.ts';

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
