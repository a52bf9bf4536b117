import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Source } from './source.entity.ts';

/** What a website sells from: sources in order of priority, and the websites as sales channels (platform facts 10). */
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
