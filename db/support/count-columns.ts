import { p } from '@mikro-orm/core';
import type { CountedList } from './counted-list.ts';

/** What every table of counts has beside the columns that are counted by. */
export const countColumns = {
  countId: p.bigint('number').primary().autoincrement(),
  grain: p.text(),
  size: p.text(),
  /** Where the bucket starts. */
  bucket: p.datetime(6),
  /** So many rows, and the least and the greatest of their keys. */
  counted: p.bigint('number'),
  leastKey: p.bigint('number'),
  greatestKey: p.bigint('number'),
};

/** One count per bucket and kind, where nothing is a kind of its own; found by the ids that a grain is about. */
export const countIndex = (list: CountedList) => ({
  name: `${list.counts}_once`,
  expression: `create unique index "${list.counts}_once" on "${list.counts}" (${countKey(list)}) nulls not distinct`,
});

export const countKey = ({ ids, words }: CountedList): string =>
  ['grain', 'size', ...ids, 'bucket', ...words].join(', ');
