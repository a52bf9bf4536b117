import type { ValuePlace } from '../../domain/platform/catalog/scoped-values.ts';
import { invalid } from '../../domain/errors.ts';
import { additionalAttributes, attributeValue } from './attribute-cells.ts';
import { cell, type CsvRow, type ImportOptions } from './import-kind.ts';
import { unknownAttribute } from './new-attributes.ts';
import { ownColumns, stockColumns } from './product-columns.ts';
import type { ShopFacts } from './shop-facts.ts';

/** A row as the body of a product, in the words of its route. */
export interface ProductFields {
  name?: string | undefined;
  price?: string | undefined;
  status?: unknown;
  visibility?: unknown;
  typeId?: string | undefined;
  weight?: string | undefined;
  attributeSetId?: number | undefined;
  extensionAttributes?: { websiteIds?: number[] | undefined; stockItem?: Record<string, string> | undefined };
  customAttributes: { attributeCode: string; value: unknown }[];
  /** Where the row holds; 0: everywhere. */
  place: ValuePlace;
  /** What of the row was left out, and why. */
  notes: string[];
  /** Attributes that are made before the row is saved. */
  newCodes: string[];
}

interface Around {
  shop: ShopFacts;
  options: ImportOptions;
}

type Told = Pick<ProductFields, 'notes' | 'newCodes'>;

/** Refused with 400: a name that the shop does not have, a day that cannot be read. */
export function productFields(row: CsvRow, around: Around): ProductFields {
  const { shop } = around;
  const view = cell(row, 'store_view');
  const told: Told = { notes: [], newCodes: [] };
  const attributes = attributesOf(row, { ...around, ...told });
  const scoped = {
    name: cell(row, 'name'),
    status: word(row, 'status'),
    visibility: word(row, 'visibility'),
  };
  const global = {
    price: cell(row, 'price'),
    typeId: cell(row, 'type'),
    weight: cell(row, 'weight'),
    attributeSetId: named(row, 'attribute_set', shop.attributeSetId),
    extensionAttributes: { websiteIds: websitesOf(row, shop), stockItem: stockItemOf(row) },
  };
  if (view === undefined || !shop.areViewsSeveral) {
    if (view !== undefined) shop.view(view);
    return { ...scoped, ...global, customAttributes: attributes, place: { storeId: 0, websiteId: 0 }, ...told };
  }
  const own = attributes.filter(({ attributeCode }) => shop.attributes.get(attributeCode)?.scope !== 'global');
  const everywhere = [
    ...['price', 'type', 'weight', 'attribute_set', 'websites', 'qty'].filter((column) => cell(row, column)),
    ...attributes.filter((one) => !own.includes(one)).map(({ attributeCode }) => attributeCode),
  ];
  told.notes.push(...everywhere.map((column) => `${column} of a row of a store view: it holds in every view`));
  return { ...scoped, customAttributes: own, place: shop.view(view), ...told };
}

const word = (row: CsvRow, code: string) => {
  const text = cell(row, code);
  return text === undefined ? undefined : attributeValue({ code, input: 'select', options: [] }, text);
};

const named = <Found>(row: CsvRow, column: string, find: (name: string) => Found) => {
  const name = cell(row, column);
  return name === undefined ? undefined : find(name);
};

function websitesOf(row: CsvRow, { websiteId }: ShopFacts): number[] | undefined {
  return cell(row, 'websites')
    ?.split(/[|,]/)
    .map((code) => websiteId(code.trim()));
}

function stockItemOf(row: CsvRow): Record<string, string> | undefined {
  const item = Object.entries(stockColumns).flatMap(([column, key]): [string, string][] => {
    const text = cell(row, column);
    return text === undefined || (column === 'manage_stock' && isOn(row['use_config_manage_stock']))
      ? []
      : [[key, text]];
  });
  return item.length === 0 ? undefined : Object.fromEntries(item);
}

const isOn = (text: string | undefined) => text === '1';

/** The row's attributes, those with a column of our own too. */
function attributesOf(row: CsvRow, around: Around & Told): ProductFields['customAttributes'] {
  const { shop, options, notes, newCodes } = around;
  const given = Object.entries(row).filter(
    ([column, text]) => text !== '' && !ownColumns.has(column) && !Object.hasOwn(stockColumns, column),
  );
  for (const [code, text] of additionalAttributes(row['additional_attributes'] ?? '')) {
    if (text === '') continue;
    if (options.newAttributes && !shop.attributes.has(code)) newCodes.push(code);
    if (options.newAttributes || shop.attributes.has(code)) given.push([code, text]);
    else if (options.from) notes.push(`additional_attributes, ${code}: ${unknownAttribute}`);
    else throw invalid('The shop has no attribute "%1".', [code]);
  }
  const values = given.map(([attributeCode, text]) => {
    const facts = shop.attributes.get(attributeCode);
    return { attributeCode, value: facts ? attributeValue(facts, text, options.dates) : text };
  });
  const taxClass = cell(row, 'tax_class_id') ?? named(row, 'tax_class', shop.taxClassId);
  if (taxClass !== undefined) values.push({ attributeCode: 'tax_class_id', value: taxClass });
  const categories = categoriesOf(row, around);
  if (categories) values.push({ attributeCode: 'category_ids', value: categories });
  return values;
}

/** By ids, or by paths as the platform writes them. A comma may be part of a name. */
function categoriesOf(row: CsvRow, { shop, options, notes }: Around & Told): string[] | undefined {
  const text = cell(row, 'categories');
  if (text === undefined) return undefined;
  if (/^\d+(?:\|\d+)*$/.test(text)) return text.split('|');
  const whole = shop.categoryId(text);
  const paths = whole === undefined ? text.split(/[|,]/).map((path) => path.trim()) : [text];
  const found = paths.flatMap((path) => {
    const id = shop.categoryId(path);
    if (id === undefined && !options.from) throw invalid('The shop has no category "%1".', [path]);
    return id ?? [];
  });
  if (found.length < paths.length) notes.push('categories: the shop does not have all of them');
  return found.length === 0 ? undefined : [...new Set(found)];
}
