import type { EntityManager, ForkOptions } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';

/**
 * How many blocks of tables and indexes the database reads for the queries of some work: unlike time, the same on
 * every machine. Each statement runs twice, the first time explained.
 */
export async function countBlocks<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
): Promise<{ result: Result; blocks: number }> {
  const kysely = em.getKysely();
  let blocks = 0;
  const counting: EntityManager = Object.assign(Object.create(em), {
    // A transaction on the side is no part of it; and these read private members, which what is derived does not have.
    fork: (options?: ForkOptions) => em.fork(options),
    isInTransaction: () => em.isInTransaction(),
    getKysely: () => ({
      executeQuery: async (query: CompiledQuery) => {
        blocks += await blocksOf(em, query);
        return kysely.executeQuery(query);
      },
    }),
  });
  const result = await work(counting);
  return { result, blocks };
}

async function blocksOf(em: EntityManager, { sql, parameters }: CompiledQuery): Promise<number> {
  const { rows } = await em
    .getKysely()
    .executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain (analyze, buffers, timing off) ${sql}`, [...parameters]),
    );
  // The first line with buffers belongs to the whole plan.
  const line = rows.map((row) => row['QUERY PLAN']).find((text) => text.includes('Buffers: shared')) ?? '';
  return [...line.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}
