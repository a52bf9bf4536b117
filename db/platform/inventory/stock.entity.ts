import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Source } from './source.entity.ts';

/** The stock that websites sell from: its sources by priority, and websites as sales channels (platform facts 10). */
export const Stock = defineEntity({
  name: 'Stock',
  tableName: 'inventory_stock',
  properties: {
    stockId: p.integer().primary().autoincrement(),
    name: p.string().length(255),
    /** Codes of the websites that sell from this stock. */
    websiteCodes: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
  },
});
export type Stock = InferEntity<typeof Stock>;

export const StockSourceLink = defineEntity({
  name: 'StockSourceLink',
  tableName: 'inventory_stock_source',
  properties: {
    linkId: p.integer().primary().autoincrement(),
    stockId: () => p.manyToOne(Stock).mapToPk().fieldName('stock_id').index().deleteRule('cascade'),
    sourceCode: () => p.manyToOne(Source).mapToPk().fieldName('source_code').index().deleteRule('cascade'),
    priority: p.integer().default(1),
  },
  uniques: [{ name: 'inventory_stock_source_once', properties: ['stockId', 'sourceCode'] }],
});
export type StockSourceLink = InferEntity<typeof StockSourceLink>;
