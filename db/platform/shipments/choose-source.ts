import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';

/** What the platform calls the source every shop starts with. */
const defaultSourceCode = 'default';

/**
 * Where the goods of a shipment lie: the source named, else the stock's only one, else `default` (platform facts 10).
 *
 * Where there is no source of that name, the stock's first by priority (our choice).
 *
 * Refused with: 404 a named source that does not exist, or a stock without any.
 */
export async function chooseSource(
  em: EntityManager,
  { storeId, named }: { storeId: number; named: string | undefined },
): Promise<string> {
  const wanted = named ?? (await sourceOfStock(em, storeId));
  const [found] = await em.execute<{ source_code: string }[]>(
    'select source_code from inventory_source where source_code = ?',
    [wanted],
  );
  if (!found) throw notFound('Source with code "%value" does not exist.', { value: wanted });
  return found.source_code;
}

async function sourceOfStock(em: EntityManager, storeId: number): Promise<string> {
  const rows = await em.execute<{ source_code: string }[]>(
    `select l.source_code from store_view v
       join website w on w.website_id = v.website_id
       join inventory_stock s on s.website_codes @> to_jsonb(array[w.code])
       join inventory_stock_source l on l.stock_id = s.stock_id
     where v.store_id = ? order by l.priority, l.source_code`,
    [storeId],
  );
  const codes = rows.map((row) => row.source_code);
  return codes.length === 1 || !codes.includes(defaultSourceCode) ? (codes[0] ?? defaultSourceCode) : defaultSourceCode;
}
