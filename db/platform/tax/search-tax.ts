import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { integer, integers, surely, text } from '../../support/kinds.ts';
import { asListed } from '../../support/rows.ts';
import { search } from '../../support/search.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { TaxRate } from './tax-rate.entity.ts';

const rateColumns = 'rate_id, country_id, region_id, percent, code';

export type TaxRateRow = RowFrom<typeof readRate>;

const readRate = statement({
  takes: { rateId: integer },
  gives: asListed(TaxRate, 'rateId', 'countryId', 'regionId', 'percent', 'code'),
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
      tax_country_id: { column: 'country_id', type: 'text' },
      tax_region_id: { column: 'region_id', type: 'integer' },
      tax_postcode: { column: `'*'`, type: 'text' },
      rate: { column: 'percent', type: 'decimal' },
      code: { column: 'code', type: 'text' },
    },
    order: 'rate_id',
  });

/** The only tax class of customers (platform facts 8). */
export const customerTaxClassId = 3;

const rules = `(
  select tax_class_id, array_agg(rate_id order by rate_id) as rate_ids from tax_rate group by tax_class_id) r`;

export type TaxRuleRow = RowFrom<typeof readRule>;

const readRule = statement({
  takes: { ruleId: integer },
  gives: { ...asListed(TaxRate, 'taxClassId'), rate_ids: surely(integers) },
  text: `select tax_class_id, rate_ids from ${rules} where tax_class_id = $ruleId`,
});

/** One rule, by the id of its product class. Refused with 404 `taxRuleId` when no rate is for the class. */
export async function readTaxRule(em: EntityManager, ruleId: number): Promise<TaxRuleRow> {
  const row = await readRule.first(em, { ruleId });
  if (!row) throw noSuchEntity('taxRuleId', ruleId);
  return row;
}

/** Searches the rules: one for each product class with a rate, under the class's own id (our choice). */
export const searchTaxRules = (em: EntityManager, criteria: SearchCriteria) =>
  search<TaxRuleRow>(em, criteria, {
    table: rules,
    columns: 'tax_class_id, rate_ids',
    fields: {
      id: { column: 'tax_class_id', type: 'integer' },
      tax_calculation_rule_id: { column: 'tax_class_id', type: 'integer' },
      code: { column: `'Class ' || tax_class_id`, type: 'text' },
      priority: { column: '0::integer', type: 'integer' },
      position: { column: '0::integer', type: 'integer' },
      product_tax_class_ids: { column: 'array[tax_class_id::text]', type: 'set' },
      tax_rate_ids: { column: 'rate_ids::text[]', type: 'set' },
      tax_calculation_rate_id: { column: 'rate_ids::text[]', type: 'set' },
      customer_tax_class_ids: { column: `array['${customerTaxClassId}']`, type: 'set' },
    },
    order: 'tax_class_id',
  });

const classes = `(
  select tax_class_id as class_id, case tax_class_id when 2 then 'Taxable Goods' else 'Class ' || tax_class_id end
    as class_name, 'PRODUCT' as class_type
  from (select tax_class_id from tax_rate union select tax_class_id from product where tax_class_id <> 0) used
  union select distinct tax_class_id, 'Retail Customer', 'CUSTOMER' from customer_group) c`;

export type TaxClassRow = RowFrom<typeof readClass>;

const readClass = statement({
  takes: { classId: integer },
  gives: { class_id: surely(integer), class_name: surely(text), class_type: surely(text) },
  text: `select class_id, class_name, class_type from ${classes} where class_id = $classId order by class_type limit 1`,
});

/** One tax class; an id that goods and customers share is that of customers. Refused with 404 `class_id`: unknown. */
export async function readTaxClass(em: EntityManager, classId: number): Promise<TaxClassRow> {
  const row = await readClass.first(em, { classId });
  if (!row) throw noSuchEntity('class_id', classId);
  return row;
}

/** Searches the tax classes: the only one of customers, and those of products and rates (platform facts 8, 9.5). */
export const searchTaxClasses = (em: EntityManager, criteria: SearchCriteria) =>
  search<TaxClassRow>(em, criteria, {
    table: classes,
    columns: 'class_id, class_name, class_type',
    fields: {
      class_id: { column: 'class_id', type: 'integer' },
      class_name: { column: 'class_name', type: 'text' },
      class_type: { column: 'class_type', type: 'text' },
    },
    order: 'class_id, class_type',
  });
