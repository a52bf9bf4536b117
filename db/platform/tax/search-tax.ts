import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, integers, surely } from '../../support/kinds.ts';
import { asListed } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { TaxClass } from './tax-class.entity.ts';
import { TaxRate } from './tax-rate.entity.ts';
import { TaxRule } from './tax-rule.entity.ts';

const rateColumns = 'rate_id, country_id, region_id, postcode, zip_from, zip_to, percent, code, titles';

export type TaxRateRow = RowFrom<typeof readRate>;

const readRate = statement({
  takes: { rateId: integer },
  gives: {
    ...asListed(TaxRate, 'rateId', 'countryId', 'regionId', 'postcode', 'zipFrom', 'zipTo', 'percent', 'code'),
    ...asListed(TaxRate, 'titles'),
  },
  text: `select ${rateColumns} from tax_rate where rate_id = $rateId`,
});

/** One rate. Refused with 404 `taxRateId` when there is none. */
export async function readTaxRate(em: EntityManager, rateId: number): Promise<TaxRateRow> {
  const row = await readRate.first(em, { rateId });
  if (!row) throw noSuchEntity('taxRateId', rateId);
  return row;
}

/** Searches the rates of all places (platform facts 9.5). */
export const searchTaxRates = (em: EntityManager, criteria: SearchCriteria) =>
  search<TaxRateRow>(em, criteria, {
    table: 'tax_rate',
    columns: rateColumns,
    fields: {
      id: { column: 'rate_id', type: 'integer' },
      tax_calculation_rate_id: { column: 'rate_id', type: 'integer' },
      tax_country_id: { column: 'country_id', type: 'code' },
      tax_region_id: { column: 'region_id', type: 'integer' },
      tax_postcode: { column: 'postcode', type: 'text' },
      zip_from: { column: 'zip_from', type: 'integer', isNullable: true },
      zip_to: { column: 'zip_to', type: 'integer', isNullable: true },
      rate: { column: 'percent', type: 'decimal' },
      code: { column: 'code', type: 'text' },
    },
    order: 'rate_id',
  });

const ruleColumns = `rule_id, code, priority, position, calculate_subtotal, customer_tax_class_ids,
  product_tax_class_ids, tax_rate_ids`;

export type TaxRuleRow = RowFrom<typeof readRule>;

const readRule = statement({
  takes: { ruleId: integer },
  gives: {
    ...asListed(TaxRule, 'ruleId', 'code', 'priority', 'position', 'calculateSubtotal'),
    customer_tax_class_ids: surely(integers),
    product_tax_class_ids: surely(integers),
    tax_rate_ids: surely(integers),
  },
  text: `select ${ruleColumns} from tax_rule where rule_id = $ruleId`,
});

/** One rule. Refused with 404 `taxRuleId` when there is none. */
export async function readTaxRule(em: EntityManager, ruleId: number): Promise<TaxRuleRow> {
  const row = await readRule.first(em, { ruleId });
  if (!row) throw noSuchEntity('taxRuleId', ruleId);
  return row;
}

/** Searches the tax rules (platform facts 9.5). */
export const searchTaxRules = (em: EntityManager, criteria: SearchCriteria) =>
  search<TaxRuleRow>(em, criteria, {
    table: 'tax_rule',
    columns: ruleColumns,
    fields: {
      id: { column: 'rule_id', type: 'integer' },
      tax_calculation_rule_id: { column: 'rule_id', type: 'integer' },
      code: { column: 'code', type: 'text' },
      priority: { column: 'priority', type: 'integer' },
      position: { column: 'position', type: 'integer' },
      calculate_subtotal: { column: 'calculate_subtotal', type: 'boolean' },
      product_tax_class_ids: { column: 'product_tax_class_ids::text[]', type: 'set' },
      tax_rate_ids: { column: 'tax_rate_ids::text[]', type: 'set' },
      tax_calculation_rate_id: { column: 'tax_rate_ids::text[]', type: 'set' },
      customer_tax_class_ids: { column: 'customer_tax_class_ids::text[]', type: 'set' },
    },
    order: 'rule_id',
  });

const classColumns = 'class_id, class_name, class_type';

export type TaxClassRow = RowFrom<typeof readClass>;

const readClass = statement({
  takes: { classId: integer },
  gives: asListed(TaxClass, 'classId', 'className', 'classType'),
  text: `select ${classColumns} from tax_class where class_id = $classId`,
});

/** One tax class. Refused with 404 `class_id` when there is none. */
export async function readTaxClass(em: EntityManager, classId: number): Promise<TaxClassRow> {
  const row = await readClass.first(em, { classId });
  if (!row) throw noSuchEntity('class_id', classId);
  return row;
}

/** Searches the tax classes of goods and of customers (platform facts 8, 9.5). */
export const searchTaxClasses = (em: EntityManager, criteria: SearchCriteria) =>
  search<TaxClassRow>(em, criteria, {
    table: 'tax_class',
    columns: classColumns,
    fields: {
      class_id: { column: 'class_id', type: 'integer' },
      class_name: { column: 'class_name', type: 'text' },
      class_type: { column: 'class_type', type: 'text' },
    },
    order: 'class_id',
  });
