import { p } from '@mikro-orm/core';
import type { CountedList } from './counted-list.ts';

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
