import type { EntityManager } from '@mikro-orm/postgresql';
import { parseUnits } from '../../../domain/money/fixed-point.ts';
import type { TaxPlaceRate } from '../../../domain/platform/carts/tax-percent.ts';
import { query } from '../../support/query.ts';

interface RateRow {
  code: string;
  tax_class_id: number;
  country_id: string;
  region_id: number;
  percent: string;
}

const ratesText = `
select code, tax_class_id, country_id, region_id, percent from tax_rate
where country_id = $1 and region_id in (0, $2)`;

/** The rates of every class of products at one place: the region's and the country's. */
export async function readTaxRates(
  em: EntityManager,
  { countryId, regionId }: { countryId: string; regionId: number | null },
): Promise<TaxPlaceRate[]> {
  const rows = await query<RateRow>(em, ratesText, [countryId, regionId ?? 0]);
  return rows.map((row) => ({
    code: row.code,
    taxClassId: row.tax_class_id,
    countryId: row.country_id,
    regionId: row.region_id,
    percent: parseUnits(row.percent) ?? 0,
  }));
}
