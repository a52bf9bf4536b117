import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../../support/kinds.ts';
import { rowOf } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';

import { CatalogRule } from './catalog-rule.entity.ts';

export type CatalogRuleRow = RowFrom<typeof read>['rule'];

const rule = rowOf(CatalogRule, 'r');

/** One rule; undefined for an unknown id. */
export const readCatalogRule = async (em: EntityManager, ruleId: number): Promise<CatalogRuleRow | undefined> =>
  (await read.first(em, { ruleId }))?.rule;

const read = statement({
  takes: { ruleId: integer },
  gives: { rule },
  text: `select ${rule.columns} from catalog_rule r where r.rule_id = $ruleId`,
});

/** The most rules of one list; a shop has dozens. */
const mostRules = 1_000;

/** Every rule, in the order in which they apply. */
export const readCatalogRules = async (em: EntityManager): Promise<CatalogRuleRow[]> =>
  (await readAll.all(em, { limit: mostRules })).map((row) => row.rule);

const readAll = statement({
  takes: { limit: integer },
  gives: { rule },
  text: `select ${rule.columns} from catalog_rule r order by r.sort_order, r.rule_id limit $limit`,
});

/** The key of this installation, where a rule exists and recalculation is due. Undefined: nothing to do. */
export const findDuePrices = async (em: EntityManager): Promise<string | undefined> =>
  (await due.first(em))?.installationKey;

const due = statement({
  takes: {},
  gives: { installationKey: text },
  text: `select installation_key from installation where exists (select from catalog_rule_due)
    and (exists (select from catalog_rule) or exists (select from catalog_rule_price))`,
});
