import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, surely } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { RefundAttempt } from './refund-attempt.entity.ts';
import { unknownAttempt } from './refund-attempt.repository.ts';

/** Where the call of an attempt stands. */
export type CallOfAttempt = RowFrom<typeof read>;

/**
 * Whether somebody may still wait for the gateway's answer to an attempt, by the database's clock, which also set the
 * call's deadline. 404 for an unknown attempt.
 */
export async function readCall(em: EntityManager, attemptId: number): Promise<CallOfAttempt> {
  const call = await read.first(em, { attemptId });
  if (call === undefined) throw unknownAttempt(attemptId);
  return call;
}

const read = statement({
  takes: { attemptId: integer },
  gives: { ...of(RefundAttempt, 'state'), isRunning: surely(flag) },
  text: `
    select state, coalesce(state = 'started' and call_ended_at is null and call_deadline > clock_timestamp(), false)
      as is_running
    from refund_attempt where attempt_id = $attemptId`,
});
