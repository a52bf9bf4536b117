import type { booksOf } from '../books.ts';

type Books = Pick<ReturnType<typeof booksOf>, 'rows' | 'write'>;

/** Lets PostgreSQL see how large the tables became, so that it plans as in a shop that grew over years. */
export const measure = ({ write }: Books, ...tables: string[]) => write(`vacuum analyze ${tables.join(', ')}`);

/** How many rows PostgreSQL has read of all tables with this beginning, by an index or without. */
export async function rowsRead({ rows }: Books, beginning: string): Promise<number> {
  await rows('select pg_stat_force_next_flush()');
  const [read] = await rows<{ count: string }>(
    'select sum(seq_tup_read + idx_tup_fetch)::text as count from pg_stat_user_tables where starts_with(relname, ?)',
    beginning,
  );
  return Number(read?.count);
}
