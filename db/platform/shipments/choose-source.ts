import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound } from '../../../domain/errors.ts';
import { integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { existingSources } from '../inventory/existing-sources.ts';

/** The platform's name of the source with which every shop starts. */
const defaultSourceCode = 'default';

/**
 * The source of a shipment: the one named, else the stock's only one, else `default` (platform facts 10).
 *
 * Without a source of that name, the stock's first by priority (our choice).
 *
 * Refused with: 404 an unknown source, or a stock without sources.
 */
export async function chooseSource(
  em: EntityManager,
  { storeId, named }: { storeId: number; named: string | undefined },
): Promise<string> {
  const wanted = named ?? (await sourceOfStock(em, storeId));
  if (!(await existingSources(em, [wanted])).has(wanted))
    throw notFound('Source with code "%value" does not exist.', { value: wanted });
  return wanted;
}

async function sourceOfStock(em: EntityManager, storeId: number): Promise<string> {
  const codes = (await sourcesOf.all(em, { storeId })).map((row) => row.sourceCode);
  return codes.length === 1 || !codes.includes(defaultSourceCode) ? (codes[0] ?? defaultSourceCode) : defaultSourceCode;
}

const sourcesOf = statement({
  takes: { storeId: integer },
  gives: { sourceCode: text },
  text: `
    select l.source_code from store_view v
      join website w on w.website_id = v.website_id
      join inventory_stock s on s.website_codes @> to_jsonb(array[w.code])
      join inventory_stock_source l on l.stock_id = s.stock_id
    where v.store_id = $storeId order by l.priority, l.source_code`,
});
