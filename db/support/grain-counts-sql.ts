import { columnIn, type CountedList } from './counted-list.ts';

/** The columns that identify a count, and its values, in the order of `grainCountsSql`. */
export const countColumnsOf = ({ ids, words }: CountedList): string =>
  ['grain', 'size', ...ids, ...words, 'bucket', 'counted', 'least_key', 'greatest_key'].join(', ');

/**
 * SQL of the counts of some rows, by every grain and size. The rows are read once and summed by hour and all columns;
 * these sums are then summed for each grain and size.
 */
export function grainCountsSql(list: CountedList, rows: string): string {
  const { table, key, moment, ids, words, grains } = list;
  const columns = [...ids, ...words];
  const sums = grains.map(
    (grain) => `
    select '${grain.name}' as grain, s.size, ${columns.map((column) => `${columnIn(grain, column, ids)} as ${column}`).join(', ')},
      date_trunc(s.size, f.bucket, 'UTC') as bucket, sum(counted) as counted, min(least_key) as least_key,
      max(greatest_key) as greatest_key
    from fresh f, unnest(array[${grain.sizes.map((size) => `'${size}'`).join(', ')}]) as s (size)
    group by s.size, date_trunc(s.size, f.bucket, 'UTC'), ${grain.columns.join(', ')}`,
  );
  return `
    with fresh as materialized (
      select ${columns.join(', ')}, date_trunc('hour', ${moment}, 'UTC') as bucket,
        count(*) as counted, min(${key}) as least_key, max(${key}) as greatest_key
      from ${table} where ${rows}
      group by ${columns.join(', ')}, date_trunc('hour', ${moment}, 'UTC'))
    ${sums.join('\n    union all')}`;
}
