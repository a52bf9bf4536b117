import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { largestId } from '../../../domain/ids.ts';
import { none, type Amount, type Quantity } from '../../../domain/money.ts';
import type {
  LinkDraft,
  MediaEntry,
  MediaWords,
  OptionDraft,
} from '../../../domain/platform/catalog/custom-options.ts';
import { isLine } from '../../../domain/platform/catalog/product-attributes.ts';
import {
  firstOwnRules,
  ruleAfter,
  type PostedRule,
  type OwnStockRules,
  type StockRules,
} from '../../../domain/platform/stock-rules.ts';
import { attributeValueEmpty, attributeValueNotValid } from '../../../domain/refusals/catalog.ts';
import { definedFields, type Input } from '../../support/defined-fields.ts';
import { lockAtDefaultSource } from '../inventory/read-stock-item.ts';
import { setSourceItems } from '../inventory/source-items.ts';
import { TaxClass } from '../tax/tax.entity.ts';
import type { Product, productTypes, TierPrice } from './product.entity.ts';
import { isFixedTaxes, type PictureToKeep } from './save-fixed-product-taxes.ts';

type Attributes = Record<string, unknown>;

/** Attributes that have a column of their own. */
const inColumns: ReadonlySet<string> = new Set(['tax_class_id', 'category_ids']);

/**
 * Applies given attributes to a product: null removes one, and the tax class has a column (platform facts 9.1).
 *
 * @returns the attributes that are lists of fixed taxes, which have a separate table
 */
export function assignAttributes(product: Product, input: Attributes) {
  const taxes = Object.entries(input).flatMap(([code, value]) => (isFixedTaxes(value) ? [[code, value] as const] : []));
  const elsewhere = new Set([...taxes.map(([code]) => code), ...inColumns]);
  product.customAttributes = Object.fromEntries(
    Object.entries({ ...product.customAttributes, ...input }).filter(
      ([code, value]) => value !== null && !elsewhere.has(code),
    ),
  );
  product.taxClassId = Number(input['tax_class_id'] ?? product.taxClassId);
  return taxes;
}

/**
 * Puts a product into the given categories, from `category_ids` or `category_links`; when both are given, the ids
 * win. With ids only, a category keeps its position.
 */
export function assignCategories(
  product: Product,
  input: { customAttributes: Attributes; extensionAttributes: Attributes },
) {
  const before = linksOf(product.extensionAttributes);
  const ids = input.customAttributes['category_ids'];
  const links = Array.isArray(ids)
    ? ids.map(
        (id: unknown) =>
          before.find((link) => link.category_id === String(id)) ?? { position: 0, category_id: String(id) },
      )
    : linksOf({ ...product.extensionAttributes, ...input.extensionAttributes });
  product.categoryIds = links.map((link) => link.category_id);
  product.extensionAttributes = {
    ...product.extensionAttributes,
    ...input.extensionAttributes,
    ...(links.length === 0 && before.length === 0 ? {} : { category_links: links }),
  };
}

/** The categories that a caller names, by the field that wins. */
export function namedCategories(input: { customAttributes?: Attributes; extensionAttributes: Attributes }) {
  const ids = input.customAttributes?.['category_ids'];
  return Array.isArray(ids)
    ? { fieldName: 'category_ids', ids: ids.map(String) }
    : { fieldName: 'category_links', ids: linksOf(input.extensionAttributes).map((link) => link.category_id) };
}

function linksOf(extensionAttributes: Attributes | undefined): { position: number; category_id: string }[] {
  const links: unknown = extensionAttributes?.['category_links'];
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: unknown) => {
    if (typeof link !== 'object' || link === null || !('category_id' in link)) return [];
    const position = 'position' in link ? Number(link.position) : 0;
    return [{ position: Number.isInteger(position) ? position : 0, category_id: String(link.category_id) }];
  });
}

/** Attributes that are whole numbers, wherever they are stored, with the largest that their columns hold. */
const wholeNumbers = { tax_class_id: largestId, status: 2_147_483_647, visibility: 2_147_483_647 };

/** Attributes in base currency: a register that works offline sells by what it reads. */
const prices = ['special_price', 'cost'] as const;

/**
 * Checks the attributes sent for a new or an existing product. Null removes a value, except the global name.
 *
 * Refused with 400: a number that its column cannot hold, a price that is below zero or no number, a list where a line
 * of text belongs, an empty name.
 */
export function checkAttributes(
  { name, customAttributes = {} }: Pick<Input<ProductDraft>, 'name' | 'customAttributes'>,
  isOfView: boolean,
): void {
  for (const [code, largest] of Object.entries(wholeNumbers)) {
    const value = customAttributes[code];
    if (value !== undefined && value !== null && !isWholeNumber(value, largest)) throw invalidValue(code, shown(value));
  }
  for (const code of prices) {
    if (!isPrice(customAttributes[code])) throw invalid(notAPrice);
  }
  for (const [code, value] of Object.entries(customAttributes))
    if (isNested(value) && isLine(code)) throw badValue(code);
  if (name === undefined || (name === null && isOfView)) return;
  if (!name?.trim()) throw emptyAttribute('Product Name');
}

