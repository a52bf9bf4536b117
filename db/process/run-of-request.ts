import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import type { ProcessResolution } from '../../domain/returns/collapsed-return.ts';
import type { RowOfLine } from '../../domain/returns/per-line.ts';
import { flag, integer, listOf, orNull, quantity, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { ReturnProcess } from './return-process.entity.ts';

/**
 * The fields that identify a request for a collapsed return. A repeat that differs only in other fields, such as the
 * comment, is the same request, and the first values stay.
 */
export interface AskedRun {
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
export async function runOfRequest(em: EntityManager, asked: AskedRun): Promise<RunOfRequest | undefined> {
  const known = await findKnown.first(em, { requestKey: asked.requestKey });
  if (!known) return undefined;
  const isSame =
    known.orderId === asked.orderId &&
    known.resolution === asked.resolution &&
    known.isOnline === asked.isOnline &&
    isOfCustomer(known, asked.customerId) &&
    inWords(known.items) === inWords(asked.items);
  if (!isSame) throw askedForAnother();
  return { processId: known.processId, returnId: known.returnId, isHeldUp: known.isHeldUp };
}

export const askedForAnother = () => invalid('This request already asked for another return.');

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

const findKnown = statement({
  takes: { requestKey: text },
  gives: {
    ...of(ReturnProcess, 'processId', 'orderId', 'resolution', 'isOnline', 'customerId', 'returnId'),
    orderCustomerId: orNull(integer),
    isHeldUp: flag,
    items: listOf({ orderItemId: integer, qty: quantity }),
  },
  text: `
    select p.process_id, p.order_id, p.resolution, p.is_online, p.customer_id, p.return_id, o.customer_id as order_customer_id,
      p.state = 'refused' and p.return_id is null and p.refund_attempt_id is null and exists (
        select from refund_attempt a where a.attempt_id = (p.refusal #>> '{parameters,refund_attempt_id}')::int
          and a.state in ('booked', 'failed')) as is_held_up,
      (select coalesce(json_agg(json_build_object('orderItemId', i.order_item_id, 'qty', i.qty)), '[]')
       from return_process_item i where i.process_id = p.process_id) as items
    from return_process p join sales_order o on o.entity_id = p.order_id where p.request_key = $requestKey`,
});
