import type { EntityManager } from '@mikro-orm/postgresql';
import { postCodeMail } from '../mails/post-code-mail.ts';
import { integer, text } from '../support/kinds.ts';
import { countAttempt, forgetAttempt, type Bucket } from '../support/rate-limit.ts';
import { statement } from '../support/statement.ts';
import { joined, transact } from '../support/transact.ts';

/** A code to store, already as digests. */
export interface NewOneTimeCode {
  emailDigest: string;
  terminalId: number;
  websiteId: number;
  codeDigest: string;
  /** E-mail and code for the mail. */
  sealed: string;
  ttlSeconds: number;
  mostGuesses: number;
  /** The same for a repeat of the request. */
  requestKey: string;
  buckets: readonly Bucket[];
}

/**
 * Counts a request and stores its code in place of the former one, with its mail, in one transaction (spec 3.5). It
 * never checks whether the e-mail has an account, so a request for an unknown e-mail is the same to the last byte
 * (decision 1).
 *
 * Exact for any number of concurrent requests: those for one e-mail wait for each other at its bucket. A repeated
 * request finds its own code and is not counted twice.
 *
 * @returns the mail to send; undefined for too many requests, which then count in no bucket
 */
export const issueOneTimeCode = (em: EntityManager, wish: NewOneTimeCode): Promise<number | undefined> =>
  transact(em, async (tx) => {
    const { emailDigest, requestKey, buckets, sealed, ...code } = wish;
    const before = await findIssued.first(tx, { emailDigest, requestKey });
    if (before) return before.mailId;
    if (!(await countAttempt(joined(tx), buckets))) return undefined;
    await forgetFormer.run(tx, { emailDigest });
    const issued = await insert.first(tx, { ...code, emailDigest, requestKey });
    if (!issued) throw new Error('a one-time code was not kept');
    return postCodeMail(tx, { codeId: issued.codeId, sealed });
  });

/** Withdraws a code that cannot be sent: it counts as never requested. Safe to repeat. */
export async function withdrawOneTimeCode(em: EntityManager, wish: NewOneTimeCode): Promise<void> {
  const { emailDigest, requestKey, buckets } = wish;
  const gone = await withdraw.run(em, { emailDigest, requestKey });
  if (gone > 0) await forgetAttempt(em, buckets);
}

const findIssued = statement({
  takes: { emailDigest: text, requestKey: text },
  gives: { mailId: integer },
  text: `
    select m.mail_id from pos_one_time_code c join mail_outbox m on m.code_id = c.code_id
    where c.email_digest = $emailDigest and c.request_key = $requestKey::uuid`,
});

/** Its mail is deleted, too: a replaced code is never sent. */
const forgetFormer = statement({
  takes: { emailDigest: text },
  text: 'delete from pos_one_time_code where email_digest = $emailDigest',
});

const insert = statement({
  takes: {
    emailDigest: text,
    terminalId: integer,
    websiteId: integer,
    codeDigest: text,
    ttlSeconds: integer,
    mostGuesses: integer,
    requestKey: text,
  },
  gives: { codeId: integer },
  text: `
    insert into pos_one_time_code
      (email_digest, terminal_id, website_id, code_digest, most_guesses, request_key, expires_at)
    values ($emailDigest, $terminalId, $websiteId, $codeDigest, $mostGuesses, $requestKey::uuid,
      clock_timestamp() + make_interval(secs => $ttlSeconds))
    returning code_id`,
});

const withdraw = statement({
  takes: { emailDigest: text, requestKey: text },
  text: 'delete from pos_one_time_code where email_digest = $emailDigest and request_key = $requestKey::uuid',
});
