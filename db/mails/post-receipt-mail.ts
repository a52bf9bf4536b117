import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, surely, text } from '../support/kinds.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { statement } from '../support/statement.ts';

/** The purpose with which the address of a receipt's mail is sealed. */
export const mailAddressPurpose = 'mail address';

/** A joined mail may be sent before the join is stored; three times in a row that does not happen. */
const mostRounds = 3;

/**
 * Puts the mail with a receipt into the outbox, before it is sent (spec 4.9). A second request for the same receipt
 * and address joins the waiting mail, so that the recipient gets one.
 *
 * @param key identifies the request; the same key is the same mail
 */
export async function postReceiptMail(
  em: EntityManager,
  box: SecretBox,
  { receiptId, to, key }: { receiptId: number; to: string; key: string },
): Promise<number> {
  const mailKey = `receipt-${receiptId}-${key}`.slice(0, 64);
  const wishDigest = box.digest(`${receiptId} ${to.toLowerCase()}`, mailAddressPurpose);
  const sealedTo = box.seal(to, mailAddressPurpose);
  for (let round = 0; round < mostRounds; round++) {
    const row =
      (await post.first(em, { receiptId, mailKey, sealedTo, wishDigest })) ??
      (await find.first(em, { receiptId, mailKey })) ??
      (await join.first(em, { mailKey, wishDigest }));
    if (row) return row.mailId;
  }
  throw new Error('a mail was posted and is not there');
}

/** Of two concurrent calls one creates the row; the other waits for it here and then finds it. */
const post = statement({
  takes: { receiptId: integer, mailKey: text, sealedTo: text, wishDigest: text },
  gives: { mailId: surely(integer) },
  text: `
    insert into mail_outbox (mail_key, kind, receipt_id, sealed_to, wish_digest)
    select $mailKey::text, 'receipt', $receiptId, $sealedTo, $wishDigest
    where not exists (select from mail_outbox where receipt_id = $receiptId and $mailKey::text = any(joined_keys))
    on conflict do nothing returning mail_id`,
});

const find = statement({
  takes: { receiptId: integer, mailKey: text },
  gives: { mailId: surely(integer) },
  text: `
    select mail_id from mail_outbox
    where receipt_id = $receiptId and (mail_key = $mailKey::text or $mailKey::text = any(joined_keys))`,
});

const join = statement({
  takes: { mailKey: text, wishDigest: text },
  gives: { mailId: surely(integer) },
  text: `
    update mail_outbox set joined_keys = array_append(joined_keys, $mailKey::text) where wish_digest = $wishDigest
    returning mail_id`,
});
