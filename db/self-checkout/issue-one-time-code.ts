import type { EntityManager } from '@mikro-orm/postgresql';
import { postCodeMail } from '../mails/post-code-mail.ts';
import { integer, text } from '../support/kinds.ts';
import { countAttempt, forgetAttempt, type Bucket } from '../support/rate-limit.ts';
import { statement } from '../support/statement.ts';
import { joined, transact } from '../support/transact.ts';

/** A code to be kept, already in digests. */
export interface NewOneTimeCode {
  emailDigest: string;
  terminalId: number;
  websiteId: number;
  codeDigest: string;
  /** E-mail and code for the mail. */
  sealed: string;
  ttlSeconds: number;
  mostGuesses: number;
  /** The same for a request that is carried out again. */
  requestKey: string;
  buckets: readonly Bucket[];
}

/**
 * Counts a request and keeps its code in place of the one before, with the mail that tells it: all in one transaction
 * (spec 3.5). It neither knows nor asks whether the e-mail has an account, so a stranger's request is the same to the
 * last byte (decision 1).
 *
 * Exact at any number of requests at once: those for one e-mail wait for each other at its bucket. A request that was
 * carried out before finds its own code and counts no second time.
 *
 * @returns the mail to send; undefined where there were too many requests, which then count in no bucket
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

/** Takes a code back that nobody can send: it was never asked for. Safe to repeat. */
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

/** Its mail goes with it: a code that was replaced is never told. */
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
