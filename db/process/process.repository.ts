import type { EntityManager } from '@mikro-orm/postgresql';
import type { Quantity } from '../../domain/money.ts';
import { keyUsedForOtherReturn, returnProcessNotFound } from '../../domain/refusals/returns.ts';
import type { ProcessResolution, RowOfLine } from '../../domain/returns/return-status.ts';
import { readCaptures } from '../refunds/refundable-money.ts';
import { integer, listOf, orNull, quantity, text } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** A collapsed return as its workflow and its route see it, read in one statement. Money as JSON numbers. */
export type ProcessRecord = RowFrom<typeof selectProcess>;
export type ProcessItemRecord = ProcessRecord['items'][number];

/** A line that a collapsed return asks back. */
export interface ProcessedItem {
  orderItemId: number;
  qty: Quantity;
  reason: string | null;
  condition: string | null;
  resolution: string | null;
  /** The provider's id of the resolution. */
  resolutionId: string | null;
}

/** One collapsed return; 404 when there is none. */
export async function findProcess(em: EntityManager, processId: number): Promise<ProcessRecord> {
  const record = await selectProcess.first(em, { processId });
  if (!record) throw returnProcessNotFound([processId]);
  return record;
}

/** The collapsed return of an existing return has the lines of that return. */
const itemsOf = (qty: string) => `coalesce(json_agg(json_build_object('orderItemId', l.order_item_id, 'sku', i.sku,
  'qty', l.${qty}, 'reason', l.reason, 'condition', l.condition, 'resolution', l.resolution) order by l.entity_id),
    '[]')`;

const selectProcess = sql('process.repository.selectProcess', {
  gives: {
    items: listOf({
      orderItemId: integer,
      sku: text,
      qty: quantity,
      reason: orNull(text),
      condition: orNull(text),
      resolution: orNull(text),
    }),
  },
})`
  select p.process_id, p.request_key, p.order_id, o.increment_id as order_increment_id, o.store_id, p.resolution,
    p.is_online, p.name_tail, p.is_fast_track, p.state, p.stage, p.provider_code, p.return_id,
    r.increment_id as return_increment_id, r.provider_code as return_provider_code,
    r.provider_reference as return_reference, p.refund_attempt_id, p.credit_memo_id,
    m.increment_id as credit_memo_increment_id, p.refund_total::float8 as refund_total,
    p.store_credit_issued::float8 as store_credit_issued, p.exchange_credit_amount::float8 as exchange_credit_amount,
    coalesce(m.is_online, false) as is_online_refund, m.transaction_id, y.method as payment_method,
    y.last_trans_id as payment_reference, p.refusal,
    case when p.is_fast_track
      then (select ${itemsOf('qty_requested')} from sale_return_item l
        join sales_order_item i on i.item_id = l.order_item_id where l.return_id = p.return_id)
      else (select ${itemsOf('qty')} from return_process_item l
        join sales_order_item i on i.item_id = l.order_item_id where l.process_id = p.process_id) end as items
  from return_process p
  join sales_order o on o.entity_id = p.order_id
  join sales_order_payment y on y.order_id = o.entity_id
  left join sale_return r on r.return_id = p.return_id
  left join sales_creditmemo m on m.entity_id = p.credit_memo_id
  where p.process_id = $processId`;

/** The collapsed return of a request, by its key; undefined: none was written. */
export const findRun = async (em: EntityManager, requestKey: string): Promise<number | undefined> =>
  (await readRun.first(em, { requestKey }))?.processId;

const readRun = sql('process.repository.readRun')`
  select process_id from return_process where request_key = $requestKey`;

/** The collapsed return of a return that waits for nobody: its money was not given back yet. Undefined: none. */
export const openProcessOf = async (em: EntityManager, returnId: number): Promise<number | undefined> =>
  (await readOpen.first(em, { returnId }))?.processId;

/** The newest collapsed return of a return; undefined: none. */
export const runOfReturn = (em: EntityManager, returnId: number) => readNewest.first(em, { returnId });

