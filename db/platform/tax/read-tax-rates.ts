import type { EntityManager } from '@mikro-orm/postgresql';
import { parseUnits } from '../../../domain/money/fixed-point.ts';
import type { TaxPlaceRate } from '../../../domain/platform/carts/tax-percent.ts';
import { integer, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { TaxRate } from './tax-rate.entity.ts';

const read = statement({
  takes: { countryId: text, regionId: integer },
  gives: of(TaxRate, 'code', 'taxClassId', 'countryId', 'regionId', 'percent'),
  text: `
    select code, tax_class_id, country_id, region_id, percent from tax_rate
    where country_id = $countryId and region_id in (0, $regionId)`,
});

/** The rates of every product class at one place: the region's and the country's. */
export async function readTaxRates(
  em: EntityManager,
  { countryId, regionId }: { countryId: string; regionId: number | null },
): Promise<TaxPlaceRate[]> {
  const rows = await read.all(em, { countryId, regionId: regionId ?? 0 });
  return rows.map((row) => ({ ...row, percent: parseUnits(row.percent) ?? 0 }));
}
