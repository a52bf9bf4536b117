import type { EntityManager } from '@mikro-orm/postgresql';
import { tellsCustomer } from '../../domain/mails/tells-customer.ts';
import type { SettleMethod } from '../../domain/returns/refund-method.ts';

/**
 * Puts the mail about a refund into the outbox, in the transaction that books its memo (spec 4.8 `notifyCustomer`).
 *
 * Once per memo: a retry that finds the memo booked comes to nothing here.
 *
 * @returns the mail to send once this is committed; undefined where none is wanted
 */
export async function postRefundMail(
  em: EntityManager,
  refund: { creditMemoId: number; method: SettleMethod; notifyCustomer: boolean },
): Promise<number | undefined> {
  if (!tellsCustomer(refund.method, refund)) return undefined;
  const [posted] = await em.execute<{ mail_id: number }[]>(
    `insert into mail_outbox (mail_key, kind, credit_memo_id) values (?, 'refund', ?)
     on conflict (mail_key) do nothing returning mail_id`,
    [`refund-${refund.creditMemoId}`, refund.creditMemoId],
  );
  return posted?.mail_id;
}
