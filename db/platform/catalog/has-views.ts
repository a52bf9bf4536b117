import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integers } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/**
 * Whether the shop has more than one store view. With only one, values are saved as global ones, as the platform does.
 */
export const hasViews = async (em: EntityManager): Promise<boolean> => (await several.first(em))?.areSeveral === true;

const several = statement({
  takes: {},
  gives: { areSeveral: flag },
  text: 'select count(*) > 1 as are_several from (select from store_view where store_id > 0 limit 2) as views',
});

/** Whether these websites have more than one store view together. */
export const areSeenInViews = async (em: EntityManager, websiteIds: readonly number[]): Promise<boolean> =>
  (await severalOf.first(em, { websiteIds }))?.areSeveral === true;

const severalOf = statement({
  takes: { websiteIds: integers },
  gives: { areSeveral: flag },
  text: `
    select count(*) > 1 as are_several from (
      select from store_view where store_id > 0 and website_id = any($websiteIds::integer[]) limit 2) as views`,
});
