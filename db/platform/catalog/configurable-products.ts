import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { zero } from '../../../domain/money.ts';
import {
  childIds,
  configurableOptions,
  type ConfigurableOption,
} from '../../../domain/platform/catalog/entered-options.ts';
import { defaultSet } from '../../../domain/platform/catalog/product-attributes.ts';
import {
  ownValuesAt,
  standardValues,
  withEnd,
  type ValuePlace,
} from '../../../domain/platform/catalog/scoped-values.ts';
import { refuseTierPrices } from '../../../domain/platform/catalog/tier-rows.ts';
import {
  childLacksValue,
  onlyForConfigurable,
  optionIdNotFound,
  parentHasNoOptions,
  productAlreadyAttached,
  productHasOption,
  productNotConfigurable,
  requestedOptionMissing,
} from '../../../domain/refusals/catalog.ts';
import { invalidInput } from '../../../domain/refusals/platform.ts';
import { definedFields, type Input } from '../../support/defined-fields.ts';
import { shopNow } from '../../support/shop-clock.ts';
import { transact } from '../../support/transact.ts';
import { refuseUnknownGroups } from '../customers/refuse-unknown-groups.ts';
import { Website } from '../stores/store.entity.ts';
import {
  assignScopedValues,
  everywhere,
  hasViews,
  refuseMissingValues,
  refuseUnknownCategories,
  refuseUnknownSet,
  withFirstDay,
} from './assign-scoped-values.ts';
import { readAttributeRules, storedValues } from './attribute-rules.ts';
import { everyGroup } from './tier-prices.ts';
import {
  assignAttributes,
  assignCategories,
  checkAttributes,
  emptyAttribute,
  namedCategories,
  refuseUnknownTaxClass,
  saveStockItem,
  type ProductDraft,
} from './attributes.ts';
import { Product } from './product.entity.ts';
import { productLinks, replaceOptions } from './product-links.ts';
import { findProduct, findProductsById } from './find-product.ts';
import { storedSku, type ProductRow } from './read-products.ts';
import { saveFixedProductTaxes } from './save-fixed-product-taxes.ts';
import { replaceMedia } from './product-media.ts';
import { lockProduct } from './product-places.ts';
import { placeAttributes } from './search-product-attributes.ts';
import { findProductAttribute } from './read-product-attributes.ts';
import { keepUniqueValues } from './unique-values.ts';

/** An option as a caller sends it. On a change, absent fields stay. */
export interface OptionDraft {
  attributeId?: string | undefined;
  label?: string | undefined;
  position?: number | undefined;
  values?: readonly { valueIndex?: number | undefined }[] | undefined;
}

export const optionsKey = 'configurable_product_options';
export const linksKey = 'configurable_product_links';

/** The options of a configurable product. Refused with: 404 unknown sku · 400 another type of product. */
export async function readOptions(em: EntityManager, sku: string): Promise<ConfigurableOption[]> {
  const row = await findProduct(em, sku);
  if (row.type_id !== 'configurable') throw notConfigurable(sku);
  return configurableOptions(row.extension_attributes[optionsKey], row.entity_id);
}

/** The products among which a customer chooses; of a product of another type none. Refused with: 404 unknown sku. */
export async function readChildren(em: EntityManager, sku: string): Promise<ProductRow[]> {
  const row = await findProduct(em, sku);
  if (row.type_id !== 'configurable') return [];
  return findProductsById(em, childIds(row.extension_attributes[linksKey]));
}

/**
 * Adds an option to a product, which becomes a configurable one (platform facts 9.1). A repeat is refused.
 *
 * Refused with: 404 unknown sku or attribute · 400 what is missing, an attribute that is an option already, a type that
 * has no options.
 *
 * @returns the option's id
 */
export const addOption = (em: EntityManager, sku: string, draft: OptionDraft): Promise<number> =>
  withOptions(em, sku, async (tx, product, options) => {
    refuseMissing(draft);
    if (!['simple', 'virtual', 'configurable'].includes(product.typeId)) throw notConfigurable(sku);
    const { attribute_id: attributeId } = await findProductAttribute(tx, draft.attributeId ?? '');
    const isSame = (option: ConfigurableOption) => option.attribute_id === String(attributeId);
    if (options.some(isSame)) throw productHasOption();
    const id = 1 + Math.max(0, ...options.map((option) => option.id));
    const blank = { id, product_id: product.entityId, label: '', position: 0, values: [] };
    product.typeId = 'configurable';
    options.push({ ...blank, ...changes(draft), attribute_id: String(attributeId) });
    return id;
  });

/** Changes an option; safe to repeat. Refused with: 404 unknown sku or option · 400 another type of product. */
export const changeOption = (em: EntityManager, sku: string, { id, ...draft }: OptionDraft & { id: number }) =>
  withOptions(em, sku, async (_tx, product, options) => {
    if (product.typeId !== 'configurable') throw notConfigurable(sku);
    const option = options.find((one) => one.id === id);
    if (!option) throw optionIdNotFound([id]);
    Object.assign(option, changes(draft));
    return id;
  });

