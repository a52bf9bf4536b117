import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';

export interface TaxRateRow {
  rate_id: number;
  country_id: string;
  region_id: number;
  percent: string;
  code: string;
}

/** Searches the rates of all places (platform facts 9.5). */
export const searchTaxRates = (em: EntityManager, criteria: SearchCriteria) =>
  search<TaxRateRow>(em, criteria, {
    table: 'tax_rate',
    columns: 'rate_id, country_id, region_id, percent, code',
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

export interface TaxRuleRow {
  tax_class_id: number;
  rate_ids: number[];
}

/** Searches the rules: one for each product class with a rate, under the class's own id (our choice). */
export const searchTaxRules = (em: EntityManager, criteria: SearchCriteria) =>
  search<TaxRuleRow>(em, criteria, {
    table: `(select tax_class_id, array_agg(rate_id order by rate_id) as rate_ids from tax_rate group by tax_class_id) r`,
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

export interface TaxClassRow {
  class_id: number;
  class_name: string;
  class_type: string;
}

/** Searches the tax classes: the only one of customers, and those of products and rates (platform facts 8, 9.5). */
export const searchTaxClasses = (em: EntityManager, criteria: SearchCriteria) =>
  search<TaxClassRow>(em, criteria, {
    table: `(
      select tax_class_id as class_id, case tax_class_id when 2 then 'Taxable Goods' else 'Class ' || tax_class_id end
        as class_name, 'PRODUCT' as class_type
      from (select tax_class_id from tax_rate union select tax_class_id from product where tax_class_id <> 0) used
      union select distinct tax_class_id, 'Retail Customer', 'CUSTOMER' from customer_group) c`,
    columns: 'class_id, class_name, class_type',
    fields: {
      class_id: { column: 'class_id', type: 'integer' },
      class_name: { column: 'class_name', type: 'text' },
      class_type: { column: 'class_type', type: 'text' },
    },
    order: 'class_id, class_type',
  });
