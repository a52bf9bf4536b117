import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/**
 * Removes a batch of versions that are not among the newest `kept` of their content; never one that was published, nor one
 * that a schedule is to publish.
 *
 * A repeat removes the next. Two at once leave alone what the other is removing.
 *
 * @returns how many went
 */
export const purgeVersions = (em: EntityManager, given: { kept: number; limit: number }): Promise<number> =>
  purge.run(em, given);

const purge = statement({
  takes: { kept: integer, limit: integer },
  text: `
    with old as (
      select v.content_id, v.number from content_item i join content_version v using (content_id)
      where i.draft_number > $kept and v.number <= i.draft_number - $kept and v.published_at is null
        and not exists (select from content_schedule s
          where s.content_id = v.content_id and s.number = v.number and s.state = 'pending')
      limit $limit for update of v skip locked)
    delete from content_version t using old where t.content_id = old.content_id and t.number = old.number`,
});