/** 400 for a class that goods do not have. 0 is none; the one that the product has stays. */
export async function refuseUnknownTaxClass(
  em: EntityManager,
  product: Product,
  { tax_class_id: input }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const classId = Number(input ?? 0);
  if (classId === 0 || classId === product.taxClassId) return;
  if ((await em.count(TaxClass, { classId, classType: 'PRODUCT' })) === 0)
    throw invalidValue('tax_class_id', shown(input));
}

export const notAPrice = 'Please enter a number 0 or greater in this field.';

export const emptyAttribute = (label: string) => attributeValueEmpty([label]);

const isNested = (value: unknown) => typeof value === 'object' && value !== null;

const badValue = (code: string) => attributeValueNotValid(code);

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Null and an empty text take the price away; a list is refused as such. Any number of decimals is a price. */
function isPrice(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || isNested(value)) return true;
  return /^\s*\d+(\.\d+)?\s*$/.test(shown(value));
}

/** An empty text counts as zero, as a form sends it. */
const isWholeNumber = (value: unknown, largest: number): boolean =>
  (typeof value === 'number' || typeof value === 'string') && /^\d*$/.test(String(value)) && Number(value) <= largest;

/** The stock fields of a product in single-source mode; the quantity is that of the default source. */
export interface StockItemDraft {
  quantity?: Quantity | undefined;
  isInStock?: boolean | undefined;
  managesStock?: boolean | undefined;
  isQtyDecimal?: boolean | undefined;
  minQty?: Quantity | undefined;
  rules?: { readonly [Name in keyof StockRules]: PostedRule<StockRules[Name]> };
}

/** A product as a caller sends it; an absent field is kept on a change (platform facts 9.1). */
export interface ProductDraft {
  /** Null in a store view: the global value; so for status and visibility. */
  name?: string | null | undefined;
  attributeSetId?: number | undefined;
  price?: Amount | undefined;
  status?: number | null | undefined;
  visibility?: number | null | undefined;
  typeId?: (typeof productTypes)[number] | undefined;
  weight?: Quantity | null | undefined;
  websiteIds?: number[] | undefined;
  /** Replaces the whole list. */
  tierPrices?: TierPrice[] | undefined;
  /** Each named attribute; null removes it. Lists of fixed taxes become separate rows. */
  customAttributes?: Record<string, unknown> | undefined;
  extensionAttributes?: Record<string, unknown> | undefined;
  /** Replaces the whole list. */
  options?: readonly OptionDraft[] | undefined;
  /** Replaces the whole list. */
  productLinks?: readonly LinkDraft[] | undefined;
  /** Replaces the whole gallery. */
  mediaGalleryEntries?: readonly MediaDraft[] | undefined;
  stockItem?: StockItemDraft | undefined;
}

/** A gallery entry as a caller sends it. When an entry is changed, absent fields stay. */
export interface MediaDraft extends Partial<{ [Word in keyof MediaWords]: MediaWords[Word] | undefined }> {
  id?: number | undefined;
  mediaType?: MediaEntry['mediaType'] | undefined;
  /** The complete list of roles; absent: no change. */
  types?: readonly string[] | undefined;
  picture?: PictureToKeep | undefined;
  videoContent?: Record<string, unknown> | undefined;
}

/**
 * Saves a product's stock fields in single-source mode: rules on the product, the quantity at the default source
 * (platform facts 9.1). Within the transaction that locks the product; a repeat changes nothing.
 */
export async function saveStockItem(
  em: EntityManager,
  { product, draft }: { product: Product; draft: StockItemDraft },
): Promise<void> {
  const { managesStock, isQtyDecimal, minQty, quantity, isInStock } = draft;
  em.assign(product, {
    ...definedFields({ manageStock: managesStock, isQtyDecimal, minQty }),
    ...rulesAfter(product, draft),
  });
  await em.flush();
  if (quantity === undefined && isInStock === undefined) return;
  const held = await lockAtDefaultSource(em, product.sku);
  if (!held) return;
  const now = quantity ?? held.quantity ?? none;
  const status = isInStock === undefined ? (held.status ?? (now > none ? 1 : 0)) : Number(isInStock);
  await setSourceItems(em, [{ sku: product.sku, sourceCode: held.sourceCode, quantity: now, status }]);
}

function rulesAfter(product: Product, { rules }: StockItemDraft): OwnStockRules {
  const stored: Partial<OwnStockRules> = definedFields({ ...product });
  const after = <Name extends keyof StockRules>(name: Name) =>
    ruleAfter<StockRules[Name]>(stored[name] ?? null, rules?.[name], firstOwnRules[name]);
  return {
    backorders: after('backorders'),
    minSaleQty: after('minSaleQty'),
    maxSaleQty: after('maxSaleQty'),
    enableQtyIncrements: after('enableQtyIncrements'),
    qtyIncrements: after('qtyIncrements'),
  };
}
