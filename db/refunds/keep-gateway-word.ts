import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';

/**
 * Keeps what the gateway answered where that decides nothing, so that whoever has to find out can read it.
 *
 * A note on an attempt that is still `started`; a repeat writes the same. What was recorded since stays.
 */
export async function keepGatewayWord(
  em: EntityManager,
  attemptId: number,
  { gatewayOutcome, message }: RefundFinding,
): Promise<void> {
  await em.execute(
    `update refund_attempt set gateway_outcome = coalesce(?, gateway_outcome), message = coalesce(?, message), updated_at = now()
     where attempt_id = ? and state = 'started'`,
    [gatewayOutcome ?? null, message ?? null, attemptId],
  );
}
