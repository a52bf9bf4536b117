import type { EntityManager } from '@mikro-orm/postgresql';
import type { RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { integer, orNull, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Stores a gateway's answer that decides nothing, so that an operator can read it. The call is over: whoever waits for
 * its answer may ask the gateway what became of it.
 *
 * A note on an attempt that is still `started`; a repeat writes the same. A finding recorded since stays.
 */
export async function keepGatewayWord(
  em: EntityManager,
  attemptId: number,
  { gatewayOutcome, message }: RefundFinding,
): Promise<void> {
  await note.run(em, { attemptId, gatewayOutcome: gatewayOutcome ?? null, message: message ?? null });
}

const note = statement({
  takes: { attemptId: integer, gatewayOutcome: orNull(text), message: orNull(text) },
  text: `
    update refund_attempt set gateway_outcome = coalesce($gatewayOutcome, gateway_outcome),
      message = coalesce($message, message), call_ended_at = coalesce(call_ended_at, clock_timestamp()), updated_at = now()
    where attempt_id = $attemptId and state = 'started'`,
});
