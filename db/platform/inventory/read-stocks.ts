import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { integer, json } from '../../support/kinds.ts';
import { asListed } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { Stock } from './stock.entity.ts';

export const stockColumns = 'stock_id, name, website_codes';

export type StockRow = RowFrom<typeof byId>;

const gives = asListed(Stock, 'stockId', 'name', 'websiteCodes');

const byId = statement({
  takes: { stockId: integer },
  gives,
  text: `select ${stockColumns} from inventory_stock where stock_id = $stockId`,
});

const byWebsite = statement({
  takes: { codes: json<string[]>() },
  gives,
  text: `
    select ${stockColumns} from inventory_stock where website_codes @> $codes::jsonb order by stock_id limit 1`,
});

export const noSuchStock = (value: unknown) => notFound('Stock with id "%value" does not exist.', { value });

/** Refused with 404: an unknown stock. */
export async function readStock(em: EntityManager, stockId: number): Promise<StockRow> {
  const row = await byId.first(em, { stockId });
  if (!row) throw noSuchStock(stockId);
  return row;
}

/** The stock a sales channel sells from; channels are websites. Refused with 404: a channel without one. */
export async function readStockOfChannel(
  em: EntityManager,
  { type, code }: { type: string; code: string },
): Promise<StockRow> {
  const row = type === 'website' ? await byWebsite.first(em, { codes: [code] }) : undefined;
  if (!row) throw notFound('No linked stock found');
  return row;
}
