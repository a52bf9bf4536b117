import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/**
 * How many rows of a list have the same values in the counted columns: the sum of `counted`. Triggers add a row for
 * each change, so that writers never wait for each other; `compactCounts` adds them up: in all, by day and by month.
 */
export const ListCount = defineEntity({
  name: 'ListCount',
  tableName: 'pos_list_count',
  properties: {
    listCountId: p.bigint('number').primary().autoincrement(),
    /** The counted table. */
    list: p.string().length(63),
    /** `new`: a trigger's row, not added up yet. The others are sums: `all`, and of a `day` or a `month` each. */
    size: p.string().length(5).default('new'),
    /** By which a sum is found; it stands for all its values. */
    kind: p.string().length(32).nullable(),
    /** In UTC: the day of the row's time; of a sum its first day. */
    day: p.date().nullable(),
    /** No counted row has a lower key. */
    leastKey: p.bigint('number').nullable(),
    websiteId: p.bigint('number').nullable(),
    storeId: p.bigint('number').nullable(),
    groupId: p.bigint('number').nullable(),
    attributeSetId: p.bigint('number').nullable(),
    taxClassId: p.bigint('number').nullable(),
    visibility: p.integer().nullable(),
    typeId: p.text().nullable(),
    websiteIds: p.array().nullable(),
    sourceCode: p.text().nullable(),
    state: p.text().nullable(),
    status: p.text().nullable(),
    posLayawayStatus: p.text().nullable(),
    gender: p.integer().nullable(),
    createdIn: p.text().nullable(),
    ruleId: p.bigint('number').nullable(),
    isGenerated: p.boolean().nullable(),
    countryId: p.text().nullable(),
    categoryId: p.text().nullable(),
    counted: p.bigint('number'),
  },
  indexes: [{ properties: ['list', 'size', 'day'] }],
  uniques: [
    {
      name: 'pos_list_count_sum_once',
      expression: `create unique index "pos_list_count_sum_once" on "pos_list_count" (list, size, day, kind) nulls not distinct where size <> 'new'`,
    },
  ],
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