const readNewest = sql('process.repository.readNewest')`
  select process_id, state from return_process where return_id = $returnId order by process_id desc limit 1`;

const readOpen = sql('process.repository.readOpen')`
  select p.process_id from return_process p left join refund_attempt a on a.attempt_id = p.refund_attempt_id
  where p.return_id = $returnId and p.state = 'open' and a.state is distinct from 'uncertain'`;

const readPayment = sql('process.repository.readPayment')`
  select y.method as payment_method, o.store_id, y.last_trans_id as payment_reference,
    o.pos_layaway_status is not null as is_layaway
  from sales_order o join sales_order_payment y on y.order_id = o.entity_id where o.entity_id = $orderId`;

/** How an order was paid, for refunding it. Undefined for an unknown order. */
export async function paymentOfOrder(em: EntityManager, orderId: number) {
  const payment = await readPayment.first(em, { orderId });
  return payment && { ...payment, captures: await readCaptures(em, { ...payment, orderId }) };
}

/**
 * The fields that identify a request for a collapsed return. A repeat that differs only in other fields, such as the
 * comment, is the same request, and the first values stay.
 */
export interface RequestedRun {
  orderId: number;
  /** The request's idempotency key. */
  requestKey: string;
  customerId: number | null;
  items: readonly RowOfLine[];
  resolution: ProcessResolution;
  isOnline: boolean;
}

export interface RunOfRequest {
  processId: number;
  returnId: number | null;
  /**
   * True when it was refused because of another refund that is decided now: then the same request is checked again.
   * False when it has a return: that return waits and is settled separately.
   */
  isHeldUp: boolean;
}

/**
 * The collapsed return that an earlier request with the same key opened; undefined for a new request. The order lock
 * makes concurrent repeats wait for each other here.
 *
 * Refused with: 400 when the earlier request had other content: it is not a repeat, and its key is used.
 */
export async function runOfRequest(em: EntityManager, request: RequestedRun): Promise<RunOfRequest | undefined> {
  const known = await findKnown.first(em, { requestKey: request.requestKey });
  if (!known) return undefined;
  const isSame =
    known.orderId === request.orderId &&
    known.resolution === request.resolution &&
    known.isOnline === request.isOnline &&
    isOfCustomer(known, request.customerId) &&
    inWords(known.items) === inWords(request.items);
  if (!isSame) throw requestedForAnother();
  return { processId: known.processId, returnId: known.returnId, isHeldUp: known.isHeldUp };
}

export const requestedForAnother = () => keyUsedForOtherReturn();

/** A request without a customer means the order's own customer, where there is one. */
const isOfCustomer = (known: RowFrom<typeof findKnown>, customerId: number | null) =>
  known.customerId === customerId || (customerId === null && known.customerId === known.orderCustomerId);

/**
 * The quantities by line as one text, in a fixed order, for comparing. Not summed, because the rows are not checked
 * yet.
 */
const inWords = (rows: readonly RowOfLine[]) =>
  rows
    .map(({ orderItemId, qty }) => `${orderItemId}: ${qty}`)
    .toSorted()
    .join();

const findKnown = sql('process.repository.findKnown', {
  gives: { items: listOf({ orderItemId: integer, qty: quantity }) },
})`
  select p.process_id, p.order_id, p.resolution, p.is_online, p.customer_id, p.return_id, o.customer_id as
    order_customer_id,
    p.state = 'refused' and p.return_id is null and p.refund_attempt_id is null and exists (
      select from refund_attempt a where a.attempt_id = (p.refusal #>> '{parameters,refund_attempt_id}')::bigint
        and a.state in ('booked', 'failed')) as is_held_up,
    (select coalesce(json_agg(json_build_object('orderItemId', i.order_item_id, 'qty', i.qty)), '[]')
     from return_process_item i where i.process_id = p.process_id) as items
  from return_process p join sales_order o on o.entity_id = p.order_id where p.request_key = $requestKey`;
