import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { SourceItem } from './source-item.entity.ts';

/** The quantity of a product at a source. */
export type QuantityAtSource = RowFrom<typeof byPriority>;

/**
 * The quantities of products at the enabled sources of a stock, where in stock, by the stock's priority (platform
 * facts 10).
 */
export const readQuantitiesByPriority = (
  em: EntityManager,
  given: { stockId: number; skus: readonly string[] },
): Promise<QuantityAtSource[]> => byPriority.all(em, given);

const byPriority = statement({
  takes: { stockId: integer, skus: texts },
  gives: of(SourceItem, 'sku', 'sourceCode', 'quantity'),
  text: `
    select i.sku, i.source_code, i.quantity
    from inventory_stock_source l
      join inventory_source s on s.source_code = l.source_code and s.is_enabled
      join inventory_source_item i on i.source_code = l.source_code and i.status = 1
    where l.stock_id = $stockId and i.sku = any($skus)
    order by l.priority, l.link_id, i.sku`,
});
