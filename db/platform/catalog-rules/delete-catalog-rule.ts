import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** Deletes a rule; prices follow automatically. A repeat finds none. */
export const deleteCatalogRule = async (em: EntityManager, ruleId: number): Promise<boolean> =>
  (await remove.run(em, { ruleId })) > 0;

const remove = statement({
  takes: { ruleId: integer },
  text: 'delete from catalog_rule where rule_id = $ruleId',
});
