import type { EntityManager } from '@mikro-orm/postgresql';
import { formatAmount, parseAmount } from '../../../domain/money/amount.ts';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { findCountry } from '../../../domain/platform/directory/countries.ts';
import { integer, json, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** One row of a fixed tax attribute, with the platform's keys (platform facts 9.2). */
interface TaxRow {
  website_id: number;
  country_id: string;
  region_id: number;
  value: string;
}

const placeTwice =
  'Set unique country-state combinations within the same fixed product tax. Verify the combinations and try again.';

/** Whether an attribute's value is a list of fixed taxes: its rows name a country and a value. */
export const isFixedTaxes = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => isRecord(row) && 'country' in row && 'value' in row);

/** Replaces the rows of one attribute; a repeat leaves the same rows. Refused with 400: an invalid row, a place twice. */
export async function saveFixedProductTaxes(
  em: EntityManager,
  {
    productId,
    attributeCode,
    rows,
  }: { productId: number; attributeCode: string; rows: readonly Record<string, unknown>[] },
): Promise<void> {
  await clear.run(em, { productId, attributeCode });
  const taxes = rows.map(taxRow);
  const places = new Set(taxes.map((row) => `${row.website_id} ${row.country_id} ${row.region_id}`));
  if (places.size < taxes.length) throw invalid(placeTwice);
  await write.run(em, { productId, attributeCode, rows: taxes });
}

const clear = statement({
  takes: { productId: integer, attributeCode: text },
  text: 'delete from fixed_product_tax where product_id = $productId and attribute_code = $attributeCode',
});

const write = statement({
  takes: { productId: integer, attributeCode: text, rows: json<TaxRow[]>() },
  text: `
    insert into fixed_product_tax (product_id, attribute_code, website_id, country_id, region_id, value)
    select $productId, $attributeCode, website_id, country_id, region_id, value
    from jsonb_to_recordset($rows::jsonb) as row (website_id int, country_id text, region_id int, value numeric)
    on conflict (product_id, attribute_code, website_id, country_id, region_id) do update set value = excluded.value`,
});

function taxRow(row: Record<string, unknown>): TaxRow {
  const value = parseAmount(String(row['value']));
  const [country, region, website] = [String(row['country']), whole(row['state']), whole(row['website_id'])];
  if (value === undefined || value < 0) throw wrong('value', row['value']);
  if (!findCountry(country)) throw wrong('country', row['country']);
  if (region === undefined) throw wrong('state', row['state']);
  if (website === undefined) throw wrong('website_id', row['website_id']);
  return { website_id: website, country_id: country, region_id: region, value: formatAmount(value) };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const whole = (value: unknown) => {
  const number = Number(value ?? 0);
  return Number.isInteger(number) && number >= 0 && number < 2 ** 31 ? number : undefined;
};

const wrong = (fieldName: string, value: unknown) => invalidValue(fieldName, String(value));
