import type { EntityManager } from '@mikro-orm/postgresql';
import { Customer } from '../platform/customers/customer.entity.ts';
import { emailKey } from '../../domain/staff/email-key.ts';
import { flag, integer, orNull, surely, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { Terminal } from '../terminals/terminal.entity.ts';

/** The code that a kiosk may guess: the last one requested there for an e-mail; ids are null where there is none. */
export type AskedCode = RowFrom<typeof read>;

/** Undefined for an unknown terminal. Codes of other terminals are not found. */
export const findAskedCode = (
  em: EntityManager,
  asked: { emailDigest: string; terminalId: number },
): Promise<AskedCode | undefined> => read.first(em, asked);

const read = statement({
  takes: { emailDigest: text, terminalId: integer },
  gives: {
    ...of(Terminal, 'isActive'),
    codeId: orNull(integer),
    websiteId: orNull(integer),
    requestKey: orNull(text),
    /** The request that used it. */
    consumerKey: orNull(text),
  },
  text: `
    select t.is_active, c.code_id, c.website_id, c.request_key, c.consumer_key
    from pos_terminal t
    left join pos_one_time_code c on c.terminal_id = t.terminal_id and c.email_digest = $emailDigest
    where t.terminal_id = $terminalId`,
});

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

const use = statement({
  takes: { codeId: integer, codeDigest: text, consumerKey: text },
  gives: { isRight: surely(flag) },
  text: `
    update pos_one_time_code
    set guesses = guesses + 1, updated_at = now(),
      consumed_at = case when code_digest = $codeDigest then now() end,
      consumer_key = case when code_digest = $codeDigest then $consumerKey::uuid end
    where code_id = $codeId and guesses < most_guesses and consumed_at is null and expires_at > clock_timestamp()
    returning consumed_at is not null as is_right`,
});

/** The few fields of a customer that a terminal gets without further rights (spec 2.9). */
export type CustomerSummary = RowFrom<typeof summary>;

/** The customer with this e-mail on a website; undefined for an unknown one. */
export const findSummary = (
  em: EntityManager,
  { websiteId, email }: { websiteId: number; email: string },
): Promise<CustomerSummary | undefined> => summary.first(em, { websiteId, emailKey: emailKey(email) });

const summary = statement({
  takes: { websiteId: integer, emailKey: text },
  gives: {
    ...of(Customer, 'id', 'email', 'firstname', 'lastname', 'groupId', 'websiteId', 'taxvat', 'defaultBilling'),
    company: orNull(text),
  },
  text: `
    select c.id, c.email, c.firstname, c.lastname, c.group_id, c.website_id, c.taxvat, c.default_billing, a.company
    from customer c left join customer_address a on a.id = c.default_billing
    where c.website_id = $websiteId and lower(c.email) = $emailKey`,
});
