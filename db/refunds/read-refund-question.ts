import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';
import { unknownAttempt } from './refund-attempt.repository.ts';
import { sameIntent, sameIntentSql } from './refund-intent.ts';

/** What a look-up needs to know of an attempt: the gateway's answer must match exactly this. */
export type RefundQuestion = RowFrom<typeof selectQuestion>;

/** 404 for an unknown attempt. */
export async function readRefundQuestion(em: EntityManager, attemptId: number): Promise<RefundQuestion> {
  const question = await selectQuestion.first(em, { attemptId });
  if (question === undefined) throw unknownAttempt(attemptId);
  return question;
}

const selectQuestion = sql('read-refund-question.selectQuestion', { gives: { sameIntent } })`
  select a.attempt_id, a.name_tail, a.payment_method, a.payment_reference, a.amount, a.currency_code,
    a.gateway_account,
    o.store_id, ${sameIntentSql} as same_intent
  from refund_attempt a join sales_order o on o.entity_id = a.order_id where a.attempt_id = $attemptId`;
