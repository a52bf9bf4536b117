import type { EntityManager } from '@mikro-orm/postgresql';
import { parseUnits } from '../../../domain/money.ts';
import {
  postcodesOf,
  zipNumberOf,
  type TaxPlace,
  type TaxPlaceRate,
} from '../../../domain/platform/carts/cart-totals.ts';
import { integers, definite } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';

const selectTaxRates = sql('read-tax-rates.selectTaxRates', { gives: { productTaxClassIds: definite(integers) } })`
  select u.rule_id, u.priority, u.calculate_subtotal, u.product_tax_class_ids, r.code, r.region_id, r.postcode,
    r.percent
  from tax_rate r join tax_rule u on r.rate_id = any(u.tax_rate_ids)
  where r.country_id = $countryId and r.region_id in (0, $regionId)
    and (r.postcode = any($postcodes::text[]) or $zip?::integer between r.zip_from and r.zip_to)
    and $customerTaxClassId = any(u.customer_tax_class_ids)`;

/** The rates at one place that rules let hold for customers of a class: the postcode's, the region's, the country's. */
export async function readTaxRates(
  em: EntityManager,
  { countryId, regionId, postcode }: TaxPlace,
  customerTaxClassId: number,
): Promise<TaxPlaceRate[]> {
  const place = { countryId, regionId: regionId ?? 0, postcodes: postcodesOf(postcode), zip: zipNumberOf(postcode) };
  const rows = await selectTaxRates.all(em, { ...place, customerTaxClassId });
  return rows.map((row) => ({ ...row, percent: parseUnits(row.percent) ?? 0 }));
}
