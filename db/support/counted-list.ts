import { p } from '@mikro-orm/core';
import { bucketSizes, type BucketSize } from '../../domain/platform/time-buckets.ts';

/** The columns by which rows are counted together, and the sizes of their time buckets, the finest first. */
export interface Grain {
  name: string;
  columns: readonly string[];
  sizes: readonly BucketSize[];
}

/**
 * A table that only grows and whose searched columns never change. Rows older than an hour are counted once, by every
 * grain, and the counts are read (`countGrowing`, `knownCount`). Names are SQL of ours.
 */
export interface CountedList {
  table: string;
  /** The primary key: an increasing number. */
  key: string;
  /** The earliest time at which the database wrote a row. */
  written: string;
  /** The time column that people search by; a filter uses the column's name. */
  moment: string;
  /** The table with the counts. */
  counts: string;
  /** The other columns counted by, with their types; a filter uses the column's name. Ids first. */
  ids: readonly string[];
  words: readonly string[];
  /** The coarsest first; the last has every column. */
  grains: readonly Grain[];
}

/** Fine grains are counted by days, and by hours only in total: otherwise there would be as many counts as rows. */
export const wholeDays = bucketSizes.slice(1);
export const wholeHours = bucketSizes;

export const auditLog: CountedList = {
  table: 'pos_audit_log',
  key: 'log_id',
  written: 'created_at',
  moment: 'created_at',
  counts: 'pos_audit_log_count',
  ids: ['staff_id', 'terminal_id', 'location_id'],
  words: ['entity_type', 'change_source'],
  grains: [
    { name: 'shop', columns: ['entity_type', 'change_source'], sizes: wholeHours },
    { name: 'location', columns: ['location_id', 'entity_type', 'change_source'], sizes: wholeDays },
    { name: 'terminal', columns: ['terminal_id', 'location_id', 'entity_type', 'change_source'], sizes: wholeDays },
    {
      name: 'staff',
      columns: ['staff_id', 'terminal_id', 'location_id', 'entity_type', 'change_source'],
      sizes: wholeDays,
    },
  ],
};

export const receiptList: CountedList = {
  table: 'pos_receipt',
  key: 'receipt_id',
  // `created_at` comes from the register.
  written: 'updated_at',
  moment: 'created_at',
  counts: 'pos_receipt_count',
  ids: ['terminal_id', 'location_id'],
  words: ['sale_type'],
  grains: [
    { name: 'shop', columns: ['sale_type'], sizes: wholeHours },
    { name: 'location', columns: ['location_id', 'sale_type'], sizes: wholeDays },
    { name: 'terminal', columns: ['terminal_id', 'location_id', 'sale_type'], sizes: wholeDays },
  ],
};

export const countedLists: readonly CountedList[] = [auditLog, receiptList];

/** A column within a grain: without the column all its rows form one group. */
export const columnIn = ({ columns }: Grain, column: string, ids: readonly string[]): string =>
  columns.includes(column) ? column : `null::${ids.includes(column) ? 'bigint' : 'text'}`;

/** The columns of every table of counts, beside those that it counts by. */
export const countColumns = {
  countId: p.bigint('number').primary().autoincrement(),
  grain: p.text(),
  size: p.text(),
  /** Where the bucket starts. */
  bucket: p.datetime(6),
  /** The number of rows, and the lowest and highest of their keys. */
  counted: p.bigint('number'),
  leastKey: p.bigint('number'),
  greatestKey: p.bigint('number'),
};

/** One count per bucket and combination of values, where null counts as a value; found by the ids of a grain. */
export const countIndex = (list: CountedList) => ({
  name: `${list.counts}_once`,
  expression: `create unique index "${list.counts}_once" on "${list.counts}" (${countKey(list)}) nulls not distinct`,
});

export const countKey = ({ ids, words }: CountedList): string =>
  ['grain', 'size', ...ids, 'bucket', ...words].join(', ');
