import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, integers, surely, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Product } from '../catalog/product.entity.ts';
import type { OrderLine } from './order-rows.ts';

/**
 * Gives lines with custom options the SKU under which their goods are stocked, where the line's own is that of no product:
 * the one of the line's product, as on the platform (platform facts 11). Lines that a cart made have it already.
 */
export async function withStockSkus(em: EntityManager, lines: readonly OrderLine[]): Promise<readonly OrderLine[]> {
  const open = lines.filter((line) => line.stockSku == null && line.productType !== 'configurable' && hasOptions(line));
  const productIds = open.flatMap(({ productId }) => productId ?? []);
  if (productIds.length === 0) return lines;
  const rows = await read.all(em, { productIds, skus: open.map(({ sku }) => sku) });
  const known = new Set(rows.filter(({ isSold }) => isSold).map(({ sku }) => sku));
  return lines.map((line) => {
    if (!open.includes(line) || known.has(line.sku)) return line;
    return { ...line, stockSku: rows.find(({ productId }) => productId === line.productId)?.sku ?? null };
  });
}

function hasOptions({ productOption }: OrderLine): boolean {
  const sent = productOption?.['extension_attributes'];
  if (typeof sent !== 'object' || sent === null || !('custom_options' in sent)) return false;
  return Array.isArray(sent.custom_options) && sent.custom_options.length > 0;
}

const read = statement({
  takes: { productIds: integers, skus: texts },
  gives: { ...of(Product, 'sku'), productId: integer, isSold: surely(flag) },
  text: `
    select sku, entity_id as product_id, sku = any($skus::text[]) as is_sold from product
    where entity_id = any($productIds::integer[]) or sku = any($skus::text[])`,
});
