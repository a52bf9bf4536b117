import type { MikroORM } from '@mikro-orm/postgresql';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import { pieces } from '../../../domain/money.ts';
import { anItem } from './return.ts';

export interface WantedRefund {
  orderId: number;
  itemId: number;
  locationId: number;
  state: 'started' | 'uncertain';
  qty?: number;
}

/** The return was refused, or nothing is left to give back. */
export class NoRefundBegun extends Error {}

/**
 * Starts a return with a refund to the card: the refund is only written down, or its result is unknown. Returns the
 * attempt's id.
 */
export async function aRefundUnderWay(orm: MikroORM, wanted: WantedRefund): Promise<number> {
  const { orderId, itemId, locationId, state, qty = 1 } = wanted;
  const { returnId } = await createReturn(orm.em, {
    orderId,
    customerId: null,
    locationId,
    items: [{ ...anItem(itemId), qtyRequested: pieces(qty) }],
    comment: null,
    isAutoApproved: true,
    refundMethod: 'original_payment',
    posSaleId: null,
  });
  const { attempt } = await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
  if (!attempt) throw new NoRefundBegun(`no refund of order ${orderId} was begun`);
  const { attemptId } = attempt;
  if (state === 'started') return attemptId;
  await claimRefundCall(orm.em.fork(), { attemptId, timeoutSeconds: 20 });
  await recordFinding(orm.em, { attemptId, finding: { evidence: 'unknown' }, now: new Date() });
  return attemptId;
}

export async function openInvoiceOf(orm: MikroORM, orderId: number): Promise<number> {
  const rows = await orm.em
    .fork()
    .execute<{ entity_id: number }[]>('select entity_id from sales_invoice where order_id = ? and state = 1', [
      orderId,
    ]);
  return rows[0]!.entity_id;
}
