import type { EntityManager } from '@mikro-orm/postgresql';
import { hasViews } from '../../db/platform/catalog/assign-scoped-values.ts';
import { AttributeSet } from '../../db/platform/catalog/product.entity.ts';
import { readProductTaxClasses } from '../../db/platform/catalog/read-attributes-of-set.ts';
import { searchProductAttributes } from '../../db/platform/catalog/search-product-attributes.ts';
import { Category } from '../../db/platform/categories/category.entity.ts';
import { existingSources } from '../../db/platform/inventory/source-items.ts';
import { readStoreViews, readWebsites } from '../../db/platform/stores/read-stores.ts';
import { readDayAndTime } from '../../domain/calendar-day.ts';
import { invalid } from '../../domain/errors.ts';
import { isCutOff, typedValue } from '../../domain/platform/catalog/scoped-values.ts';
import { skuKey } from '../../domain/platform/catalog/tier-rows.ts';
import { countries, countryNames, findCountry } from '../../domain/platform/directory.ts';
import { wrongCell, type DayOrder, type ImportOptions } from './read-rows.ts';

/** What the platform's import takes for "no value". */
const emptied = '__EMPTY__VALUE__';

const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  visibility: { 'not visible individually': '1', catalog: '2', search: '3', 'catalog, search': '4' },
  status: { enabled: '1', disabled: '2' },
  gift_message_available: { no: '0', yes: '1', 'use config': '2' },
};

/**
 * A cell as the attribute keeps it: people write labels, names of countries and days, where callers send ids, codes and
 * `2030-12-31`. Refused with 400: what the attribute cannot have.
 */
export function attributeValue(facts: Facts, text: string, dates?: DayOrder): unknown {
  if (text === emptied) return null;
  const value = meant(facts, text, dates);
  if (typedValue(facts, value) !== undefined) return value;
  throw isCutOff(facts.code, text) ? digitsCutOff(facts.code, text) : wrongCell(facts.code, text);
}

type Facts = Pick<AttributeFacts, 'code' | 'input' | 'options'>;

/** A spreadsheet shows a long number as `1.23457E+12` and exports what it shows. */
export const digitsCutOff = (column: string, text: string) =>
  invalid(
    '%1 cannot be "%2": a spreadsheet cut its digits off. Give the column the format "text" and export it anew.',
    [column, text],
  );

function meant({ code, input, options }: Facts, text: string, dates: DayOrder | undefined): unknown {
  const word = words[code]?.[text.toLowerCase()];
  if (word !== undefined) return word;
  if (code === 'country_of_manufacture') return countryId(text) ?? text;
  if (input === 'date' || input === 'datetime') return dayOf(code, text, dates);
  if (input !== 'select' && input !== 'multiselect') return text;
  const whole = optionId(options, text);
  if (whole !== undefined) return whole;
  if (options.length === 0) return text;
  if (input === 'select') throw wrongCell(code, text);
  return text.split(text.includes('|') ? '|' : ',').map((one) => {
    const id = optionId(options, one.trim());
    if (id === undefined) throw wrongCell(code, one.trim());
    return id;
  });
}

/** By its label before its id: an option may be called `12`. */
const optionId = (options: AttributeFacts['options'], text: string) =>
  options.find(({ label }) => label.toUpperCase() === text.toUpperCase())?.id ??
  options.find(({ id }) => id === text)?.id;

/** Refused with 400: what is no day, or may be two. */
export function dayOf(column: string, text: string, dates?: DayOrder): string {
  const read = readDayAndTime(dates ? inOrder(text, dates) : text);
  if (read === undefined) throw invalid('%1 cannot be "%2". Write a day as 2030-12-31.', [column, text]);
  return read;
}

