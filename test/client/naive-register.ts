import { setTimeout as pause } from 'node:timers/promises';
import type { RegisterUnderTest, Task } from '../../client/conformance/day.ts';
import type { Place } from '../../client/sale.ts';

/** What a maker of registers gets wrong, sooner or later. */
export type Mistake =
  | 'gives_up'
  | 'new_sale_id'
  | 'new_key'
  | 'sums_by_floats'
  | 'takes_busy_for_no'
  | 'no_receipt'
  | 'newest_first'
  | 'pays_again'
  | 'forgets_the_doubt'
  | 'keeps_old_settings'
  | 'writes_the_time'
  | 'asks_at_once';

interface Request {
  path: string;
  body: Record<string, unknown>;
  key: string;
}

/** A register without a client, as somebody writes it in an afternoon; with one mistake, or with none. */
export function naiveRegister(
  { url, token, place, deviceIdentifier }: { url: string; token: string; place: Place; deviceIdentifier: string },
  mistake?: Mistake,
): RegisterUnderTest {
  const waiting: Task[] = [];
  const sold = new Map<string, { orderId: number; itemId: number }>();
  const saleIds = new Map<string, string>();
  let doubt: Task | undefined;

  const once = async (method: string, { path, body, key }: Request) => {
    const response = await fetch(`${url}${path}`, {
      ...{
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: JSON.parse(await response.text()),
      after: response.headers.get('retry-after'),
    };
  };

  /** Sends until there is an answer: six times, then it waits for the evening. */
  async function send(given: Request) {
    let request = given;
    for (let tries = 1; tries <= 6; tries++) {
      if (mistake === 'writes_the_time') request = { ...request, body: { ...request.body, ...timeIn(request) } };
      const heard = await once('POST', request).catch(() => undefined);
      const isBusy = heard && (heard.status >= 500 || heard.body.parameters?.outcome === 'idempotency_key_in_use');
      if (heard && (!isBusy || mistake === 'takes_busy_for_no')) return heard;
      if (mistake === 'gives_up') break;
      if (mistake === 'new_key') request = { ...request, key: crypto.randomUUID() };
      if (mistake === 'new_sale_id') request = withNewId(request);
      if (mistake === 'pays_again' && request.path.includes('/payments'))
        request = { ...request, key: crypto.randomUUID(), body: { ...request.body, reference: crypto.randomUUID() } };
      if (heard?.after && mistake !== 'asks_at_once') await pause(Number(heard.after) * 1_000);
    }
    throw new Error('no answer');
  }

  async function sell(task: Task): Promise<void> {
    const saleId = saleIds.get(task.email) ?? crypto.randomUUID();
    saleIds.set(task.email, saleId);
    const sums = sumsOf(task, mistake === 'sums_by_floats');
    if (mistake !== 'no_receipt' && task.do === 'sell')
      await send({ path: '/V1/pos/receipts', key: `${saleId}-r`, body: { receipt: receiptOf(place, saleId, sums) } });
    const order = await send({ path: '/V1/orders', key: `${saleId}-o`, body: { entity: orderOf(task, saleId, sums) } });
    if (order.status !== 200) throw new Error(JSON.stringify(order.body));
    const orderId = order.body.entity_id;
    sold.set(task.email, { orderId, itemId: order.body.items[0].item_id });
    if (task.do === 'lay_away') {
      const body = { amount: task.deposit, paymentMethod: 'cash', reference: `${saleId}-d` };
      await send({ path: `/V1/pos/layaways/${orderId}/payments`, key: `${saleId}-p`, body });
      return;
    }
    await send({ path: `/V1/order/${orderId}/invoice`, key: `${saleId}-i`, body: { capture: true } });
    await send({ path: `/V1/order/${orderId}/ship`, key: `${saleId}-s`, body: {} });
  }

  async function takeBack(task: Task): Promise<void> {
    const { orderId, itemId } = sold.get(task.of ?? '') ?? { orderId: 0, itemId: 0 };
    const items = JSON.stringify([{ order_item_id: itemId, qty_requested: 1, resolution: 'Refund' }]);
    const rma = await send({
      ...{ path: '/V1/pos/rma', key: `${task.email}-b` },
      body: {
        orderId,
        items,
        autoApprove: true,
        locationId: place.locationId,
        refundMethod: 'cash',
        posSaleId: task.email,
      },
    });
    doubt = rma.status === 409 && mistake !== 'forgets_the_doubt' ? task : undefined;
    if (rma.status === 200)
      await send({ path: `/V1/pos/rma/${rma.body.id}/settle`, key: `${task.email}-c`, body: { method: 'cash' } });
  }

  async function readSettings(): Promise<void> {
    const path = `/V1/pos/terminals/${place.terminalId}`;
    const beat = await once('POST', { path: `${path}/heartbeat`, body: { deviceIdentifier }, key: 'beat' });
    if (beat.body.config_hash !== undefined && mistake !== 'keeps_old_settings')
      await once('GET', { path: `${path}/config`, body: {}, key: '' });
  }

  return async (task) => {
    if (task.do === 'take_back') return takeBack(task);
    if (task.do === 'read_settings') return readSettings();
    if (task.do === 'catch_up') {
      if (doubt) await takeBack(doubt);
      if (mistake === 'newest_first') waiting.reverse();
      for (const one of waiting.splice(0)) await sell(one);
      return;
    }
    await sell(task).catch(() => {
      if (mistake !== 'gives_up') waiting.push(task);
    });
  };
}

const timeIn = ({ path, body }: Request) =>
  path === '/V1/orders' ? { entity: { ...Object(body['entity']), customer_note: `at ${performance.now()}` } } : {};

/** "It did not work, so try a fresh one." */
function withNewId(request: Request): Request {
  const key = crypto.randomUUID();
  if (request.path !== '/V1/orders') return { ...request, key };
  const entity = { ...Object(request.body['entity']), extension_attributes: { pos_sale_id: key } };
  return { ...request, key, body: { entity } };
}

interface Sums {
  subtotal: number;
  tax: number;
  total: number;
}

/** One line a sale. The mistake is to round the tax of one piece. */
function sumsOf({ lines: [line] }: Task, isByFloats: boolean): Sums {
  const { qty = 0, price = 0, taxPercent = 0 } = line ?? {};
  const inCents = (value: number) => Math.round(value * 100) / 100;
  const subtotal = inCents(qty * price);
  const tax = isByFloats ? qty * inCents((price * taxPercent) / 100) : inCents((subtotal * taxPercent) / 100);
  return { subtotal, tax, total: inCents(subtotal + tax) };
}

const twice = (figures: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([key, value]) => [
      [key, value],
      [`base_${key}`, value],
    ]),
  );

function orderOf({ do: what, email, lines: [line] }: Task, saleId: string, { subtotal, tax, total }: Sums) {
  const state = what === 'lay_away' ? 'pending_payment' : 'new';
  return {
    ...{ state, status: state === 'new' ? 'pending' : state, store_id: 1, customer_is_guest: 1, customer_email: email },
    ...{ base_currency_code: 'USD', order_currency_code: 'USD', total_qty_ordered: line?.qty },
    ...twice({ subtotal, tax_amount: tax, grand_total: total }),
    items: [
      {
        ...{
          sku: line?.sku,
          name: line?.name,
          product_id: line?.productId,
          product_type: 'simple',
          qty_ordered: line?.qty,
        },
        ...twice({ price: line?.price ?? 0, row_total: subtotal, tax_amount: tax }),
        tax_percent: line?.taxPercent,
      },
    ],
    billing_address: {
      ...{ firstname: 'Walk-in', lastname: 'Customer', street: ['12 High Street'], city: 'Troy', postcode: '12180' },
      ...{ country_id: 'US', telephone: '555' },
    },
    payment: { method: 'cashondelivery', ...twice({ amount_ordered: total }) },
    extension_attributes: { pos_sale_id: saleId, ...(what === 'lay_away' ? { pos_layaway_status: 'open' } : {}) },
  };
}

const receiptOf = (place: Place, saleId: string, { subtotal, tax, total }: Sums) => ({
  ...{ sale_id: saleId, terminal_id: place.terminalId, location_id: place.locationId, staff_id: place.staffId },
  ...{ payment_method: 'cash', subtotal, tax_amount: tax, grand_total: total, discount_amount: 0, currency: 'USD' },
});
