import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, orNull, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

export interface Credentials {
  userId: number;
  passwordHash: string | null;
  /** Of an administrator: has a role. */
  hasRole: boolean;
}

/** An active administrator by user name, whatever its case. */
export const findAdminCredentials = (em: EntityManager, username: string): Promise<Credentials | undefined> =>
  findAdmin.first(em, { username });

const findAdmin = statement({
  takes: { username: text },
  gives: { userId: integer, passwordHash: text, hasRole: surely(flag) },
  text: `
    select user_id, password_hash, resources is not null as has_role
    from admin_user where lower(username) = lower($username) and is_active`,
});

/** A customer by e-mail, whatever its case, in the website of the call; in the admin scope in any, the oldest first. */
export const findCustomerCredentials = (
  em: EntityManager,
  email: string,
  websiteId: number,
): Promise<Credentials | undefined> => findCustomer.first(em, { email, websiteId });

const findCustomer = statement({
  takes: { email: text, websiteId: integer },
  gives: { userId: integer, passwordHash: orNull(text), hasRole: surely(flag) },
  text: `
    select id as user_id, password_hash, false as has_role
    from customer where lower(email) = lower($email) and (website_id = $websiteId or $websiteId = 0)
    order by id limit 1`,
});
