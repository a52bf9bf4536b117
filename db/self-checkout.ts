import type { EntityManager } from '@mikro-orm/postgresql';
import { emailKey } from '../domain/staff.ts';
import { postCodeMail } from './mails/post-document-mail.ts';
import { countAttempt, forgetAttempt, type Bucket } from './support/rate-limit.ts';
import { sql } from './support/sql.ts';
import type { RowFrom } from './support/statement.ts';
import { joined, transact } from './support/transact.ts';

/** A terminal as a kiosk: whether it is active, and the website of its customers. */
export type Kiosk = RowFrom<typeof selectAskingTerminal>;

/** The terminal with the store view of its location; undefined where it does not exist. */
export const findKiosk = (em: EntityManager, terminalId: number): Promise<Kiosk | undefined> =>
  selectAskingTerminal.first(em, { terminalId });

const selectAskingTerminal = sql('self-checkout.selectAskingTerminal')`
  select t.is_active, coalesce(p.website_id, 0) > 0 as is_placed, v.store_id, v.website_id
  from pos_terminal t
  left join pos_location p using (location_id)
  left join lateral pos_view_of_place(p.website_id, p.store_view_id) v on true
  where t.terminal_id = $terminalId`;

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
export const issueOneTimeCode = (em: EntityManager, input: NewOneTimeCode): Promise<number | undefined> =>
  transact(em, async (tx) => {
    const { emailDigest, requestKey, buckets, sealed, ...code } = input;
    const before = await findIssued.first(tx, { emailDigest, requestKey });
    if (before) return before.mailId;
    if (!(await countAttempt(joined(tx), buckets))) return undefined;
    await forgetFormer.run(tx, { emailDigest });
    const issued = await insert.first(tx, { ...code, emailDigest, requestKey });
    if (!issued) throw new Error('a one-time code was not kept');
    return postCodeMail(tx, { codeId: issued.codeId, sealed });
  });

/** Withdraws a code that cannot be sent: it counts as never requested. Safe to repeat. */
export async function withdrawOneTimeCode(em: EntityManager, input: NewOneTimeCode): Promise<void> {
  const { emailDigest, requestKey, buckets } = input;
  const gone = await withdraw.run(em, { emailDigest, requestKey });
  if (gone > 0) await forgetAttempt(em, buckets);
}

const findIssued = sql('self-checkout.findIssued')`
  select m.mail_id from pos_one_time_code c join mail_outbox m on m.code_id = c.code_id
  where c.email_digest = $emailDigest and c.request_key = $requestKey::uuid`;

/** Its mail is deleted, too: a replaced code is never sent. */
const forgetFormer = sql('self-checkout.forgetFormer')`delete from pos_one_time_code where email_digest = $emailDigest`;

const insert = sql('self-checkout.insert')`
  insert into pos_one_time_code
    (email_digest, terminal_id, website_id, code_digest, most_guesses, request_key, expires_at)
  values ($emailDigest, $terminalId, $websiteId, $codeDigest, $mostGuesses, $requestKey::uuid,
    clock_timestamp() + make_interval(secs => $ttlSeconds))
  returning code_id`;

const withdraw = sql('self-checkout.withdraw')`
  delete from pos_one_time_code where email_digest = $emailDigest and request_key = $requestKey::uuid`;

/** The code that a kiosk may guess: the last one requested there for an e-mail; ids are null where there is none. */
export type RequestedCode = RowFrom<typeof readUseOneTimeCode>;

/** Undefined for an unknown terminal. Codes of other terminals are not found. */
export const findRequestedCode = (
  em: EntityManager,
  request: { emailDigest: string; terminalId: number },
): Promise<RequestedCode | undefined> => readUseOneTimeCode.first(em, request);

const readUseOneTimeCode = sql('self-checkout.readUseOneTimeCode')`
  select t.is_active, c.code_id, c.website_id, c.request_key, c.consumer_key
  from pos_terminal t
  left join pos_one_time_code c on c.terminal_id = t.terminal_id and c.email_digest = $emailDigest
  where t.terminal_id = $terminalId`;

/**
 * Counts a guess and compares it, in one guarded statement by the database's clock. Of any number of concurrent
 * guesses, no more are checked than the code permits, and at most one is right (spec 3.5).
 *
 * @returns whether it was right; false also where it was not checked: expired, used, or too many guesses
 */
export const useOneTimeCode = async (
  em: EntityManager,
  guess: { codeId: number; codeDigest: string; consumerKey: string },
): Promise<boolean> => (await use.first(em, guess))?.isRight ?? false;

const use = sql('self-checkout.use')`
  update pos_one_time_code
  set guesses = guesses + 1, updated_at = now(),
    consumed_at = case when code_digest = $codeDigest then now() end,
    consumer_key = case when code_digest = $codeDigest then $consumerKey::uuid end
  where code_id = $codeId and guesses < most_guesses and consumed_at is null and expires_at > clock_timestamp()
  returning consumed_at is not null as is_right`;

/** The few fields of a customer that a terminal gets without further rights (spec 2.9). */
export type CustomerSummary = RowFrom<typeof summary>;

/** The customer with this e-mail on a website; undefined for an unknown one. */
export const findSummary = (
  em: EntityManager,
  { websiteId, email }: { websiteId: number; email: string },
): Promise<CustomerSummary | undefined> => summary.first(em, { websiteId, emailKey: emailKey(email) });

const summary = sql('self-checkout.summary')`
  select c.id, c.email, c.firstname, c.lastname, c.group_id, c.website_id, c.taxvat, c.default_billing, a.company
  from customer c left join customer_address a on a.id = c.default_billing
  where c.website_id = $websiteId and lower(c.email) = $emailKey`;
