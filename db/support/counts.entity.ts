import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * How many rows of a list have the same values in the counted columns: the sum of `counted`. Triggers add a row for
 * each change, so that writers never wait for each other; `compactCounts` adds them up.
 */
export const ListCount = defineEntity({
  name: 'ListCount',
  tableName: 'pos_list_count',
  properties: {
    listCountId: p.bigint('number').primary().autoincrement(),
    /** The counted table. */
    list: p.string().length(63).index(),
    websiteId: p.integer().nullable(),
    storeId: p.integer().nullable(),
    groupId: p.integer().nullable(),
    attributeSetId: p.integer().nullable(),
    taxClassId: p.integer().nullable(),
    visibility: p.integer().nullable(),
    typeId: p.text().nullable(),
    websiteIds: p.array().nullable(),
    sourceCode: p.text().nullable(),
    state: p.text().nullable(),
    status: p.text().nullable(),
    counted: p.integer(),
  },
});

export type ListCount = InferEntity<typeof ListCount>;

/** The number of attempts in the running window. The bucket's name is a digest, because it may identify a person. */
export const RateLimit = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limit',
  properties: {
    bucket: p.string().length(64).primary(),
    attempts: p.integer(),
    windowEndsAt: p.datetime(6).index(),
  },
});

export type RateLimit = InferEntity<typeof RateLimit>;

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
