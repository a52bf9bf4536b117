import { z } from 'zod';
import type { ReturnRecord } from '../../db/returns/return.repository.ts';
import { readPointsOwed } from '../../db/reward-points/read-points.ts';
import { shownMethod } from '../../domain/returns/refund-method.ts';
import { labelOf } from '../../domain/returns/return-status.ts';
import type { RouteContext } from '../http/route.ts';
import { renderLeg, returnLeg } from '../wire/refund-legs.ts';

const item = z
  .object({
    entity_id: z.int(),
    order_item_id: z.int(),
    product_name: z.string().nullable(),
    product_sku: z.string(),
    qty_requested: z.number(),
    qty_authorized: z.number().nullable(),
    qty_approved: z.number().nullable(),
    qty_returned: z.number().nullable(),
    reason: z.string().nullable(),
    condition: z.string().nullable(),
    resolution: z.string().nullable(),
    status: z.string(),
  })
  .meta({ id: 'ReturnItem' });

const comment = z
  .object({
    comment: z.string(),
    is_customer_notified: z.boolean(),
    is_visible_on_front: z.boolean(),
    status: z.string().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'ReturnComment' });

/** A return in a register's answer (spec 2.11). */
export const returnAnswer = z
  .object({
    id: z.int(),
    increment_id: z.string(),
    order_id: z.int(),
    order_increment_id: z.string(),
    customer_id: z.int().nullable(),
    status: z.string(),
    status_label: z.string(),
    items: z.array(item),
    comments: z.array(comment),
    created_at: z.string(),
    updated_at: z.string(),
    refund_method: z.string().nullable(),
    credit_memo_id: z.int().nullable(),
    credit_memo_increment_id: z.string().nullable(),
    pos_sale_id: z.string().optional(),
    reused: z.boolean().optional(),
    ready: z.boolean().optional(),
    refund_legs: z.array(returnLeg),
    base_refund_total: z.number().nullable(),
    base_handback: z.number().nullable(),
    refund_difference: z.string().nullable(),
    refund_attempt_id: z.int().optional(),
    refund_attempt_state: z.string().optional(),
    points_owed: z.int().optional(),
  })
  .meta({ id: 'Return' });

/**
 * The only place that knows a return's wire names.
 *
 * @param reused on a create's answer only: whether the sale already had this return
 */
export function renderReturn(rma: ReturnRecord, reused?: boolean): z.input<typeof returnAnswer> {
  return {
    id: rma.returnId,
    increment_id: rma.incrementId,
    order_id: rma.orderId,
    order_increment_id: rma.orderIncrementId,
    customer_id: rma.customerId,
    status: rma.status,
    status_label: labelOf(rma.status),
    items: rma.items,
    comments: rma.comments,
    created_at: rma.createdAt,
    updated_at: rma.updatedAt,
    refund_method: shownMethod(rma.refundMethod),
    credit_memo_id: rma.creditMemoId,
    credit_memo_increment_id: rma.creditMemoIncrementId,
    ...(rma.posSaleId === null ? {} : { pos_sale_id: rma.posSaleId, ready: rma.isReady }),
    ...(reused === undefined ? {} : { reused }),
    refund_legs: rma.refundLegs.map((leg) => renderLeg(leg)),
    base_refund_total: rma.baseRefundTotal,
    base_handback: rma.baseHandback,
    refund_difference: rma.refundDifference,
    ...(rma.attemptId === null || rma.attemptState === null
      ? {}
      : { refund_attempt_id: rma.attemptId, refund_attempt_state: rma.attemptState }),
  };
}

/** A return whose money went back, with the points of its sale that the customer has spent and owes now, if any. */
export async function withPointsOwed(
  { em }: Pick<RouteContext, 'em'>,
  rma: ReturnRecord,
  reused?: boolean,
): Promise<z.input<typeof returnAnswer>> {
  const answer = renderReturn(rma, reused);
  if (rma.creditMemoId === null || rma.customerId === null) return answer;
  const owed = await readPointsOwed(em, rma.orderId);
  return owed > 0 ? { ...answer, points_owed: owed } : answer;
}
