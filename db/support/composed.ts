import type { EntityManager } from '@mikro-orm/postgresql';
import type { SqlPart } from './search-condition.ts';
import { send } from './send.ts';

/**
 * Sends a text that is put together while the process runs: the one way to PostgreSQL beside `statement`, for what no
 * constant text can say. Its parts are SQL of ours; `$1`, `$2` … stand for values, which are bound and never written into
 * the text. `test/house/data-door.test.ts` names the files that may use it.
 *
 * Rows are as the driver has them: decimals, bigints and timestamps are text.
 */
export async function askComposed<Row>(em: EntityManager, { sql, parameters }: SqlPart): Promise<Row[]> {
  const { rows } = await send<Row>(em, sql, parameters);
  return rows;
}

/** `?` becomes `$1`, `$2` …, so that a condition can stand in the text twice. */
export function numbered({ sql, parameters }: SqlPart): SqlPart {
  let count = 0;
  return { sql: sql.replaceAll('?', () => `$${++count}`), parameters };
}
