import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { taxRuleFaults, type TaxRuleDraft } from '../../../domain/platform/tax/tax-rule-errors.ts';
import { integer, integers } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { refusingTakenCodes } from './refusing-taken-codes.ts';
import { TaxClass } from './tax-class.entity.ts';
import { TaxRate } from './tax-rate.entity.ts';
import { TaxRule } from './tax-rule.entity.ts';

/**
 * Creates a tax rule, or changes the one of the id (platform facts 9.5). Carts are taxed by it from the next reading on.
 * Its rates and classes cannot be deleted meanwhile. A repeat of a change leaves the same rule; of a creation it is
 * refused, because the code is taken.
 *
 * Refused with: 404 `taxRuleId` unknown rule · 400 no code, position or priority, no rate or class, an unknown one, a
 * code that is taken in any case of letters.
 *
 * @returns the rule's id
 */
export const saveTaxRule = (
  em: EntityManager,
  { ruleId, rule }: { ruleId: number | undefined; rule: TaxRuleDraft },
): Promise<number> =>
  refusingTakenCodes(() =>
    transact(em, async (tx) => {
      const known = ruleId === undefined ? undefined : await lockedRule(tx, ruleId);
      const faults = taxRuleFaults(rule, await lockTerms(tx, rule));
      if (faults.length > 0) throw invalid(faults.join('\n'));
      const columns = columnsOf(rule);
      const saved = known ? tx.assign(known, columns) : tx.create(TaxRule, columns);
      await tx.flush();
      return saved.ruleId;
    }),
  );

/** Deletes a tax rule; its rates and classes stay. A repeat finds nothing. Refused with 404 `taxRuleId`: unknown. */
export async function deleteTaxRule(em: EntityManager, ruleId: number): Promise<void> {
  if ((await remove.run(em, { ruleId })) === 0) throw noSuchEntity('taxRuleId', ruleId);
}

async function lockedRule(tx: EntityManager, ruleId: number): Promise<TaxRule> {
  const rule = await tx.findOne(TaxRule, { ruleId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!rule) throw noSuchEntity('taxRuleId', ruleId);
  return rule;
}

/** Holds the classes and rates until the transaction ends: a deletion waits, and then finds the rule. */
async function lockTerms(em: EntityManager, rule: TaxRuleDraft) {
  const classIds = [...(rule.customerTaxClassIds ?? []), ...(rule.productTaxClassIds ?? [])];
  const classes = await lockClasses.all(em, { classIds });
  const rates = await lockRates.all(em, { rateIds: [...(rule.taxRateIds ?? [])] });
  return { classes, rateIds: rates.map(({ rateId }) => rateId) };
}

/** Each once, in the order in which they were sent. */
const once = (ids: readonly number[] | undefined) => [...new Set(ids)];

const columnsOf = ({ code = '', priority = 0, position = 0, calculateSubtotal = false, ...rule }: TaxRuleDraft) => ({
  ...{ code, priority, position, calculateSubtotal },
  customerTaxClassIds: once(rule.customerTaxClassIds),
  productTaxClassIds: once(rule.productTaxClassIds),
  taxRateIds: once(rule.taxRateIds),
});

const lockClasses = statement({
  takes: { classIds: integers },
  gives: of(TaxClass, 'classId', 'classType'),
  text: `
    select class_id, class_type from tax_class where class_id = any($classIds::integer[])
    order by class_id for key share`,
});
const lockRates = statement({
  takes: { rateIds: integers },
  gives: of(TaxRate, 'rateId'),
  text: `
    select rate_id from tax_rate where rate_id = any($rateIds::integer[]) order by rate_id for key share`,
});
const remove = statement({
  takes: { ruleId: integer },
  text: 'delete from tax_rule where rule_id = $ruleId',
});
