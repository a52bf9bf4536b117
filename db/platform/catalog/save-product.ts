import { LockMode, UniqueConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { zero } from '../../../domain/money/amount.ts';
import { defaultSet } from '../../../domain/platform/catalog/attribute-sets.ts';
import { standardValues } from '../../../domain/platform/catalog/demanded-values.ts';
import { ownValuesAt, withEnd, type ValuePlace } from '../../../domain/platform/catalog/scoped-values.ts';
import { given, type Given } from '../../support/given.ts';
import { transact } from '../../support/transact.ts';
import { Website } from '../stores/website.entity.ts';
import { refuseUnknownGroups } from '../customers/refuse-unknown-groups.ts';
import { keptValues, readAttributeRules } from './attribute-rules.ts';
import { assignAttributes, assignCategories, namedCategories } from './assign-attributes.ts';
import { assignScopedValues, everywhere } from './assign-scoped-values.ts';
import { checkAttributes, emptyAttribute, refuseUnknownTaxClass } from './check-attributes.ts';
import { refuseMissingValues, refuseUnknownSet } from './demand-values.ts';
import { hasViews } from './has-views.ts';
import { placeAttributes } from './note-attributes.ts';
import { replaceOptions } from './product-options.ts';
import type { ProductDraft } from './product-draft.ts';
import { productLinks } from './product-links.ts';
import { Product } from './product.entity.ts';
import { storedSku } from './read-products.ts';
import { refuseUnknownCategories } from './refuse-unknown-categories.ts';
import { replaceMedia } from './save-media.ts';
import { refuseTierPrices } from '../../../domain/platform/catalog/tier-prices.ts';
import { saveFixedProductTaxes } from './save-fixed-product-taxes.ts';
import { withFirstDay } from './special-from-date.ts';
import { everyGroup } from './store-tier-prices.ts';
import { saveStockItem } from './save-stock-item.ts';
import { keepUniqueValues } from './unique-values.ts';
import { shopNow } from '../../support/shop-clock.ts';

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
 * Creates a product, or changes the fields sent of the product with this sku, in any case of letters (platform facts 9.1).
 *
 * For an existing one, scoped values change for the store view or website of the call, the others globally. A repeat
 * leaves the same product; of two concurrent creates the second becomes a change. Refused with 400: a product without
 * name or price, a negative price, a wrong tier price or its unknown group, an unknown website, category or tax class, a
 * value that its attribute cannot have, an unknown set, no value where the set demands one, a value that another product
 * alone may have, a custom option that is none, a link without a type. A code that no attribute has is ignored.
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
    } = given(draft);
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
      all.customAttributes = keptValues(all.customAttributes, rules, valuesAt(product, own));
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
  { price, tierPrices = [], customAttributes = {} }: Given<ProductDraft>,
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

async function existingWebsites(em: EntityManager, asked: readonly number[]): Promise<number[]> {
  const existing = await websitesOf(em, 0);
  const unknown = asked.find((websiteId) => !existing.includes(websiteId));
  if (unknown !== undefined) throw invalidValue('websiteIds', String(unknown));
  return [...new Set(asked)];
}
