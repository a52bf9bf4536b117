import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';

export const stockColumns = 'stock_id, name, website_codes';

export interface StockRow {
  stock_id: number;
  name: string;
  website_codes: string[];
}

export const noSuchStock = (value: unknown) => notFound('Stock with id "%value" does not exist.', { value });

/** Refused with 404: an unknown stock. */
export async function readStock(em: EntityManager, stockId: number): Promise<StockRow> {
  const [row] = await em.execute<StockRow[]>(`select ${stockColumns} from inventory_stock where stock_id = ?`, [
    stockId,
  ]);
  if (!row) throw noSuchStock(stockId);
  return row;
}

/** The stock a sales channel sells from; channels are websites. Refused with 404: a channel without one. */
export async function readStockOfChannel(
  em: EntityManager,
  { type, code }: { type: string; code: string },
): Promise<StockRow> {
  const rows =
    type === 'website'
      ? await em.execute<StockRow[]>(
          `select ${stockColumns} from inventory_stock where website_codes @> ?::jsonb order by stock_id limit 1`,
          [JSON.stringify([code])],
        )
      : [];
  if (!rows[0]) throw notFound('No linked stock found');
  return rows[0];
}
