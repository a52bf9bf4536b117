import type { EntityManager } from '@mikro-orm/postgresql';
import { text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** The key of this installation, where a rule exists and recalculation is due. Undefined: nothing to do. */
export const findDuePrices = async (em: EntityManager): Promise<string | undefined> =>
  (await due.first(em))?.installationKey;

const due = statement({
  takes: {},
  gives: { installationKey: text },
  text: `select installation_key from installation where exists (select from catalog_rule_due)
    and (exists (select from catalog_rule) or exists (select from catalog_rule_price))`,
});
