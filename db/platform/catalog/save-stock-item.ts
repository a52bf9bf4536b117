import type { EntityManager } from '@mikro-orm/postgresql';
import { none, parseQuantity } from '../../../domain/money/quantity.ts';
import { given } from '../../support/given.ts';
import { defaultSource } from '../inventory/read-stock-item.ts';
import { setSourceItems } from '../inventory/set-source-items.ts';
import type { StockItemDraft } from './product-draft.ts';
import type { Product } from './product.entity.ts';

/**
 * Saves what single-source mode says of a product's stock: the rules on the product, the quantity at the default source
 * (platform facts 9.1). Inside the transaction that holds the product; a repeat changes nothing.
 */
export async function saveStockItem(
  em: EntityManager,
  { product, draft }: { product: Product; draft: StockItemDraft },
): Promise<void> {
  const { managesStock, isQtyDecimal, allowsBackorders, minQty, quantity, isInStock } = draft;
  em.assign(product, given({ manageStock: managesStock, isQtyDecimal, allowsBackorders, minQty }));
  await em.flush();
  if (quantity === undefined && isInStock === undefined) return;
  const [source] = await em.execute<{ source_code: string }[]>(defaultSource);
  if (!source) return;
  const [held] = await em.execute<{ quantity: string; status: number }[]>(
    'select quantity, status from inventory_source_item where sku = ? and source_code = ? for update',
    [product.sku, source.source_code],
  );
  const now = quantity ?? parseQuantity(held?.quantity ?? '0') ?? none;
  const status = isInStock === undefined ? (held?.status ?? (now > none ? 1 : 0)) : Number(isInStock);
  await setSourceItems(em, [{ sku: product.sku, sourceCode: source.source_code, quantity: now, status }]);
}
