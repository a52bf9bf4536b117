import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound, type Refusal } from '../../domain/errors.ts';
import { parseQuantity, none, type Quantity } from '../../domain/money/quantity.ts';
import type { ProcessResolution, ProcessStage, ProcessState } from '../../domain/returns/collapsed.ts';
import { query } from '../support/query.ts';

/** A collapsed run as its workflow and its route see it, read in one statement. Money as JSON numbers. */
export interface ProcessRecord {
  processId: number;
  requestKey: string;
  orderId: number;
  orderIncrementId: string;
  storeId: number;
  resolution: ProcessResolution;
  isOnline: boolean;
  isFastTrack: boolean;
  state: ProcessState;
  stage: ProcessStage;
  providerCode: string | null;
  returnId: number | null;
  returnIncrementId: string | null;
  returnProviderCode: string | null;
  returnReference: string | null;
  refundAttemptId: number | null;
  creditMemoId: number | null;
  creditMemoIncrementId: string | null;
  refundTotal: number;
  storeCreditIssued: number;
  exchangeCreditAmount: number;
  isOnlineRefund: boolean;
  transactionId: string | null;
  paymentMethod: string | null;
  paymentReference: string | null;
  refusal: Refusal | null;
  items: ProcessItemRecord[];
}

export interface ProcessItemRecord {
  orderItemId: number;
  sku: string;
  qty: Quantity;
  reason: string | null;
  condition: string | null;
  resolution: string | null;
}

type Row = Omit<ProcessRecord, 'items'> & { items: (Omit<ProcessItemRecord, 'qty'> & { qty: string })[] };

/** One run; 404 when there is none. */
export async function findProcess(em: EntityManager, processId: number): Promise<ProcessRecord> {
  const [row] = await query<Row>(em, processText, [processId]);
  if (!row) throw notFound('Return process with id %1 does not exist', [processId]);
  return { ...row, items: row.items.map((item) => ({ ...item, qty: parseQuantity(item.qty) ?? none })) };
}

/** The lines of a fast track are those of its return. */
const itemColumns = (
  qty: string,
) => `json_build_object('orderItemId', l.order_item_id, 'sku', i.sku, 'qty', l.${qty}::text,
  'reason', l.reason, 'condition', l.condition, 'resolution', l.resolution) order by l.entity_id`;

const processText = `
select p.process_id as "processId", p.request_key as "requestKey", p.order_id as "orderId",
  o.increment_id as "orderIncrementId", o.store_id as "storeId", p.resolution, p.is_online as "isOnline",
  p.is_fast_track as "isFastTrack", p.state, p.stage, p.provider_code as "providerCode", p.return_id as "returnId",
  r.increment_id as "returnIncrementId", r.provider_code as "returnProviderCode",
  r.provider_reference as "returnReference", p.refund_attempt_id as "refundAttemptId",
  p.credit_memo_id as "creditMemoId", m.increment_id as "creditMemoIncrementId",
  p.refund_total::float8 as "refundTotal", p.store_credit_issued::float8 as "storeCreditIssued",
  p.exchange_credit_amount::float8 as "exchangeCreditAmount", coalesce(m.is_online, false) as "isOnlineRefund",
  m.transaction_id as "transactionId", y.method as "paymentMethod", y.last_trans_id as "paymentReference", p.refusal,
  case when p.is_fast_track
    then (select coalesce(json_agg(${itemColumns('qty_requested')}), '[]') from sale_return_item l
      join sales_order_item i on i.item_id = l.order_item_id where l.return_id = p.return_id)
    else (select coalesce(json_agg(${itemColumns('qty')}), '[]') from return_process_item l
      join sales_order_item i on i.item_id = l.order_item_id where l.process_id = p.process_id) end as items
from return_process p
join sales_order o on o.entity_id = p.order_id
left join sales_order_payment y on y.order_id = o.entity_id
left join sale_return r on r.return_id = p.return_id
left join sales_creditmemo m on m.entity_id = p.credit_memo_id
where p.process_id = $1`;

/** How an order was paid, as far as giving the money back is concerned. Undefined for an unknown order. */
export async function paymentOfOrder(em: EntityManager, orderId: number) {
  const text = `select y.method as "paymentMethod", o.store_id as "storeId", y.last_trans_id as "paymentReference"
    from sales_order o join sales_order_payment y on y.order_id = o.entity_id where o.entity_id = $1`;
  const [row] = await query<{ paymentMethod: string; storeId: number; paymentReference: string | null }>(em, text, [
    orderId,
  ]);
  return row;
}
