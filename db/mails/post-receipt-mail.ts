import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely, text } from '../support/kinds.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { statement } from '../support/statement.ts';

/** What the address of a receipt's mail is sealed for. */
export const mailAddressPurpose = 'mail address';

/**
 * Puts the mail with a receipt into the outbox, before anybody is asked to send it (spec 4.9). Each wish is a mail of its
 * own: who asks twice gets two.
 *
 * @param key tells this wish from others; the same one again is the same mail
 */
export async function postReceiptMail(
  em: EntityManager,
  box: SecretBox,
  { receiptId, to, key }: { receiptId: number; to: string; key: string },
): Promise<number> {
  const mailKey = `receipt-${receiptId}-${key}`.slice(0, 64);
  const row = await post.first(em, { receiptId, mailKey, sealedTo: box.seal(to, mailAddressPurpose) });
  if (!row) throw new Error('a mail was posted and is not there');
  return row.mailId;
}

const post = statement({
  takes: { receiptId: integer, mailKey: text, sealedTo: text },
  gives: { mailId: surely(integer) },
  text: `insert into mail_outbox (mail_key, kind, receipt_id, sealed_to) values ($mailKey, 'receipt', $receiptId, $sealedTo)
    on conflict (mail_key) do update set mail_key = excluded.mail_key returning mail_id`,
});
