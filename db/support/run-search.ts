import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { SqlPart } from './search-condition.ts';

/**
 * Values are bound, never written into the text; it joins a transaction where there is one. `$1`, `$2` … stand for
 * them.
 */
export async function runSearch<Row>(em: EntityManager, { sql, parameters }: SqlPart): Promise<Row[]> {
  const { rows } = await em.getKysely().executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]));
  return rows;
}

/** Replaces `?` by `$1`, `$2` …, so that a condition can occur in the text twice. */
export function numbered({ sql, parameters }: SqlPart): SqlPart {
  let count = 0;
  return { sql: sql.replaceAll('?', () => `$${++count}`), parameters };
}
