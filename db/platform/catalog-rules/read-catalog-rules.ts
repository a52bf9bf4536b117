import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../../support/kinds.ts';
import { rowOf } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';

import { CatalogRule } from './catalog-rule.entity.ts';

export type CatalogRuleRow = RowFrom<typeof read>['rule'];

const rule = rowOf(CatalogRule, 'r');

/** A rule as it stands; undefined: there is none of this id. */
export const readCatalogRule = async (em: EntityManager, ruleId: number): Promise<CatalogRuleRow | undefined> =>
  (await read.first(em, { ruleId }))?.rule;

const read = statement({
  takes: { ruleId: integer },
  gives: { rule },
  text: `select ${rule.columns} from catalog_rule r where r.rule_id = $ruleId`,
});

/** A shop has dozens of rules; a list ends here. */
const mostRules = 1_000;

/** Every rule, in the order they are applied. */
export const readCatalogRules = async (em: EntityManager): Promise<CatalogRuleRow[]> =>
  (await readAll.all(em, { limit: mostRules })).map((row) => row.rule);

const readAll = statement({
  takes: { limit: integer },
  gives: { rule },
  text: `select ${rule.columns} from catalog_rule r order by r.sort_order, r.rule_id limit $limit`,
});

/**
 * Whose prices have to be worked out: the key of this installation, where a rule and something due is there. Undefined:
 * nothing is to be done.
 */
export const findDuePrices = async (em: EntityManager): Promise<string | undefined> =>
  (await due.first(em))?.installationKey;

const due = statement({
  takes: {},
  gives: { installationKey: text },
  text: `select installation_key from installation where exists (select from catalog_rule_due)
    and (exists (select from catalog_rule) or exists (select from catalog_rule_price))`,
});
