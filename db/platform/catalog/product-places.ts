import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { noSuchProduct as errorsNoSuchProduct } from '../../../domain/errors.ts';
import { noWebsitesToAssign, websitesNotAssigned } from '../../../domain/refusals/catalog.ts';
import { transact } from '../../support/transact.ts';
import { Website } from '../stores/store.entity.ts';
import { saveStockItem, type StockItemDraft } from './attributes.ts';
import { Product } from './product.entity.ts';
import { noSuchProduct, storedSku } from './read-products.ts';

/** The product of a sku, locked until the transaction ends. Refused with 404: unknown. */
export async function lockProduct(tx: EntityManager, sku: string, refusal = noSuchProduct): Promise<Product> {
  const stored = await storedSku(tx, sku);
  const product = stored && (await tx.findOne(Product, { sku: stored }, { lockMode: LockMode.PESSIMISTIC_WRITE }));
  if (!product) throw refusal();
  return product;
}

/** A product and one of the websites it may be sold on. */
export interface ProductPlace {
  sku: string;
  websiteId: number;
}

/**
 * Sells a product on one more website. Safe to repeat.
 *
 * Refused with: 404 unknown sku · 400 no website, an unknown one.
 */
export const addToWebsite = (em: EntityManager, { sku, websiteId }: ProductPlace): Promise<void> =>
  transact(em, async (tx) => {
    if (websiteId === 0) throw noWebsitesToAssign();
    const product = await lockProduct(tx, sku);
    if ((await tx.count(Website, { websiteId })) === 0) throw websitesNotAssigned([product.entityId, websiteId]);
    product.websiteIds = [...new Set([...product.websiteIds, websiteId])];
    await tx.flush();
  });

/**
 * Sells a product no longer on a website; where it was not sold there, nothing changes. Refused with 404: unknown sku.
 */
export const takeOffWebsite = (em: EntityManager, { sku, websiteId }: ProductPlace): Promise<void> =>
  transact(em, async (tx) => {
    const product = await lockProduct(tx, sku);
    product.websiteIds = product.websiteIds.filter((id) => id !== websiteId);
    await tx.flush();
  });

/**
 * Sets a product's stock in single-source mode (platform facts 9.1); absolute figures, so a repeat changes nothing.
 *
 * @returns the stock item's id, which is the product's (our choice). Refused with 404: an unknown sku.
 */
export const saveProductStock = (
  em: EntityManager,
  { sku, draft }: { sku: string; draft: StockItemDraft },
): Promise<number> =>
  transact(em, async (em) => {
    const product = await lockProduct(em, sku, () => errorsNoSuchProduct(sku));
    await saveStockItem(em, { product, draft });
    return product.entityId;
  });
