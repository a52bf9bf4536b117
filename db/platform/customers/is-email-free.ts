import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../../support/sql.ts';

/** Whether no account of a website has this e-mail, in any case of letters; website 0 means all websites. */
export const isEmailFree = async (em: EntityManager, input: { email: string; websiteId: number }): Promise<boolean> =>
  (await free.first(em, input))?.isFree === true;

const free = sql('is-email-free.free')`
  select not exists (select from customer
    where lower(email) = lower($email) and ($websiteId::bigint = 0 or website_id = $websiteId)) as is_free`;