/** Removes an option and all children, as on the platform. A repeat is a 404, as is an unknown sku. */
export const removeOption = (em: EntityManager, sku: string, id: number): Promise<void> =>
  withOptions(em, sku, async (_tx, product, options) => {
    if (product.typeId !== 'configurable') throw notConfigurable(sku);
    const at = options.findIndex((one) => one.id === id);
    if (at < 0) throw requestedOptionMissing();
    options.splice(at, 1);
    setLinks(product, []);
  });

/**
 * Adds a product to those among which a customer chooses (platform facts 9.1).
 *
 * Refused with: 404 unknown sku · 400 it is there already, the parent has no options, a value of one is missing.
 */
export const addChild = (em: EntityManager, { sku, childSku }: { sku: string; childSku: string }): Promise<void> =>
  withOptions(em, sku, async (tx, product, options) => {
    const child = await findProduct(tx, childSku);
    const links = childIds(product.extensionAttributes[linksKey]);
    if (links.includes(child.entity_id)) throw productAlreadyAttached();
    if (options.length === 0) throw parentHasNoOptions();
    for (const option of options) {
      const { attribute_code: code } = await findProductAttribute(tx, option.attribute_id);
      if (!child.custom_attributes[code]) throw childLacksValue([code]);
    }
    setLinks(product, [...links, child.entity_id]);
  });

/** Takes a child off. Refused with: 404 unknown sku, no such child, and so a repeat · 400 another type of product. */
export const removeChild = (em: EntityManager, { sku, childSku }: { sku: string; childSku: string }): Promise<void> =>
  withOptions(em, sku, async (tx, product) => {
    if (product.typeId !== 'configurable') throw productNotConfigurable([sku]);
    const stored = (await storedSku(tx, childSku)) ?? childSku;
    const child = await tx.findOne(Product, { sku: stored }, { fields: ['entityId'] });
    const links = childIds(product.extensionAttributes[linksKey]);
    if (!child || !links.includes(child.entityId)) throw requestedOptionMissing();
    setLinks(
      product,
      links.filter((id) => id !== child.entityId),
    );
  });

type Change<Result> = (tx: EntityManager, product: Product, options: ConfigurableOption[]) => Promise<Result>;

/** Locks the product; what `change` does to its options is saved. */
const withOptions = <Result>(em: EntityManager, sku: string, change: Change<Result>): Promise<Result> =>
  transact(em, async (tx) => {
    const product = await lockProduct(tx, sku);
    const options = configurableOptions(product.extensionAttributes[optionsKey], product.entityId);
    const result = await change(tx, product, options);
    product.extensionAttributes = { ...product.extensionAttributes, [optionsKey]: options };
    await tx.flush();
    return result;
  });

function setLinks(product: Product, ids: readonly number[]): void {
  product.extensionAttributes = { ...product.extensionAttributes, [linksKey]: ids };
}

const changes = ({ label, position, values }: OptionDraft) =>
  definedFields({ label, position, values: values?.map(({ valueIndex = 0 }) => ({ value_index: valueIndex })) });

function refuseMissing({ attributeId, label, values = [] }: OptionDraft): void {
  const faults = [
    ...(attributeId ? [] : ['Option attribute ID is not specified.']),
    ...(label ? [] : ['Option label is not specified.']),
    ...(values.length > 0 ? [] : ['Option values are not specified.']),
    ...values.filter(({ valueIndex }) => !valueIndex).map(() => 'Value index is not specified for an option.'),
  ];
  if (faults.length > 0) throw invalidInput(faults.map((message) => ({ message, parameters: [] })));
}

const notConfigurable = (sku: string) => onlyForConfigurable([sku]);

interface ProductToSave {
  sku: string;
  draft: ProductDraft;
  /**
   * The store of the call. A new product is sold there unless the caller names websites; an existing product gets
   * that scope's values. 0 is the admin scope: every website and view.
   */
  place: ValuePlace;
  /** A special price without a first day begins on this one; absent: now. */
  now?: Date;
}

/** The longest sku, as on the platform. */
const maxSkuLength = 64;

/**
 * Creates a product, or changes the fields sent of the product with this sku, in any case of letters (platform facts
 * 9.1).
 *
 * For an existing one, scoped values change for the store view or website of the call, the others globally. A repeat
 * leaves the same product; of two concurrent creates the second becomes a change. Refused with 400: a product without
 * name or price, a negative price, a wrong tier price or its unknown group, an unknown website, category or tax class,
 * a value that its attribute cannot have, an unknown set, no value where the set demands one, a value that another
 * product alone may have, a custom option that is none, a link without a type. A code that no attribute has is ignored.
 * Refused with 404: a custom option that is not the product's, a link of an unknown type or to an unknown product.
 */
export async function saveProduct(em: EntityManager, product: ProductToSave): Promise<void> {
  try {
    await saveOnce(em, product);
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    await saveOnce(em, product);
  }
}

