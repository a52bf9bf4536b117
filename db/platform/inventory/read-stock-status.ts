import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchProduct } from '../../../domain/errors.ts';
import type { Quantity } from '../../../domain/money/quantity.ts';
import { count, flag, integer, quantity, text } from '../../support/kinds.ts';
import { isSku } from '../../support/sku-sql.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { defaultSource } from './read-stock-item.ts';

/** A product in single-source mode: its quantity at the default source, and whether it may be sold. */
export type StockStatus = RowFrom<typeof ofSku>;

const gives = { productId: integer, qty: quantity, isInStock: flag };

const columns = `
  p.entity_id as product_id, coalesce(i.quantity, 0) as qty, (not p.manage_stock or coalesce(i.status, 0) = 1) as is_in_stock`;

const ofSku = statement({
  takes: { sku: text },
  gives,
  text: `
    select ${columns}
    from product p left join inventory_source_item i on i.sku = p.sku and i.source_code = (${defaultSource})
    where ${isSku('p.sku')}`,
});

/** Refused with: 404 unknown sku. */
export async function readStockStatus(em: EntityManager, sku: string): Promise<StockStatus> {
  const row = await ofSku.first(em, { sku });
  if (!row) throw noSuchProduct(sku);
  return row;
}

const low = statement({
  takes: { atMost: quantity, limit: integer, offset: integer },
  gives: { ...gives, total: count },
  text: `
    select ${columns}, count(*) over () as total
    from inventory_source_item i join product p on p.sku = i.sku
    where i.source_code = (${defaultSource}) and p.manage_stock and i.quantity <= $atMost
    order by i.quantity, p.entity_id
    limit $limit offset $offset`,
});

const total = statement({
  takes: { atMost: quantity },
  gives: { total: count },
  text: `
    select count(*) as total
    from inventory_source_item i join product p on p.sku = i.sku
    where i.source_code = (${defaultSource}) and p.manage_stock and i.quantity <= $atMost`,
});

/**
 * Managed products with at most this quantity at the default source, the lowest first. A page beyond the end is
 * empty.
 */
export async function findLowStock(
  em: EntityManager,
  { atMost, pageSize, currentPage }: { atMost: Quantity; pageSize: number; currentPage: number },
): Promise<{ rows: StockStatus[]; totalCount: number }> {
  const rows = await low.all(em, { atMost, limit: pageSize, offset: (currentPage - 1) * pageSize });
  const counted = rows[0]?.total ?? (await total.first(em, { atMost }))?.total ?? 0;
  return { rows, totalCount: counted };
}
