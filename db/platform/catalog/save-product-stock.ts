import { type EntityManager } from '@mikro-orm/postgresql';
import { noSuchProduct } from '../../../domain/errors.ts';
import { transact } from '../../support/transact.ts';
import type { StockItemDraft } from './product-draft.ts';
import { saveStockItem } from './save-stock-item.ts';
import { lockProduct } from './lock-product.ts';

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
    const product = await lockProduct(em, sku, () => noSuchProduct(sku));
    await saveStockItem(em, { product, draft });
    return product.entityId;
  });
