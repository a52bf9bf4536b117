import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { quantityColumn } from '../../support/columns.ts';
import { textIndex } from '../../support/search-indexes.ts';
import { Source } from './source.entity.ts';

/** The quantity of a product at a source (platform facts 10). Locked in the order of sku, then source. */
export const SourceItem = defineEntity({
  name: 'SourceItem',
  tableName: 'inventory_source_item',
  properties: {
    sourceItemId: p.integer().primary().autoincrement(),
    sku: p.string().length(64),
    sourceCode: () => p.manyToOne(Source).mapToPk().fieldName('source_code').deleteRule('cascade'),
    quantity: quantityColumn(),
    /** 1 in stock, 0 out of stock. */
    status: p.integer().default(1),
  },
  indexes: [
    textIndex('inventory_source_item', 'sku'),
    { properties: ['status'] },
    /** For the list of low stock, the lowest first. */
    { properties: ['sourceCode', 'quantity'] },
  ],
  uniques: [{ name: 'inventory_source_item_once', properties: ['sku', 'sourceCode'] }],
  checks: [{ name: 'inventory_source_item_not_negative', expression: `quantity >= 0 and quantity <> 'NaN'` }],
});

export type SourceItem = InferEntity<typeof SourceItem>;