/** `12/31/30, 12:00 AM` and `31.12.2030` by the order of their parts; the time of a day has no meaning. */
function inOrder(text: string, dates: DayOrder): string {
  const [, first = '', second = '', year = ''] =
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:,? .{1,20})?$/.exec(text) ?? [];
  if (year === '') return text;
  const [month, day] = dates === 'mdy' ? [first, second] : [second, first];
  const whole = year.length === 4 ? year : Number(year) < 70 ? `20${year}` : `19${year}`;
  return `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const names = new Map<string, string>();

/** A country by its code in any case of letters, its three letters, or its name in English. */
export function countryId(text: string): string | undefined {
  const id = text.toUpperCase();
  if (findCountry(id)) return id;
  if (names.size === 0) {
    const nameOf = countryNames('en-US');
    for (const { id: two, threeLetters } of countries) names.set(nameOf(two).toUpperCase(), two).set(threeLetters, two);
  }
  return names.get(id);
}

/**
 * The platform's column of further attributes: `size=M,color=Red|Blue`. A comma within a value stays where no code
 * follows; parts may stand in quotes. Refused with 400: a part without a code.
 */
export function additionalAttributes(text: string): [code: string, value: string][] {
  const parts = text.startsWith('"') ? quotedParts(text) : text.split(/,(?=[a-z][a-z0-9_]{0,59}=)/);
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const [, code = '', value = ''] = /^([a-z][a-z0-9_]{0,59})=([^]*)$/.exec(part.trim()) ?? [];
      if (code === '') throw wrongCell('additional_attributes', text.slice(0, 200));
      return [code, value.trim()];
    });
}

const quotedParts = (text: string) =>
  [...text.matchAll(/"((?:[^"]|"")*)"/g)].map(([, part = '']) => part.replaceAll('""', '"'));

/** An attribute of products, with what can be chosen. */
interface AttributeFacts {
  code: string;
  input: string;
  scope: string;
  options: readonly { id: string; label: string }[];
}

/** What the shop has when the import begins. Names are found in any case of letters. */
export interface ShopFacts {
  attributes: Map<string, AttributeFacts>;
  websiteId: (code: string) => number;
  view: (code: string) => { storeId: number; websiteId: number };
  attributeSetId: (name: string) => number;
  taxClassId: (name: string) => number;
  /** The id of a category by its path, `Default Category/Lamps`; undefined: there is none. */
  categoryId: (path: string) => string | undefined;
  /** Whether values may differ between store views. */
  areViewsSeveral: boolean;
}

const everything = { groups: [], sortOrders: [], pageSize: undefined, currentPage: 1, echo: { filter_groups: [] } };

/** Reads it once, because a list has many rows. Refused with 400: the source that is named for stock does not exist. */
export async function readShopFacts(em: EntityManager, { source }: ImportOptions): Promise<ShopFacts> {
  if (source !== undefined && !(await existingSources(em, [source])).has(source))
    throw invalid('No source has the code %1.', [source]);
  const { rows } = await searchProductAttributes(em, everything);
  const websites = (await readWebsites(em)).filter(({ websiteId: id }) => id > 0);
  const views = (await readStoreViews(em)).filter(({ storeId: id }) => id > 0);
  const sets = await em.find(AttributeSet, {});
  const taxClasses = await readProductTaxClasses(em);
  return {
    attributes: new Map(rows.map((row) => [row.attribute_code, factsOf(row)])),
    websiteId: finder(
      websites,
      ({ code }) => code,
      'No website has the code %1.',
      ({ websiteId: id }) => id,
    ),
    view: finder(
      views,
      ({ code }) => code,
      'No store view has the code %1.',
      ({ storeId, websiteId }) => ({ storeId, websiteId }),
    ),
    attributeSetId: finder(
      sets,
      ({ attributeSetName }) => attributeSetName,
      'No attribute set is called %1.',
      ({ attributeSetId }) => attributeSetId,
    ),
    taxClassId: finder(
      [...taxClasses, { taxClassId: 0, name: 'None' }],
      ({ name }) => name,
      'No tax class of goods is called %1.',
      ({ taxClassId }) => taxClassId,
    ),
    categoryId: await categoryFinder(em),
    areViewsSeveral: await hasViews(em),
  };
}

const factsOf = (row: Awaited<ReturnType<typeof searchProductAttributes>>['rows'][number]): AttributeFacts => ({
  ...{ code: row.attribute_code, input: row.frontend_input, scope: row.scope },
  options: row.options.map(({ optionId, label }) => ({ id: String(optionId), label })),
});

function finder<Row, Found>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  unknown: string,
  give: (row: Row) => Found,
): (name: string) => Found {
  const byName = new Map(rows.map((row) => [skuKey(nameOf(row)), row]));
  return (name) => {
    const row = byName.get(skuKey(name));
    if (row === undefined) throw invalid(unknown, [name]);
    return give(row);
  };
}

/** The paths of all categories, from below the root that nobody sees. */
async function categoryFinder(em: EntityManager) {
  const rows = await em.find(Category, {}, { fields: ['entityId', 'path', 'name'] });
  const names = new Map(rows.map(({ entityId, name }) => [String(entityId), name]));
  const byPath = new Map(
    rows.map(({ entityId, path }) => {
      const [, ...ids] = path.split('/');
      return [skuKey(ids.map((id) => names.get(id) ?? '').join('/')), String(entityId)];
    }),
  );
  return (path: string) => byPath.get(skuKey(path));
}

/** The columns of our own; every other one is an attribute. */
export const ownColumns: ReadonlySet<string> = new Set([
  ...['sku', 'name', 'price', 'status', 'visibility', 'type', 'weight', 'websites', 'categories', 'tax_class_id'],
  ...['store_view', 'attribute_set', 'tax_class', 'additional_attributes', 'qty'],
]);

/** How the platform's export calls our columns and its attributes. */
const platformNames: Readonly<Record<string, string>> = {
  store_view_code: 'store_view',
  attribute_set_code: 'attribute_set',
  product_type: 'type',
  product_websites: 'websites',
  product_online: 'status',
  tax_class_name: 'tax_class',
  special_price_from_date: 'special_from_date',
  special_price_to_date: 'special_to_date',
  new_from_date: 'news_from_date',
  new_to_date: 'news_to_date',
  msrp_price: 'msrp',
  meta_keywords: 'meta_keyword',
};

/** Its columns of the stock item, by the keys of our routes. Those of quantities need a source. */
export const stockColumns: Readonly<Record<string, string>> = {
  out_of_stock_qty: 'min_qty',
  is_qty_decimal: 'is_qty_decimal',
  allow_backorders: 'backorders',
  use_config_backorders: 'use_config_backorders',
  min_cart_qty: 'min_sale_qty',
  use_config_min_sale_qty: 'use_config_min_sale_qty',
  max_cart_qty: 'max_sale_qty',
  use_config_max_sale_qty: 'use_config_max_sale_qty',
  manage_stock: 'manage_stock',
  use_config_qty_increments: 'use_config_qty_increments',
  qty_increments: 'qty_increments',
  use_config_enable_qty_inc: 'use_config_enable_qty_inc',
  enable_qty_increments: 'enable_qty_increments',
};

const productColumnsWords = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** Columns of the platform's export of which nothing is made, and why. */
const leftOut: ReadonlyMap<string, string> = new Map(
  (
    [
      [
        'pictures are sent by POST /V1/products/:sku/media',
        `base_image base_image_label small_image small_image_label thumbnail_image thumbnail_image_label swatch_image
         swatch_image_label additional_images additional_image_labels hide_from_product_page`,
      ],
      ['the shop keeps its own', 'created_at updated_at'],
      [
        'no page of the shop is drawn by it',
        `display_product_options_in custom_design custom_design_from custom_design_to custom_layout_update custom_layout
         page_layout product_options_container options_container map_price map_enabled msrp_display_actual_price_type`,
      ],
      [
        'the shop keeps no such rule of stock',
        `use_config_min_qty is_in_stock notify_on_stock_below use_config_notify_stock_qty use_config_manage_stock
         is_decimal_divided website_id deferred_stock_update use_config_deferred_stock_update`,
      ],
      [
        'links between products are sent by POST /V1/products/:sku/links',
        `related_skus related_position crosssell_skus crosssell_position upsell_skus upsell_position re_skus xre_skus
         us_skus cs_skus`,
      ],
      ['options of a product are sent by POST /V1/products/options', 'custom_options'],
      [
        'products that are made of others are not imported',
        `bundle_price_type bundle_sku_type bundle_price_view bundle_weight_type bundle_values bundle_shipment_type
         associated_skus configurable_variations configurable_variation_labels downloadable_links downloadable_samples
         giftcard_type giftcard_amount`,
      ],
    ] as const
  ).flatMap(([why, columns]) => productColumnsWords(columns).map((column) => [column, why] as const)),
);

/** Columns of what a product is made of: without it the product could not be sold. */
export const partColumns = ['configurable_variations', 'bundle_values', 'associated_skus', 'downloadable_links'];

export const noSource = 'say where the goods lie (--source), or use import stock';

/** Why nothing is made of a column of the platform; undefined: something may be. */
export const whyLeftOut = (column: string, source: string | undefined): string | undefined =>
  column === 'qty' && source === undefined ? noSource : leftOut.get(column);

/**
 * The names by which our code knows the columns of a file. Refused with 400: two columns of one meaning.
 *
 * @returns by column
 */
export function meaningOf(columns: readonly string[]): Map<string, string> {
  const meaning = new Map(columns.map((column) => [column, platformNames[column] ?? column]));
  for (const [column, name] of meaning)
    if (column !== name && columns.includes(name))
      throw invalid('The columns "%1" and "%2" mean the same.', [name, column]);
  return meaning;
}
