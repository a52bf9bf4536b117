import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';
import { transact } from '../support/transact.ts';

/**
 * Deletes a batch of versions beyond the newest `kept` of their content; never a version that was published or that a
 * schedule will publish.
 *
 * A repeat deletes the next batch. Concurrent runs skip each other's rows, and rows that are being published or
 * scheduled.
 *
 * @returns how many were deleted
 */
export const purgeVersions = (em: EntityManager, input: { kept: number; limit: number }): Promise<number> =>
  transact(em, async (tx) => {
    const old = await lockOld.all(tx, input);
    return purge.run(tx, {
      contentIds: old.map(({ contentId }) => contentId),
      numbers: old.map(({ number }) => number),
    });
  });

const lockOld = sql('purge-versions.lockOld')`
  select v.content_id, v.number from content_item i join content_version v using (content_id)
  where i.draft_number > $kept and v.number <= i.draft_number - $kept and v.published_at is null
    and not exists (select from content_schedule s
      where s.content_id = v.content_id and s.number = v.number and s.state = 'pending')
  limit $limit for update of v skip locked`;

/**
 * Checks for schedules again: one may have been committed between the first check and the lock. After the lock none
 * can be.
 */
const purge = sql('purge-versions.purge')`
  delete from content_version t using unnest($contentIds::bigint[], $numbers::int[]) as old (content_id, number)
  where t.content_id = old.content_id and t.number = old.number
    and not exists (select from content_schedule s
      where s.content_id = t.content_id and s.number = t.number and s.state = 'pending')`;
