import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExpectedLeg, SettlementOptions, RegisterReference } from '../../domain/refunds/quote-refund.ts';
import type { LockedOrder } from '../platform/orders/lock-order.ts';
import { openRefundAttempt, type OpenAttempt } from '../refunds/open-refund-attempt.ts';
import { refuseReferenceInUse } from '../refunds/refuse-reference-in-use.ts';
import type { ThroughGateway } from '../refunds/through-gateway.ts';
import { settleLocked, type SettledAs } from './book-settlement.ts';
import type { LockedReturn } from './lock-return.ts';

export interface SettlementThroughGateway extends ThroughGateway {
  order: LockedOrder;
  rma: LockedReturn;
  options: SettlementOptions;
  reported?: RegisterReference;
  expectedLegs?: readonly ExpectedLeg[];
  /** 503 where nobody waits any more. */
  refuseLate?: () => void;
}

/**
 * Refunds a return by its original payment, in the caller's transaction with order and return locked: records the
 * refund attempt before the gateway is called.
 *
 * Where all of it is credit no gateway is needed (our choice): the memo is booked at once, and the return ends
 * without an attempt. Refused as `openRefundAttempt` and `settleLocked`.
 */
export async function settleThroughGateway(
  em: EntityManager,
  { order, rma, canRefundThrough, options, reported, expectedLegs, refuseLate }: SettlementThroughGateway,
): Promise<SettledAs & { attempt?: OpenAttempt }> {
  if (reported !== undefined) await refuseReferenceInUse(em, { ...rma, reference: reported.reference });
  rma.status = 'awaiting_refund';
  rma.refundMethod = 'original_payment';
  const expected = expectedLegs === undefined ? {} : { expectedLegs };
  const late = refuseLate === undefined ? {} : { refuseLate };
  const asked = {
    order,
    rma,
    canRefundThrough,
    options,
    ...late,
    ...expected,
    ...(reported === undefined ? {} : { reported }),
  };
  const attempt = await openRefundAttempt(em, asked);
  if (attempt) return { status: rma.status, attempt };
  const settlement = { returnId: rma.returnId, method: 'original_payment', options } as const;
  rma.isReady = true;
  return settleLocked(em, {
    order,
    rma,
    settlement: { ...settlement, ...expected, ...reported },
  });
}
