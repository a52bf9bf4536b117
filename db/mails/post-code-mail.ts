import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Puts the mail of a one-time code into the outbox, in the transaction that makes the code. Unknown e-mails get one
 * as well: whether there is an account is checked when it is sent (decision 2). It expires with its code.
 *
 * @returns the mail to send after the commit
 */
export async function postCodeMail(em: EntityManager, mail: { codeId: number; sealed: string }): Promise<number> {
  const posted = await post.first(em, mail);
  if (!posted) throw new Error('a code is gone that was made a moment ago');
  return posted.mailId;
}

const post = statement({
  takes: { codeId: integer, sealed: text },
  gives: { mailId: integer },
  text: `
    insert into mail_outbox (mail_key, kind, code_id, sealed, dies_at)
    select 'one-time-code-' || c.code_id, 'one_time_code', c.code_id, $sealed, c.expires_at
    from pos_one_time_code c where c.code_id = $codeId
    returning mail_id`,
});
