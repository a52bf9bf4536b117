import type { EntityManager } from '@mikro-orm/postgresql';
import { sourceItemPayload } from '../../api/platform/inventory/source-item-payload.ts';
import { productPayload, toPlainDraft } from '../../api/platform/products/product-payload.ts';
import { saveProduct } from '../../db/platform/catalog/configurable-products.ts';
import { storedSku } from '../../db/platform/catalog/read-products.ts';
import { makeAttributes } from '../../db/platform/catalog/search-product-attributes.ts';
import { setSourceItems, withStoredSkus } from '../../db/platform/inventory/source-items.ts';
import { joined, transact } from '../../db/support/transact.ts';
import { invalid, noSuchProduct } from '../../domain/errors.ts';
import { none } from '../../domain/money.ts';
import { isAttributeCode, isReservedCode } from '../../domain/platform/catalog/product-attributes.ts';
import { isCutOff, type ValuePlace } from '../../domain/platform/catalog/scoped-values.ts';
import { skuKey } from '../../domain/platform/catalog/tier-rows.ts';
import {
  additionalAttributes,
  attributeValue,
  digitsCutOff,
  meaningOf,
  ownColumns,
  partColumns,
  readShopFacts,
  stockColumns,
  whyLeftOut,
  type ShopFacts,
} from './attribute-cells.ts';
import {
  asSent,
  cell,
  countOf,
  giftCards,
  type CsvRow,
  type ImportKind,
  type ImportOptions,
  type Reading,
} from './read-rows.ts';

const unknownAttribute = 'the shop has no such attribute; --new-attributes makes it';

const noAttribute =
  'The shop has no attribute %1. Nothing was saved. Correct the column, or let the import make an attribute of ' +
  'it: --new-attributes.';

/**
 * Makes attributes of the columns that have no meaning, where the operator wants that. Of an export of another system
 * such columns are left out; of any other file they are refused with 400, because a typing mistake is no attribute.
 *
 * @returns the columns of which nothing is made, and why
 */
async function attributesOfColumns(
  em: EntityManager,
  meaning: readonly (readonly [column: string, name: string])[],
  { shop, options }: { shop: ShopFacts; options: ImportOptions },
): Promise<Map<string, string>> {
  const leftOut = new Map<string, string>();
  const unknown: string[] = [];
  for (const [column, name] of meaning) {
    const why = whyLeftOut(column, options.source);
    if (why !== undefined) leftOut.set(column, why);
    else if (!ownColumns.has(name) && !Object.hasOwn(stockColumns, name) && !shop.attributes.has(name))
      unknown.push(name);
  }
  if (unknown.length === 0) return leftOut;
  if (options.newAttributes) await makeNew(em, unknown, shop);
  else if (options.from) for (const name of unknown) leftOut.set(name, unknownAttribute);
  else throw invalid(noAttribute, [unknown.map((name) => `"${name}"`).join(', ')]);
  return leftOut;
}

/** Makes attributes of these codes. Refused with 400: what cannot be a code. */
async function makeNew(em: EntityManager, codes: readonly string[], shop: ShopFacts): Promise<void> {
  const wrong = codes.find((code) => !isAttributeCode(code) || isReservedCode(code));
  if (wrong !== undefined)
    throw invalid('"%1" cannot be an attribute: a code has small letters, digits and _, and no other meaning.', [
      wrong,
    ]);
  await makeAttributes(em, codes);
  for (const code of codes) shop.attributes.set(code, { code, input: 'text', scope: 'global', options: [] });
}

