import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';

export interface SourceItemRow {
  sku: string;
  source_code: string;
  quantity: string;
  status: number;
}

export const searchSourceItems = (em: EntityManager, criteria: SearchCriteria) =>
  search<SourceItemRow>(em, criteria, {
    table: 'inventory_source_item',
    columns: 'sku, source_code, quantity, status',
    fields: {
      source_item_id: { column: 'source_item_id', type: 'integer' },
      sku: { column: 'sku', type: 'text' },
      source_code: { column: 'source_code', type: 'text' },
      quantity: { column: 'quantity', type: 'decimal' },
      status: { column: 'status', type: 'integer' },
    },
    order: 'source_item_id',
    kept: { list: 'inventory_source_item', alias: 'inventory_source_item' },
    maxRows: 100_000,
  });
