import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { taxRuleFaults, type TaxRuleDraft } from '../../../domain/platform/tax-errors.ts';
import { records } from '../../support/records.ts';
import { fieldsNamed } from '../../support/search-fields.ts';
import { holdTaxClasses, holdTaxRates } from './hold-tax-terms.ts';
import { TaxRule } from './tax.entity.ts';
import { codeIsTaken } from './taken-codes.ts';

/**
 * The rates that hold for goods and customers of some classes (platform facts 9.5). Carts are taxed by them from the next
 * reading on. A repeat of a creation is refused, because the code is taken. A rule's rates and classes stay when it goes.
 *
 * Refused with: 404 `taxRuleId` unknown rule · 400 no code, position or priority, no rate or class, an unknown one, a
 * code that is taken in any case of letters.
 */
export const taxRules = records<TaxRule, TaxRuleDraft, number>({
  entity: TaxRule,
  key: 'ruleId',
  fields: fieldsNamed(TaxRule, {
    id: 'ruleId',
    tax_calculation_rule_id: 'ruleId',
    code: 'code',
    priority: 'priority',
    position: 'position',
    calculate_subtotal: 'calculateSubtotal',
    product_tax_class_ids: 'productTaxClassIds',
    tax_rate_ids: 'taxRateIds',
    tax_calculation_rate_id: 'taxRateIds',
    customer_tax_class_ids: 'customerTaxClassIds',
  }),
  unknown: (ruleId) => noSuchEntity('taxRuleId', ruleId),
  taken: codeIsTaken,

  async write(tx, rule, known) {
    const classes = await holdTaxClasses(tx, [...(rule.customerTaxClassIds ?? []), ...(rule.productTaxClassIds ?? [])]);
    const faults = taxRuleFaults(rule, { classes, rateIds: await holdTaxRates(tx, rule.taxRateIds ?? []) });
    if (faults.length > 0) throw invalid(faults.join('\n'));
    const columns = columnsOf(rule);
    return known ? tx.assign(known, columns) : tx.create(TaxRule, columns);
  },
});

/** Each once, in the order in which they were sent. */
const once = (ids: readonly number[] | undefined) => [...new Set(ids)];

const columnsOf = ({ code = '', priority = 0, position = 0, calculateSubtotal = false, ...rule }: TaxRuleDraft) => ({
  ...{ code, priority, position, calculateSubtotal },
  customerTaxClassIds: once(rule.customerTaxClassIds),
  productTaxClassIds: once(rule.productTaxClassIds),
  taxRateIds: once(rule.taxRateIds),
});
