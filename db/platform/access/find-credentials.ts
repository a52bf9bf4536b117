import type { EntityManager } from '@mikro-orm/postgresql';

export interface Credentials {
  userId: number;
  passwordHash: string | null;
  /** Of an administrator: has a role. */
  hasRole: boolean;
}

interface Row {
  user_id: number;
  password_hash: string | null;
  has_role: boolean;
}

/** An active administrator by user name, whatever its case. */
export const findAdminCredentials = (em: EntityManager, username: string) =>
  first(
    em,
    `select user_id, password_hash, resources is not null as has_role
     from admin_user where lower(username) = lower(?) and is_active`,
    [username],
  );

/** A customer by e-mail, whatever its case, in the website of the call; in the admin scope in any, the oldest first. */
export const findCustomerCredentials = (em: EntityManager, email: string, websiteId: number) =>
  first(
    em,
    `select id as user_id, password_hash, false as has_role
     from customer where lower(email) = lower(?) and (website_id = ? or ? = 0) order by id limit 1`,
    [email, websiteId, websiteId],
  );

async function first(em: EntityManager, sql: string, parameters: readonly unknown[]): Promise<Credentials | undefined> {
  const [row] = await em.execute<Row[]>(sql, [...parameters]);
  return row && { userId: row.user_id, passwordHash: row.password_hash, hasRole: row.has_role };
}
