import type { EntityManager } from '@mikro-orm/postgresql';
import { mailsCustomer } from '../../domain/mails/letters.ts';
import type { SettleMethod } from '../../domain/returns/resolution.ts';
import { sql } from '../support/sql.ts';

/**
 * Puts the mail about a refund into the outbox, in the transaction that books its memo (spec 4.8 `notifyCustomer`).
 *
 * Once per memo: a retry that finds the memo booked writes nothing.
 *
 * @returns the mail to send after the commit; undefined where none is wanted
 */
export async function postRefundMail(
  em: EntityManager,
  refund: { creditMemoId: number; method: SettleMethod; notifyCustomer: boolean },
): Promise<number | undefined> {
  if (!mailsCustomer(refund.method, refund)) return undefined;
  const { creditMemoId } = refund;
  return (await post.first(em, { mailKey: `refund-${creditMemoId}`, creditMemoId }))?.mailId;
}

const post = sql('post-refund-mail.post')`
  insert into mail_outbox (mail_key, kind, credit_memo_id) values ($mailKey, 'refund', $creditMemoId)
  on conflict (mail_key) do nothing returning mail_id`;
