import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { linkErrors } from '../../../domain/platform/link-errors.ts';
import { recordInvalid } from '../../../domain/platform/source-item-errors.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';
import { transact } from '../../support/transact.ts';
import { Source } from './source.entity.ts';
import { Stock, StockSourceLink } from './stock.entity.ts';

export interface StockSourceLinkRow {
  stock_id: number;
  source_code: string;
  priority: number;
}

export const searchStockSourceLinks = (em: EntityManager, criteria: SearchCriteria) =>
  search<StockSourceLinkRow>(em, criteria, {
    table: 'inventory_stock_source',
    columns: 'stock_id, source_code, priority',
    fields: {
      stock_id: { column: 'stock_id', type: 'integer' },
      source_code: { column: 'source_code', type: 'text' },
      priority: { column: 'priority', type: 'integer' },
    },
    order: 'stock_id, priority, link_id',
    key: 'link_id',
  });

export interface LinkedSource {
  stockId: number;
  sourceCode: string;
  /** The lowest number sells first. */
  priority: number;
}

/**
 * Links sources to stocks, with their priorities (platform facts 10). An existing link gets the new priority, so a
 * repeat changes nothing.
 *
 * Refused with: 400 a blank code, a priority below 1, an unknown stock or source; then nothing is linked.
 */
export const linkSources = (em: EntityManager, links: readonly LinkedSource[]): Promise<void> =>
  transact(em, async (tx) => {
    const errors = links.flatMap(linkErrors);
    if (errors.length > 0) throw recordInvalid(errors);
    const stocks = await tx.find(Stock, { stockId: { $in: links.map(({ stockId }) => stockId) } });
    const sources = await tx.find(Source, { sourceCode: { $in: links.map(({ sourceCode }) => sourceCode) } });
    const isKnown = ({ stockId, sourceCode }: LinkedSource) =>
      stocks.some((stock) => stock.stockId === stockId) && sources.some((source) => source.sourceCode === sourceCode);
    if (!links.every(isKnown)) throw invalid('Could not save StockSourceLinks');
    // Of two rows for one link the last counts.
    const byLink = new Map(links.map((link) => [`${link.stockId} ${link.sourceCode}`, link]));
    await tx.upsertMany(StockSourceLink, [...byLink.values()], {
      onConflictFields: ['stockId', 'sourceCode'],
      onConflictMergeFields: ['priority'],
    });
  });

/** Removes links between stocks and sources. A repeat changes nothing. */
export const unlinkSources = async (
  em: EntityManager,
  links: readonly Pick<LinkedSource, 'stockId' | 'sourceCode'>[],
): Promise<void> => {
  await em.nativeDelete(StockSourceLink, {
    $or: links.map(({ stockId, sourceCode }) => ({ stockId, sourceCode })),
  });
};
