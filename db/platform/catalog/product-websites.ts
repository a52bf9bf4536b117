import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { transact } from '../../support/transact.ts';
import { Website } from '../stores/website.entity.ts';
import { lockProduct } from './lock-product.ts';

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
    if (websiteId === 0) throw invalid('There are not websites for assign to product');
    const product = await lockProduct(tx, sku);
    if ((await tx.count(Website, { websiteId })) === 0)
      throw invalid('Could not assign product "%1" to websites "%2"', [product.entityId, websiteId]);
    product.websiteIds = [...new Set([...product.websiteIds, websiteId])];
    await tx.flush();
  });

/** Sells a product no longer on a website; where it was not sold there, nothing changes. Refused with 404: unknown sku. */
export const takeOffWebsite = (em: EntityManager, { sku, websiteId }: ProductPlace): Promise<void> =>
  transact(em, async (tx) => {
    const product = await lockProduct(tx, sku);
    product.websiteIds = product.websiteIds.filter((id) => id !== websiteId);
    await tx.flush();
  });
