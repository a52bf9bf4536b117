import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Up to which of its rows a table that only grows is counted. Kept by `countGrowing`. */
export const GrowingCount = defineEntity({
  name: 'GrowingCount',
  tableName: 'pos_growing_count',
  properties: {
    countedTable: p.string().length(63).primary(),
    upTo: p.bigint('number'),
  },
});

export type GrowingCount = InferEntity<typeof GrowingCount>;
