import type { Lane } from '../lane.ts';

/** How many rows there are, `sql` from its `from` on. */
export const countOf = async ({ orm }: Lane, sql: string, ...parameters: unknown[]): Promise<number> => {
  const [row] = await orm.em.fork().execute<{ count: number }[]>(`select count(*) ${sql}`, parameters);
  return Number(row?.count);
};
