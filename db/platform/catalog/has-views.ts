import type { EntityManager } from '@mikro-orm/postgresql';
import { flag } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** A shop of one store view has its words everywhere, as the platform does. */
export const hasViews = async (em: EntityManager): Promise<boolean> => (await several.first(em))?.areSeveral === true;

const several = statement({
  takes: {},
  gives: { areSeveral: flag },
  text: 'select count(*) > 1 as are_several from (select from store_view where store_id > 0 limit 2) as views',
});
