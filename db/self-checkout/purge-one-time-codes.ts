import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Deletes expired codes, at most so many, by the database's clock, with their mails (spec 3.5).
 *
 * Safe to repeat, and to run concurrently: runs skip each other's rows.
 *
 * @returns how many were deleted
 */
export const purgeOneTimeCodes = (em: EntityManager, { limit }: { limit: number }): Promise<number> =>
  purge.run(em, { limit });

const purge = statement({
  takes: { limit: integer },
  text: `
    delete from pos_one_time_code where code_id = any (array(
      select code_id from pos_one_time_code where expires_at <= now() order by expires_at limit $limit
      for update skip locked))`,
});
