import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { purgeLeftovers } from '../../../db/retention.ts';
import { everyResource } from '../../../domain/platform/access.ts';
import { booksOf } from '../../support/books.ts';
import { aReceipt, aTerminal, secretKey } from '../../support/builders/counter.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { useApi } from '../../support/fixtures.ts';
import { minutesAgo } from '../../support/moments.ts';

/** A register that was off for eight days sends its queue again: the keys are purged, and only names tell repeats. */

const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
const { change, configure, fork, howMany, shelf } = booksOf(() => api.orm);

interface Queued {
  what: string;
  path: string;
  body: unknown;
  token?: string;
}

let terminalId: number;
let locationId: number;
let customerId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
  ({ terminalId } = await aTerminal(fork(), { locationId }));
  customerId = await aCustomer(fork());
  await configure('newsletter/subscription/allow_guest_subscribe', '1');
});

const tables = [
  ...['sales_order', 'sales_invoice', 'sales_shipment', 'sales_creditmemo', 'sales_money_in', 'pos_receipt'],
  ...['pos_held_cart', 'customer', 'store_credit_entry', 'pos_audit_log', 'pos_telemetry_event'],
  ...['newsletter_subscriber', 'wishlist_item', 'sales_order_status_history', 'inventory_reservation'],
];
const counts = async () => ({
  ...Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await howMany(table)] as const))),
  mugs: await shelf(),
});

async function theQueue() {
  const sale = randomUUID();
  const post = async ({ path, body, token = api.tokens.register }: Queued, key: string) =>
    api.call('POST', path, { token, body, headers: { 'Idempotency-Key': key } });
  const order = { entity: aPostedSale({ extension_attributes: { pos_sale_id: sale } }) };
  const debt = { entity: aPostedSale({ extension_attributes: { pos_sale_id: randomUUID(), pos_credit_due: 108 } }) };
  const made = async (body: object) => {
    const { body: answer } = await post({ what: 'order', path: '/V1/orders', body }, randomUUID());
    return { orderId: answer.entity_id as number, itemId: answer.items[0].item_id as number };
  };
  const [sold, owed] = [await made(order), await made(debt)];
  const editor = await api.tokenFor(everyResource);
  const moment = '2026-11-20T10:00:00Z';
  const queue: Queued[] = [
    { what: 'order', path: '/V1/orders', body: order },
    { what: 'receipt', path: '/V1/pos/receipts', body: { receipt: aReceipt(terminalId, { sale_id: sale }) } },
    { what: 'invoice', path: `/V1/order/${sold.orderId}/invoice`, body: { capture: true } },
    { what: 'shipment', path: `/V1/order/${sold.orderId}/ship`, body: {} },
    {
      what: 'held cart',
      path: '/V1/pos/held-carts',
      body: {
        heldCart: {
          ...{
            location_id: locationId,
            terminal_id: terminalId,
            staff_id: 1,
            staff_name: 'Ada',
            cart_uuid: randomUUID(),
          },
          ...{ cart_data: '{}', item_count: 1, grand_total: 1, currency_code: 'USD' },
        },
      },
    },
    {
      what: 'customer',
      path: '/V1/customers',
      token: editor,
      body: { customer: { email: `${sale}@shop.test`, firstname: 'A', lastname: 'B', website_id: 1 } },
    },
    {
      what: 'due payment',
      path: `/V1/pos/orders/${owed.orderId}/due-payments`,
      body: { reference: `due-${sale}`, amount: 8 },
    },
    {
      what: 'wallet credit',
      path: '/V1/vendor-store-credit/credit',
      token: editor,
      body: { customerId, websiteId: 1, amount: 5, reason: 'goodwill', currency: 'USD', idempotencyKey: `w-${sale}` },
    },
    {
      what: 'telemetry',
      path: '/V1/pos/telemetry',
      body: { payload: { terminal_id: terminalId, events: [{ name: 'sale', occurred_at: moment, value: 1 }] } },
    },
    {
      what: 'stock set',
      path: '/V1/inventory/source-items',
      token: editor,
      body: { sourceItems: [{ sku: 'PLATE', source_code: 'floor', quantity: 77, status: 1 }] },
    },
    { what: 'newsletter', path: '/V1/pos/newsletter/subscribe', token: editor, body: { email: 'reader@example.com' } },
    {
      what: 'wish',
      path: `/V1/pos/wishlist/${customerId}/items`,
      token: editor,
      body: { item: { sku: 'MUG', qty: 1 } },
    },
    {
      what: 'refund by hand',
      path: `/V1/order/${sold.orderId}/refund`,
      body: { items: [{ order_item_id: sold.itemId, qty: 1 }] },
    },
    {
      what: 'audit line',
      path: '/V1/pos/audit-log',
      body: { entries: [{ entity_type: 'drawer', entity_id: '1', field_name: 'opened', new_value: sale }] },
    },
    {
      what: 'comment',
      path: `/V1/orders/${sold.orderId}/comments`,
      token: editor,
      body: { statusHistory: { comment: `of ${sale}`, status: 'complete', is_visible_on_front: 0 } },
    },
    {
      what: 'stock transfer',
      path: '/V1/inventory/bulk-partial-source-transfer',
      token: editor,
      body: { originSourceCode: 'floor', destinationSourceCode: 'damaged', items: [{ sku: 'MUG', qty: 1 }] },
    },
  ];
  return { queue, post, sold };
}

test('every named request of an old queue is the same one, and the guide lists those that act again', async () => {
  const { queue, post } = await theQueue();
  const keys = new Map(queue.map((request) => [request, randomUUID()]));
  const send = async (request: Queued) => post(request, keys.get(request)!);
  const first: [string, number][] = [];
  for (const request of queue) first.push([request.what, (await send(request)).status]);
  expect(first.filter(([, status]) => status !== 200)).toEqual([]);
  await change('keyed_request', {}, { created_at: minutesAgo(8 * 24 * 60) });
  await purgeLeftovers(fork(), { limit: 1_000, guestCartDays: 30 });
  expect(await howMany('keyed_request')).toBe(0);

  const outcome: Record<string, string> = {};
  for (const request of queue) {
    const before = await counts();
    const { status } = await send(request);
    const after = await counts();
    const isChanged = JSON.stringify(before) !== JSON.stringify(after);
    outcome[request.what] = status !== 200 ? `refused ${status}` : isChanged ? 'again' : 'the same';
  }

  expect(outcome).toEqual({
    ...{ order: 'the same', receipt: 'the same', invoice: 'refused 400', shipment: 'refused 400' },
    ...{ 'held cart': 'the same', customer: 'refused 400', 'due payment': 'the same', 'wallet credit': 'the same' },
    ...{ telemetry: 'the same', 'stock set': 'the same', newsletter: 'the same', wish: 'the same' },
    ...{ 'refund by hand': 'again', 'audit line': 'again', comment: 'again', 'stock transfer': 'again' },
  });
});
