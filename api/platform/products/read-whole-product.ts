import type { EntityManager } from '@mikro-orm/postgresql';
import { productAt, readFixedProductTaxes, readProduct } from '../../../db/platform/catalog/read-products.ts';
import { readStockItem } from '../../../db/platform/inventory/read-stock-item.ts';
import type { StoreScope } from '../../http/route.ts';
import { renderWholeProduct } from './render-product.ts';
import { renderStockItem } from './render-stock-item.ts';

/**
 * A product as a single read and every save answer it, with the store view's texts. Refused with 404: an unknown sku.
 */
export async function readWholeProduct(em: EntityManager, { sku, store }: { sku: string; store: StoreScope }) {
  const row = productAt(await readProduct(em, sku), store);
  const [taxes, stockItem] = await Promise.all([
    readFixedProductTaxes(em, { productId: row.entity_id, websiteId: store.websiteId }),
    readStockItem(em, sku),
  ]);
  return renderWholeProduct(row, { taxes, stockItem: renderStockItem(stockItem) });
}
