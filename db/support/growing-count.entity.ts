import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** How many rows a table that only grows has up to one of them. Kept by `pos_growing_total()`. */
export const GrowingCount = defineEntity({
  name: 'GrowingCount',
  tableName: 'pos_growing_count',
  properties: {
    countedTable: p.string().length(63).primary(),
    upTo: p.bigint('number'),
    total: p.bigint('number'),
  },
});

export type GrowingCount = InferEntity<typeof GrowingCount>;
