import type { EntityManager } from '@mikro-orm/postgresql';
import { isTerminal, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { OrderPayment } from '../platform/orders/order-payment.entity.ts';
import { Order } from '../platform/orders/order.entity.ts';
import { readCaptures, type Capture } from '../refunds/payment-to-refund.ts';
import { flag, integer, surely } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { unknownReturn } from './lock-return.ts';
import { Return } from './return.entity.ts';

export interface PaymentOfReturn {
  paymentMethod: string;
  storeId: number;
  paymentReference: string | null;
  /** The payments of a layaway. */
  captures: readonly Capture[];
  /** The status of the return when it is ready or ended and nothing is pending; else null. */
  quiet: { status: ReturnStatus; isReady: boolean } | null;
}

/** How, where and under which reference the order of a return was paid. Refused with: 404 unknown return. */
export async function paymentOfReturn(em: EntityManager, returnId: number): Promise<PaymentOfReturn> {
  const row = await read.first(em, { returnId });
  if (!row) throw unknownReturn(returnId);
  return {
    paymentMethod: row.method,
    storeId: row.storeId,
    paymentReference: row.lastTransId,
    captures: await readCaptures(em, row),
    quiet: isQuiet(row) ? { status: row.status, isReady: row.isReady } : null,
  };
}

const isQuiet = (row: RowFrom<typeof read>) => (row.isReady || isTerminal(row.status)) && !row.hasOpenCall;

const read = statement({
  takes: { returnId: integer },
  gives: {
    ...of(OrderPayment, 'method', 'lastTransId'),
    ...of(Order, 'storeId'),
    isLayaway: surely(flag),
    ...of(Return, 'orderId', 'status', 'isReady'),
    hasOpenCall: flag,
  },
  text: `
    select p.method, o.store_id, p.last_trans_id, o.pos_layaway_status is not null as is_layaway, r.order_id, r.status, r.is_ready,
      exists (select from refund_attempt a where a.return_id = r.return_id and a.state = 'started') as has_open_call
    from sale_return r join sales_order o on o.entity_id = r.order_id
    join sales_order_payment p on p.order_id = o.entity_id where r.return_id = $returnId`,
});
