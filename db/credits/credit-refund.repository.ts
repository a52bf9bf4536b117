import type { EntityManager } from '@mikro-orm/postgresql';
import { Order } from '../platform/orders/order.entity.ts';
import { keep } from '../support/kept-rows.ts';
import { integer, text } from '../support/kinds.ts';
import { of, rowOf } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { CreditRefund, type CreditRefundRow } from './credit-refund.entity.ts';

const refund = rowOf(CreditRefund, 'r');

/** A refund to credit by the key of its request. */
export const findCreditRefund = async (
  em: EntityManager,
  named: { orderId: number; requestKey: string },
): Promise<CreditRefundRow | undefined> => (await byKey.first(em, named))?.refund;

const byKey = statement({
  takes: { orderId: integer, requestKey: text },
  gives: { refund },
  text: `select ${refund.columns} from credit_refund r where r.order_id = $orderId and r.request_key = $requestKey`,
});

/** One refund to credit, with the number of its order. Throws for an id that is not there: nothing deletes one. */
export async function creditRefundOf(
  em: EntityManager,
  refundId: number,
): Promise<{ refund: CreditRefundRow; incrementId: string }> {
  const found = await byId.first(em, { refundId });
  if (!found) throw new Error(`no refund to credit ${refundId}`);
  return found;
}

const byId = statement({
  takes: { refundId: integer },
  gives: { refund, ...of(Order, 'incrementId') },
  text: `
    select ${refund.columns}, o.increment_id
    from credit_refund r join sales_order o on o.entity_id = r.order_id where r.refund_id = $refundId`,
});

/** Locks a refund to credit and reads it again; `saveRows` writes its changes. */
export async function lockCreditRefund(em: EntityManager, refundId: number): Promise<CreditRefundRow> {
  const found = await lock.first(em, { refundId });
  if (!found) throw new Error(`no refund to credit ${refundId}`);
  return keep(found.refund);
}

const lock = statement({
  takes: { refundId: integer },
  gives: { refund },
  text: `select ${refund.columns} from credit_refund r where r.refund_id = $refundId for update`,
});
