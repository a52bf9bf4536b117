import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, orNull, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

export interface Credentials {
  userId: number;
  passwordHash: string | null;
  /** For an administrator: whether a role is set. */
  hasRole: boolean;
  /** For a customer: the account waits for its e-mail to be confirmed. */
  isAwaiting?: boolean;
}

/** An active administrator by user name, in any case of letters. */
export const findAdminCredentials = (em: EntityManager, username: string): Promise<Credentials | undefined> =>
  findAdmin.first(em, { username });

const findAdmin = statement({
  takes: { username: text },
  gives: { userId: integer, passwordHash: text, hasRole: surely(flag) },
  text: `
    select user_id, password_hash, resources is not null as has_role
    from admin_user where lower(username) = lower($username) and is_active`,
});

/**
 * A customer by e-mail, in any case of letters, in the website of the call. In the admin scope every website counts,
 * the oldest account first.
 */
export const findCustomerCredentials = (
  em: EntityManager,
  email: string,
  websiteId: number,
): Promise<Credentials | undefined> => findCustomer.first(em, { email, websiteId });

const findCustomer = statement({
  takes: { email: text, websiteId: integer },
  gives: { userId: integer, passwordHash: orNull(text), hasRole: surely(flag), isAwaiting: surely(flag) },
  text: `
    select id as user_id, password_hash, false as has_role, confirmation is not null as is_awaiting
    from customer where lower(email) = lower($email) and (website_id = $websiteId or $websiteId = 0)
    order by id limit 1`,
});
