import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { invalidValue } from '../../../domain/errors.ts';
import { formatAmount, parseAmount } from '../../../domain/money.ts';
import { findCountry } from '../../../domain/platform/directory.ts';
import { countryStatesNotUnique } from '../../../domain/refusals/catalog.ts';
import { bytes, integer, json, orNull, text } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';

/** One row of a fixed tax attribute, with the platform's keys (platform facts 9.2). */
interface TaxRow {
  website_id: number;
  country_id: string;
  region_id: number;
  value: string;
}

/** Whether an attribute's value is a list of fixed taxes: its rows name a country and a value. */
export const isFixedTaxes = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => isRecord(row) && 'country' in row && 'value' in row);

/**
 * Replaces the rows of one attribute; a repeat leaves the same rows. Refused with 400: an invalid row, a place twice.
 */
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
  if (places.size < taxes.length) throw countryStatesNotUnique();
  await write.run(em, { productId, attributeCode, rows: taxes });
}

const clear = sql('save-fixed-product-taxes.clear')`
  delete from fixed_product_tax where product_id = $productId and attribute_code = $attributeCode`;

const write = sql('save-fixed-product-taxes.write', { takes: { rows: json<TaxRow[]>() } })`
  insert into fixed_product_tax (product_id, attribute_code, website_id, country_id, region_id, value)
  select $productId, $attributeCode, website_id, country_id, region_id, value
  from jsonb_to_recordset($rows::jsonb) as row (website_id bigint, country_id text, region_id bigint, value numeric)
  on conflict (product_id, attribute_code, website_id, country_id, region_id) do update set value = excluded.value`;

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
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

const wrong = (fieldName: string, value: unknown) => invalidValue(fieldName, String(value));

/** How often fixed taxes have changed; 0: never. */
export const readFixedTaxVersion = async (em: EntityManager): Promise<number> =>
  (await version.first(em))?.version ?? 0;

const version = sql('save-fixed-product-taxes.version')`
  select version from feed_version where feed = 'fixed_product_tax'`;

/**
 * The next fixed taxes of a website, including those for every website, as comma-separated JSON objects (platform
 * facts 9.2).
 */
export const readFixedTaxPage = (em: EntityManager, after: { websiteId: number; valueId: number; limit: number }) =>
  page.first(em, after);

const page = sql('save-fixed-product-taxes.page', { gives: { items: orNull(text), lastValueId: orNull(integer) } })`
  select string_agg(format(
      '{"sku":%s,"attribute_code":%s,"website_id":%s,"country_id":%s,"region_id":%s,"value":%s}', to_json(sku),
      to_json(attribute_code), website_id, to_json(country_id), region_id, trim_scale(value)), ','
        order by value_id) as items,
    max(value_id) as last_value_id
  from (
    select t.value_id, p.sku, t.attribute_code, t.website_id, t.country_id, t.region_id, t.value
    from fixed_product_tax t join product p on p.entity_id = t.product_id
    where t.website_id in (0, $websiteId) and t.value_id > $valueId
    order by t.value_id limit $limit) as next_rows`;

/** A picture to keep, with the name its owner gave it. */
export interface PictureToKeep {
  name: string;
  mimeType: string;
  content: Buffer;
}

/** A picture as it is served. */
export const findProductPicture = (em: EntityManager, file: string) => selectFixedProductTaxes.first(em, { file });

const selectFixedProductTaxes = sql('save-fixed-product-taxes.selectFixedProductTaxes', { gives: { content: bytes } })`
  select picture_id, mime_type, content from product_picture where file = $file`;

/** Stores a picture of a product in a new file, under its own name where that is free. Each call stores another one. */
export async function keepPicture(em: EntityManager, productId: number, picture: PictureToKeep) {
  const drawn = await draw.first(em);
  if (!drawn) throw new Error('no id for a picture');
  const { pictureId } = drawn;
  const { mimeType, content } = picture;
  for (const suffix of ['', ...numberedNames, `_${randomUUID()}`]) {
    const file = fileOf(picture, suffix);
    if ((await keep.run(em, { pictureId, productId, file, mimeType, content })) > 0) return { pictureId, file };
  }
  throw new Error('no free name for a picture');
}

/** What follows a name that is taken, as on the platform; then a random id. */
const numberedNames = ['_1', '_2', '_3', '_4', '_5', '_6', '_7', '_8', '_9'];

const draw = sql('save-fixed-product-taxes.draw')`select nextval('product_picture_picture_id_seq') as picture_id`;

const keep = sql('save-fixed-product-taxes.keep')`
  insert into product_picture (picture_id, product_id, file, mime_type, content)
  values ($pictureId, $productId, $file, $mimeType, $content)
  on conflict (file) do nothing`;

/** Deletes a picture. A repeat finds none. */
export const dropPicture = (em: EntityManager, file: string) => drop.run(em, { file });

const drop = sql('save-fixed-product-taxes.drop')`delete from product_picture where file = $file`;

/** The extensions of a type; a file of another one gets the first. */
const extensions: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
};

/** The longest part of a name that is kept. */
const mostOfName = 80;

/** A file's path has folders of its first two letters, as on the platform: `/m/u/mug.jpg`. */
function fileOf({ name, mimeType }: PictureToKeep, suffix: string): string {
  const [, before = name, after = ''] = /^(.*)\.([^.]*)$/.exec(name) ?? [];
  const stem = before.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, mostOfName);
  const known = /^_*$/.test(stem) ? 'picture' : stem;
  const [first = '_', second = '_'] = known;
  const [usual = 'bin', ...others] = extensions[mimeType] ?? [];
  const extension = [usual, ...others].includes(after.toLowerCase()) ? after : usual;
  return `/${first}/${second}/${known}${suffix}.${extension}`;
}