const saveOnce = (em: EntityManager, { sku, draft, place, now = shopNow() }: ProductToSave): Promise<void> =>
  transact(em, async (em) => {
    const {
      extensionAttributes = {},
      stockItem,
      websiteIds,
      mediaGalleryEntries,
      options,
      productLinks: links,
      ...all
    } = definedFields(draft);
    await refuseWrongParts(em, all, extensionAttributes);
    const stored = (await storedSku(em, sku)) ?? sku;
    const known = await em.findOne(Product, { sku: stored }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const product = known ?? newProduct(em, sku, draft);
    const own = known && (await hasViews(em)) ? place : everywhere;
    checkAttributes(all, own.storeId > 0);
    const rules = await readRules(em, { known, draft: all });
    if (!known)
      all.customAttributes = {
        ...all.customAttributes,
        ...standardValues(rules.demands, all.customAttributes ?? {}, all.typeId ?? 'simple'),
      };
    if (all.customAttributes) {
      all.customAttributes = storedValues(all.customAttributes, rules, valuesAt(product, own));
      all.customAttributes = withEnd(all.customAttributes, {
        isOfPlace: own.storeId > 0,
        inherited: product.customAttributes ?? {},
      });
      await refuseUnknownTaxClass(em, product, all.customAttributes);
      all.customAttributes = await withFirstDay(em, product, { given: all.customAttributes, own, now });
    }
    const { customAttributes, ...fields } = assignScopedValues(product, all, own, rules.scopeOf);
    em.assign(product, fields);
    if (websiteIds) product.websiteIds = await existingWebsites(em, websiteIds);
    else if (!known) product.websiteIds = await websitesOf(em, place.websiteId);
    assignCategories(product, { customAttributes, extensionAttributes });
    const taxes = assignAttributes(product, customAttributes);
    refuseMissingValues(product, rules.demands, { ...Object.fromEntries(taxes), ...valuesAt(product, own) });
    await replaceOptions(em, product, options);
    if (links) product.productLinks = await productLinks(em, links);
    if (mediaGalleryEntries) await replaceMedia(em, product, { drafts: mediaGalleryEntries, own });
    await em.flush();
    await keepUniqueValues(em, product, rules.demands);
    await placeAttributes(em, all.customAttributes ?? {}, product.attributeSetId);
    for (const [attributeCode, rows] of taxes)
      await saveFixedProductTaxes(em, { productId: product.entityId, attributeCode, rows });
    if (stockItem) await saveStockItem(em, { product, draft: stockItem });
  });

async function refuseWrongParts(
  em: EntityManager,
  { price, tierPrices = [], customAttributes = {} }: Input<ProductDraft>,
  extensionAttributes: Record<string, unknown>,
): Promise<void> {
  if (price !== undefined && price < 0) throw invalidValue('price', String(price / 10_000));
  refuseTierPrices(tierPrices);
  const groups = tierPrices.map(({ customerGroupId }) => customerGroupId).filter((id) => id !== everyGroup);
  await refuseUnknownGroups(em, 'customer_group_id', groups);
  const categories = namedCategories({ customAttributes, extensionAttributes });
  await refuseUnknownCategories(em, categories.fieldName, categories.ids);
}

/** What the shop says of the attributes of the call; where the product gets its set, of all those of the set too. */
async function readRules(em: EntityManager, { known, draft }: { known: Product | null; draft: ProductDraft }) {
  const attributeSetId = draft.attributeSetId ?? known?.attributeSetId ?? defaultSet;
  const isWholeSet = attributeSetId !== known?.attributeSetId;
  if (isWholeSet) await refuseUnknownSet(em, attributeSetId);
  return readAttributeRules(em, { codes: Object.keys(draft.customAttributes ?? {}), attributeSetId, isWholeSet });
}

/** The attributes of a product as a place has them. */
const valuesAt = ({ customAttributes = {}, scopedValues = {} }: Partial<Product>, place: ValuePlace) => ({
  ...customAttributes,
  ...ownValuesAt(scopedValues, place)?.customAttributes,
});

function newProduct(em: EntityManager, sku: string, { name, price, typeId }: ProductDraft): Product {
  if (!sku.trim()) throw emptyAttribute('SKU');
  if (sku.length > maxSkuLength) throw invalid('SKU length should be %1 characters maximum.', [maxSkuLength]);
  if (!name?.trim()) throw emptyAttribute('Product Name');
  // Their price comes from their parts.
  const isPricedByParts = typeId === 'configurable' || typeId === 'bundle' || typeId === 'grouped';
  if (price === undefined && !isPricedByParts) throw emptyAttribute('Price');
  return em.create(Product, { sku, name, attributeSetId: defaultSet, price: price ?? zero });
}

async function websitesOf(em: EntityManager, currentWebsiteId: number): Promise<number[]> {
  if (currentWebsiteId > 0) return [currentWebsiteId];
  const real = await em.find(Website, { websiteId: { $gt: 0 } }, { orderBy: { websiteId: 'asc' } });
  return real.map(({ websiteId }) => websiteId);
}

async function existingWebsites(em: EntityManager, request: readonly number[]): Promise<number[]> {
  const existing = await websitesOf(em, 0);
  const unknown = request.find((websiteId) => !existing.includes(websiteId));
  if (unknown !== undefined) throw invalidValue('websiteIds', String(unknown));
  return [...new Set(request)];
}
