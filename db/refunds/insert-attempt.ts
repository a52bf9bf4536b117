import type { EntityManager } from '@mikro-orm/postgresql';
import type { NewRowOf } from '../support/entity-columns.ts';
import { integer, surely } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import { insertRows, into } from '../support/write-rows.ts';
import { RefundAttempt } from './refund-attempt.entity.ts';
import type { AttemptRow } from './refund-attempt.repository.ts';
import { shopNow } from '../support/shop-clock.ts';

/** Writes an attempt whose call is not claimed yet, in the caller's transaction. A repeat writes another one. */
export async function insertAttempt(
  em: EntityManager,
  attempt: NewRowOf<typeof RefundAttempt>,
): Promise<Pick<AttemptRow, 'attemptId' | 'orderId' | 'callStartedAt'>> {
  const drawn = await draw.first(em);
  if (!drawn) throw new Error('no id for a refund attempt');
  const now = shopNow();
  await insertRows(em, [into(RefundAttempt, [{ ...attempt, ...drawn, createdAt: now, updatedAt: now }])]);
  return { ...drawn, orderId: attempt.orderId, callStartedAt: null };
}

const draw = statement({
  takes: {},
  gives: { attemptId: surely(integer) },
  text: `select nextval('refund_attempt_attempt_id_seq')::int as attempt_id`,
});
