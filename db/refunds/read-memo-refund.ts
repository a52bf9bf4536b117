import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, orNull, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { RefundAttempt } from './refund-attempt.entity.ts';
import { unknownAttempt } from './refund-attempt.repository.ts';

/** A refund through a gateway that the platform's own routes requested, for its workflow and its route. */
export type MemoRefundRecord = RowFrom<typeof read>;

/** Reads one such refund. Refused with: 404 unknown attempt. */
export async function readMemoRefund(em: EntityManager, attemptId: number): Promise<MemoRefundRecord> {
  const row = await read.first(em, { attemptId });
  if (!row) throw unknownAttempt(attemptId);
  return row;
}

/** What became of the attempt that the request with this key wrote; undefined: it wrote none. */
export async function stateOfAttempt(
  em: EntityManager,
  { attemptId, requestKey }: { attemptId: number; requestKey: string },
): Promise<MemoRefundRecord['state'] | undefined> {
  const row = await read.first(em, { attemptId });
  return row?.requestKey === requestKey ? row.state : undefined;
}

const read = statement({
  takes: { attemptId: integer },
  gives: {
    ...of(RefundAttempt, 'attemptId', 'orderId', 'state', 'message', 'creditMemoId'),
    isClaimed: surely(flag),
    requestKey: orNull(text),
  },
  text: `
    select attempt_id, order_id, state, message, credit_memo_id, call_started_at is not null as is_claimed,
      plan #>> '{memo,requestKey}' as request_key
    from refund_attempt where attempt_id = $attemptId`,
});
