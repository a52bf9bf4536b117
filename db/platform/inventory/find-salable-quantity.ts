import type { EntityManager } from '@mikro-orm/postgresql';
import { none, parseQuantity, type Quantity } from '../../../domain/money/quantity.ts';
import { salableQuantity, type SourceQuantity } from '../../../domain/platform/salable-quantity.ts';

interface SalableRow {
  min_qty: string;
  reserved: string;
  sources: { quantity: string; status: number }[];
}

/**
 * How many of a product a stock may still sell (platform facts 10). It can be below zero: more was promised than lies
 * there.
 *
 * @returns undefined when the catalog does not know the product
 */
export async function findSalableQuantity(
  em: EntityManager,
  { sku, stockId }: { sku: string; stockId: number },
): Promise<Quantity | undefined> {
  const [row] = await em.execute<SalableRow[]>(
    `select coalesce(p.min_qty, 0) as min_qty,
       (select coalesce(sum(r.quantity), 0) from inventory_reservation r where r.stock_id = ? and r.sku = p.sku) as reserved,
       (select coalesce(jsonb_agg(jsonb_build_object('quantity', i.quantity::text, 'status', i.status)), '[]')
        from inventory_stock_source l
          join inventory_source s on s.source_code = l.source_code and s.is_enabled
          join inventory_source_item i on i.source_code = l.source_code and i.sku = p.sku
        where l.stock_id = ?) as sources
     from product p where p.sku = ?`,
    [stockId, stockId, sku],
  );
  if (!row) return undefined;
  return salableQuantity(row.sources.map(lyingThere), stored(row.reserved), stored(row.min_qty));
}

const lyingThere = (source: { quantity: string; status: number }): SourceQuantity => ({
  quantity: stored(source.quantity),
  isInStock: source.status === 1,
});

const stored = (text: string): Quantity => parseQuantity(text) ?? none;
