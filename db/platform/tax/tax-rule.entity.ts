import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Ids in a column of PostgreSQL's own list type, so that a statement can look into it. */
const ids = () => p.array(Number, String).columnType('integer[]');

/**
 * Says which tax rates hold for goods and customers of some classes (platform facts 9.5). Rates of rules with one
 * priority are added. A higher priority comes on top of the tax before it, unless `calculateSubtotal` says otherwise.
 *
 * Its rates and classes are not foreign keys: who saves a rule or deletes one of them locks the rows.
 */
export const TaxRule = defineEntity({
  name: 'TaxRule',
  tableName: 'tax_rule',
  properties: {
    ruleId: p.integer().primary().autoincrement(),
    code: p.string().length(255),
    priority: p.integer().default(0),
    position: p.integer().default(0),
    /** Its rates are of the price alone, whatever its priority. */
    calculateSubtotal: p.boolean().default(false),
    customerTaxClassIds: ids(),
    productTaxClassIds: ids(),
    taxRateIds: ids(),
  },
  uniques: [
    {
      name: 'tax_rule_code_once',
      expression: 'create unique index "tax_rule_code_once" on "tax_rule" (lower("code"))',
    },
  ],
  checks: [{ name: 'tax_rule_order_not_negative', expression: 'priority >= 0 and position >= 0' }],
});

export type TaxRule = InferEntity<typeof TaxRule>;
