import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search } from '../../support/search.ts';
import { sourceColumns, type SourceRow } from './read-sources.ts';
import { stockColumns, type StockRow } from './read-stocks.ts';

export const searchSources = (em: EntityManager, criteria: SearchCriteria) =>
  search<SourceRow>(em, criteria, {
    table: 'inventory_source',
    columns: sourceColumns,
    fields: {
      source_code: { column: 'source_code', type: 'text' },
      name: { column: 'name', type: 'text' },
      enabled: { column: 'is_enabled', type: 'boolean' },
      country_id: { column: 'country_id', type: 'text' },
      region_id: { column: 'region_id', type: 'integer', isNullable: true },
      region: { column: 'region', type: 'text', isNullable: true },
      city: { column: 'city', type: 'text', isNullable: true },
      postcode: { column: 'postcode', type: 'text', isNullable: true },
      street: { column: 'street', type: 'text', isNullable: true },
      phone: { column: 'phone', type: 'text', isNullable: true },
      email: { column: 'email', type: 'text', isNullable: true },
      contact_name: { column: 'contact_name', type: 'text', isNullable: true },
      fax: { column: 'fax', type: 'text', isNullable: true },
      description: { column: 'description', type: 'text', isNullable: true },
      latitude: { column: '(latitude_microdegrees / 1e6)', type: 'decimal', isNullable: true },
      longitude: { column: '(longitude_microdegrees / 1e6)', type: 'decimal', isNullable: true },
      use_default_carrier_config: { column: 'use_default_carrier_config', type: 'boolean' },
      is_pickup_location_active: { column: 'is_pickup_location_active', type: 'boolean' },
    },
    order: 'source_code',
  });

export const searchStocks = (em: EntityManager, criteria: SearchCriteria) =>
  search<StockRow>(em, criteria, {
    table: 'inventory_stock',
    columns: stockColumns,
    fields: { stock_id: { column: 'stock_id', type: 'integer' }, name: { column: 'name', type: 'text' } },
    order: 'stock_id',
  });

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
