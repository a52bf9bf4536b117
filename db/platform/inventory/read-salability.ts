import type { EntityManager } from '@mikro-orm/postgresql';
import { none, parseQuantity, type Quantity } from '../../../domain/money/quantity.ts';
import type { StockStanding } from '../../../domain/platform/requested-quantity.ts';
import { salableQuantity } from '../../../domain/platform/salable-quantity.ts';

interface SalabilityRow {
  sku: string;
  type_id: string;
  manage_stock: boolean;
  is_qty_decimal: boolean;
  allows_backorders: boolean;
  min_qty: string;
  reserved: string;
  sources: { quantity: string; status: number }[];
}

export interface Salability extends StockStanding {
  sku: string;
  typeId: string;
  /** Whether one more may be promised. */
  isSalable: boolean;
}

/** How products stand in a stock (platform facts 10). Products the catalog does not know are left out. */
export async function readSalability(
  em: EntityManager,
  { skus, stockId }: { skus: readonly string[]; stockId: number },
): Promise<Salability[]> {
  if (skus.length === 0) return [];
  const rows = await em.execute<SalabilityRow[]>(
    `select p.sku, p.type_id, p.manage_stock, p.is_qty_decimal, p.allows_backorders, coalesce(p.min_qty, 0) as min_qty,
       (select coalesce(sum(r.quantity), 0) from inventory_reservation r where r.stock_id = ? and r.sku = p.sku) as reserved,
       (select coalesce(jsonb_agg(jsonb_build_object('quantity', i.quantity::text, 'status', i.status)), '[]')
        from inventory_stock_source l
          join inventory_source s on s.source_code = l.source_code and s.is_enabled
          join inventory_source_item i on i.source_code = l.source_code and i.sku = p.sku
        where l.stock_id = ?) as sources
     from product p where p.sku = any (array[?]::text[])`,
    [stockId, stockId, [...skus]],
  );
  return rows.map(salabilityOf);
}

function salabilityOf(row: SalabilityRow): Salability {
  const sources = row.sources.map((source) => ({ quantity: stored(source.quantity), isInStock: source.status === 1 }));
  const quantity = salableQuantity(sources, stored(row.reserved), stored(row.min_qty));
  const isInStock = sources.some((source) => source.isInStock);
  const isOffered = isInStock && (row.allows_backorders || quantity > none);
  return {
    sku: row.sku,
    typeId: row.type_id,
    quantity,
    isAssigned: sources.length > 0,
    isManaged: row.manage_stock,
    isInStock,
    isQtyDecimal: row.is_qty_decimal,
    allowsBackorders: row.allows_backorders,
    isSalable: !row.manage_stock || isOffered,
  };
}

const stored = (text: string): Quantity => parseQuantity(text) ?? none;
