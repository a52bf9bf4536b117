import { bucketSizes, type BucketSize } from '../../domain/platform/whole-buckets.ts';

/** Which columns rows are counted by together, and in what buckets of time, the finest first. */
export interface Grain {
  name: string;
  columns: readonly string[];
  sizes: readonly BucketSize[];
}

/**
 * A table that only grows and whose rows keep the columns it is searched by: what is an hour old was counted once, by
 * every grain, and its numbers are looked up (`countGrowing`, `knownCount`). Names are SQL of ours.
 */
export interface CountedList {
  table: string;
  /** The primary key: a number that grows. */
  key: string;
  /** When the database wrote a row, at the earliest. */
  written: string;
  /** The moment people search by; its name in a filter is that of its column. */
  moment: string;
  /** The table of the counts. */
  counts: string;
  /** What else is counted by, with the column's type; a filter has the column's name. Ids first. */
  ids: readonly string[];
  words: readonly string[];
  /** The coarsest first; the last has every column. */
  grains: readonly Grain[];
}

/** Small things are counted by days, and by hours only together: else there were as many counts as rows. */
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
  // `created_at` is the register's.
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

/** A column as it is in a grain: without the column all its rows are one. */
export const columnIn = ({ columns }: Grain, column: string, ids: readonly string[]): string =>
  columns.includes(column) ? column : `null::${ids.includes(column) ? 'integer' : 'text'}`;
