import type { EntityManager } from '@mikro-orm/postgresql';
import { findRefundAttempt } from '../../db/refunds/refund-attempt.repository.ts';
import { PosError } from '../../domain/errors.ts';
import { gatewayUncertain } from '../../domain/refunds/gateway-uncertain.ts';
import { refundRefused } from '../../domain/refunds/refund-refused.ts';

/**
 * Tells a caller what became of a refund, from its row. The workflow tells a refusal to the first of several callers
 * only; the others hear it here.
 *
 * Refused with: 400 `gateway_refused` · 409 `gateway_uncertain`.
 */
export async function refuseUnlessGivenBack(em: EntityManager, { attemptId }: { attemptId: number }): Promise<void> {
  const { state, message, returnId } = await findRefundAttempt(em, attemptId);
  if (state === 'failed') throw new PosError(refundRefused({ attemptId, returnId, message }));
  if (state !== 'booked') throw gatewayUncertain({ attemptId, state, returnId });
}
