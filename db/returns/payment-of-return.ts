import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { query } from '../support/query.ts';

export interface PaymentOfReturn {
  paymentMethod: string;
  storeId: number;
  paymentReference: string | null;
  /** Where the return stands when it is ready or over and nothing of it was left half-done; else null. */
  quiet: { status: ReturnStatus; isReady: boolean } | null;
}

interface Row {
  method: string;
  store_id: number;
  last_trans_id: string | null;
  status: ReturnStatus;
  is_ready: boolean;
  has_open_call: boolean;
}

/** How, where and under which reference the order of a return was paid; an empty method for an unknown return. */
export async function paymentOfReturn(em: EntityManager, returnId: number): Promise<PaymentOfReturn> {
  const [row] = await query<Row>(em, paymentText, [returnId]);
  return {
    paymentMethod: row?.method ?? '',
    storeId: row?.store_id ?? 0,
    paymentReference: row?.last_trans_id ?? null,
    quiet: row && isQuiet(row) ? { status: row.status, isReady: row.is_ready } : null,
  };
}

const isQuiet = (row: Row) => (row.is_ready || isTerminal(row.status)) && !row.has_open_call;

const paymentText = `
select p.method, o.store_id, p.last_trans_id, r.status, r.is_ready,
  exists (select from refund_attempt a where a.return_id = r.return_id and a.state = 'started') as has_open_call
from sale_return r join sales_order o on o.entity_id = r.order_id
join sales_order_payment p on p.order_id = o.entity_id where r.return_id = $1`;
