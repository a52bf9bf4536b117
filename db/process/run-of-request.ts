import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { none, parseQuantity } from '../../domain/money/quantity.ts';
import type { ProcessResolution } from '../../domain/returns/collapsed.ts';
import type { RowOfLine } from '../../domain/returns/per-line.ts';
import { query } from '../support/query.ts';

/** What a collapsed request moves. What it says of the goods beside that makes it no other one: the first words stand. */
export interface AskedRun {
  orderId: number;
  /** The request's own name. */
  requestKey: string;
  customerId: number | null;
  items: readonly RowOfLine[];
  resolution: ProcessResolution;
  isOnline: boolean;
}

export interface RunOfRequest {
  processId: number;
  /**
   * It was refused for another refund's sake, which was under way then and is decided now: so the same request is judged
   * anew. Where it has a return, that is parked, and settled by itself.
   */
  isHeldUp: boolean;
}

/**
 * The run that the same request opened before; undefined for a new one. Under the order lock two of a kind meet here.
 *
 * Refused with: 400 when the request asked for something else then: neither is it the first, nor may it be a second.
 */
export async function runOfRequest(em: EntityManager, asked: AskedRun): Promise<RunOfRequest | undefined> {
  const [known] = await query<Row>(em, knownText, [asked.requestKey]);
  if (!known) return undefined;
  const isSame =
    known.order_id === asked.orderId &&
    known.resolution === asked.resolution &&
    known.is_online === asked.isOnline &&
    isOfCustomer(known, asked.customerId) &&
    inWords(known.items.map(toLine)) === inWords(asked.items);
  if (!isSame) throw askedForAnother();
  return { processId: known.process_id, isHeldUp: known.is_held_up };
}

export const askedForAnother = () => invalid('This request already asked for another return.');

interface Row {
  process_id: number;
  is_held_up: boolean;
  order_id: number;
  resolution: string;
  is_online: boolean;
  customer_id: number | null;
  order_customer_id: number | null;
  items: { order_item_id: number; qty: string }[];
}

/** A request that names nobody means the order's own customer, where there is one. */
const isOfCustomer = (known: Row, customerId: number | null) =>
  known.customer_id === customerId || (customerId === null && known.customer_id === known.order_customer_id);

const toLine = ({ order_item_id, qty }: Row['items'][number]): RowOfLine => ({
  orderItemId: order_item_id,
  qty: parseQuantity(qty) ?? none,
});

/** To be compared: how much of which line, whatever the order of the rows. Not summed: nobody has judged them yet. */
const inWords = (rows: readonly RowOfLine[]) =>
  rows
    .map(({ orderItemId, qty }) => `${orderItemId}: ${qty}`)
    .toSorted()
    .join();

const knownText = `
select p.process_id, p.order_id, p.resolution, p.is_online, p.customer_id, o.customer_id as order_customer_id,
  p.state = 'refused' and p.return_id is null and p.refund_attempt_id is null and exists (
    select from refund_attempt a where a.attempt_id = (p.refusal #>> '{parameters,refund_attempt_id}')::int
      and a.state in ('booked', 'failed')) as is_held_up,
  (select coalesce(json_agg(json_build_object('order_item_id', i.order_item_id, 'qty', i.qty::text)), '[]')
   from return_process_item i where i.process_id = p.process_id) as items
from return_process p join sales_order o on o.entity_id = p.order_id where p.request_key = $1`;
