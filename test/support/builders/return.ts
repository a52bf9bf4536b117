import type { MikroORM } from '@mikro-orm/postgresql';
import { claimRefundCall } from '../../../db/refunds/refund-intent.ts';
import { createReturn, initialiseReturn } from '../../../db/returns/create-return.ts';
import type { RequestedItem } from '../../../db/returns/sold-order.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { pieces } from '../../../domain/money.ts';
import type { SettleMethod } from '../../../domain/returns/resolution.ts';
import { booksOf } from '../books.ts';
import { inSeconds } from '../moments.ts';
import { anOrder, type WantedOrder } from './order.ts';

export interface WantedReturn {
  order?: WantedOrder;
  isAutoApproved?: boolean;
  refundMethod?: SettleMethod | null;
  posSaleId?: string;
  locationId: number | null;
  item?: Partial<RequestedItem>;
}

/** A return of one mug at 50 (54 with tax), recorded and not yet begun. */
export async function aReturn(orm: MikroORM, wanted: WantedReturn) {
  const order = await anOrder(orm.em.fork(), { method: 'provider_a', lastTransId: 'pay_1', ...wanted.order });
  const [orderItemId] = order.itemIds;
  const { returnId } = await createReturn(orm.em, {
    orderId: order.orderId,
    customerId: null,
    locationId: wanted.locationId,
    items: [{ ...anItem(orderItemId!), ...wanted.item }],
    comment: null,
    isAutoApproved: wanted.isAutoApproved ?? true,
    refundMethod: wanted.refundMethod === undefined ? 'original_payment' : wanted.refundMethod,
    posSaleId: wanted.posSaleId ?? null,
  });
  return { returnId, orderId: order.orderId, orderItemId: orderItemId! };
}

/** A return of one mug that is not approved yet. */
export const aRequestedReturn = (orm: MikroORM) =>
  aReturn(orm, { locationId: null, isAutoApproved: false, refundMethod: null });

export const anItem = (orderItemId: number): RequestedItem => ({
  orderItemId,
  qtyRequested: pieces(1),
  reason: 'Changed mind',
  condition: 'Unopened',
  resolution: 'Refund',
  inspectedCondition: 'pristine',
  returnToStock: true,
  qtyReceived: null,
  targetSourceCode: null,
});

/** An attempt of such a return: started, claimed some seconds ago, or uncertain after that. */
export async function aRefundAttempt(
  orm: MikroORM,
  {
    locationId,
    state = 'uncertain',
    claimedSecondsAgo = 3_600,
  }: { locationId: number; state?: 'started' | 'uncertain'; claimedSecondsAgo?: number | null },
) {
  const rma = await aReturn(orm, { locationId });
  const { attempt } = await initialiseReturn(orm.em, { returnId: rma.returnId, canRefundThrough: () => true });
  const attemptId = attempt!.attemptId;
  if (claimedSecondsAgo !== null) {
    await claimRefundCall(orm.em.fork(), { attemptId, timeoutSeconds: 20 });
    await booksOf(() => orm).change(
      'refund_attempt',
      { attempt_id: attemptId },
      { call_started_at: inSeconds(-claimedSecondsAgo), call_deadline: inSeconds(20 - claimedSecondsAgo) },
    );
  }
  if (state === 'uncertain')
    await recordFinding(orm.em, { attemptId, finding: { evidence: 'unknown' }, now: new Date() });
  return { ...rma, attemptId };
}

/** Writes more into the plan of an attempt. */
export async function addToPlan(orm: MikroORM, attemptId: number, more: object): Promise<void> {
  const { theAttempt, change } = booksOf(() => orm);
  const { plan } = await theAttempt(attemptId, 'plan');
  await change('refund_attempt', { attempt_id: attemptId }, { plan: JSON.stringify({ ...plan, ...more }) });
}