/** A row as the body of a product, in the words of its route. */
interface ProductFields {
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

interface Context {
  shop: ShopFacts;
  options: ImportOptions;
}

type Reported = Pick<ProductFields, 'notes' | 'newCodes'>;

/** Refused with 400: a name that the shop does not have, a day that cannot be read. */
function productFields(row: CsvRow, context: Context): ProductFields {
  const { shop } = context;
  const view = cell(row, 'store_view');
  const reported: Reported = { notes: [], newCodes: [] };
  const attributes = attributesOf(row, { ...context, ...reported });
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
    return { ...scoped, ...global, customAttributes: attributes, place: { storeId: 0, websiteId: 0 }, ...reported };
  }
  const own = attributes.filter(({ attributeCode }) => shop.attributes.get(attributeCode)?.scope !== 'global');
  const everywhere = [
    ...['price', 'type', 'weight', 'attribute_set', 'websites', 'qty'].filter((column) => cell(row, column)),
    ...attributes.filter((one) => !own.includes(one)).map(({ attributeCode }) => attributeCode),
  ];
  reported.notes.push(...everywhere.map((column) => `${column} of a row of a store view: it holds in every view`));
  return { ...scoped, customAttributes: own, place: shop.view(view), ...reported };
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
function attributesOf(row: CsvRow, context: Context & Reported): ProductFields['customAttributes'] {
  const { shop, options, notes, newCodes } = context;
  const input = Object.entries(row).filter(
    ([column, text]) => text !== '' && !ownColumns.has(column) && !Object.hasOwn(stockColumns, column),
  );
  for (const [code, text] of additionalAttributes(row['additional_attributes'] ?? '')) {
    if (text === '') continue;
    if (options.newAttributes && !shop.attributes.has(code)) newCodes.push(code);
    if (options.newAttributes || shop.attributes.has(code)) input.push([code, text]);
    else if (options.from) notes.push(`additional_attributes, ${code}: ${unknownAttribute}`);
    else throw invalid('The shop has no attribute "%1".', [code]);
  }
  const values = input.map(([attributeCode, text]) => {
    const facts = shop.attributes.get(attributeCode);
    return { attributeCode, value: facts ? attributeValue(facts, text, options.dates) : text };
  });
  const taxClass = cell(row, 'tax_class_id') ?? named(row, 'tax_class', shop.taxClassId);
  if (taxClass !== undefined) values.push({ attributeCode: 'tax_class_id', value: taxClass });
  const categories = categoriesOf(row, context);
  if (categories) values.push({ attributeCode: 'category_ids', value: categories });
  return values;
}

/** By ids, or by paths as the platform writes them. A comma may be part of a name. */
function categoriesOf(row: CsvRow, { shop, options, notes }: Context & Reported): string[] | undefined {
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

/** The columns of fields that our routes call otherwise. */
const columnOf = { typeId: 'type', websiteIds: 'websites', attributeSetId: 'attribute_set', quantity: 'qty' };

/**
 * Imports products by sku, by the schema of their route. A new product needs name and price; empty cells change nothing
 * for a known one. `websites` has codes and `categories` has ids or paths, separated by `|`. A row of a `store_view`
 * gives only what may differ there. Columns have our names or those of the platform's export; every other column is an
 * attribute.
 */
export const products: ImportKind = {
  columns: ['sku'],
  async open(em, columns, options) {
    const meaning = meaningOf(columns);
    const shop = await readShopFacts(em, options);
    const leftOut = await attributesOfColumns(em, [...meaning], { shop, options });
    const read = [...meaning].filter(([column]) => !leftOut.has(column));
    const named = [...meaning];
    const ofDisabled = new Set<string>();
    return {
      leftOut,
      learn: (row) => learnParts(renamed(row, named), ofDisabled),
      read: (row) => readProduct(renamed(row, read), { shop, options, ofDisabled, isWhole: hasNoParts(row) }),
    };
  },
};

const renamed = (row: CsvRow, names: readonly (readonly [column: string, name: string])[]): CsvRow =>
  Object.fromEntries(names.map(([column, name]) => [name, row[column] ?? '']));

const hasNoParts = (row: CsvRow) => partColumns.every((column) => !row[column]);

interface ImportProductsContext {
  shop: ShopFacts;
  options: ImportOptions;
  /** The goods of which a disabled product is made. */
  ofDisabled: ReadonlySet<string>;
  isWhole: boolean;
}

/** The platform's export lists the variations of a product in the product's row: `sku=A,size=S|sku=B,size=M`. */
function learnParts(row: CsvRow, ofDisabled: Set<string>): void {
  if (word(row, 'status') !== '2') return;
  for (const [, sku = ''] of (row['configurable_variations'] ?? '').matchAll(/(?:^|\|)sku=([^,|]+)/g))
    ofDisabled.add(skuKey(sku));
}

const partOfDisabled = 'status: the product of this variation is disabled there; the variation is not, and is sold';

const madeOfOthers = 'rows of %1 products: what they are made of is not imported, its parts are rows of their own';

function readProduct(row: CsvRow, { shop, options, ofDisabled, isWhole }: ImportProductsContext): Reading {
  const sku = row['sku'] ?? '';
  if (isCutOff('barcode', sku)) throw digitsCutOff('sku', sku);
  const type = row['type'] ?? '';
  if (!isWhole && type !== 'simple' && type !== 'virtual') {
    const why = type === 'giftcard' ? giftCards : madeOfOthers.replace('%1', type || 'such');
    if (options.from) return { leftOut: why };
    throw invalid('Not imported: %1.', [why]);
  }
  const { customAttributes, notes, newCodes, place, ...others } = productFields(row, { shop, options });
  const sent = asSent(productPayload, { sku, ...others, customAttributes }, columnOf);
  const { lying, notes: stockNotes } = stockOf(row, sku, options);
  const draft = toPlainDraft(sent);
  notes.push(...stockNotes);
  if (draft.status === 1 && ofDisabled.has(skuKey(sku))) notes.push(partOfDisabled);
  return {
    key: skuKey(sku),
    // A file of one's own may correct a price further down; two names are two goods.
    identity: `${skuKey(sku)}\n${cell(row, 'store_view') ?? ''}`,
    claim: cell(row, 'name'),
    isLate: cell(row, 'store_view') !== undefined,
    async save(em) {
      if (newCodes.length > 0) await makeNew(em, newCodes, shop);
      await save(em, { sku, place, draft, lying });
      return notes;
    },
  };
}

interface ToSave {
  sku: string;
  place: ProductFields['place'];
  draft: ReturnType<typeof toPlainDraft>;
  lying: ReturnType<typeof stockOf>['lying'];
}

async function save(em: EntityManager, { sku, place, draft, lying }: ToSave): Promise<void> {
  if (place.storeId > 0 && (await storedSku(em, sku)) === undefined) throw noSuchProduct(sku);
  if (!lying) return saveProduct(em, { sku, place, draft });
  await transact(em, async (tx) => {
    await saveProduct(joined(tx), { sku, place, draft });
    await setSourceItems(tx, await withStoredSkus(tx, [lying]));
  });
}

/** As the route of stock reads it. What is sold without a count has no quantity at a source. */
function stockOf(row: CsvRow, sku: string, options: ImportOptions) {
  const { source } = options;
  const qty = cell(row, 'qty');
  if (qty === undefined || source === undefined) return { notes: [] };
  const read = asSent(sourceItemPayload, { quantity: qty }, columnOf);
  const { quantity, notes } = countOf(read.quantity, { column: 'qty', text: qty, options });
  const isOffered = quantity > none || /^[12]$/.test(cell(row, 'allow_backorders') ?? '');
  return { lying: { sku, sourceCode: source, quantity, status: isOffered ? 1 : 0 }, notes };
}
