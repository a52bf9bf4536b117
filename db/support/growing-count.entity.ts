import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** The key up to which a growing table is counted. Written by `countGrowing`. */
export const GrowingCount = defineEntity({
  name: 'GrowingCount',
  tableName: 'pos_growing_count',
  properties: {
    countedTable: p.string().length(63).primary(),
    upTo: p.bigint('number'),
  },
});

export type GrowingCount = InferEntity<typeof GrowingCount>;
