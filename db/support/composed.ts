import type { EntityManager } from '@mikro-orm/postgresql';
import type { SqlPart } from './fields.ts';
import { send } from './send.ts';

/**
 * Runs a statement whose text is put together while the process runs. It is the only way to PostgreSQL beside
 * `statement`, for what no constant text can say. The parts of the text are our own SQL; values are bound as `$1`, `$2`
 * …, and never written into the text. `test/house/data-door.test.ts` names the files that may use it.
 *
 * Rows are as the driver gives them: decimals, bigints and timestamps are text.
 */
export async function askComposed<Row>(em: EntityManager, { sql, parameters }: SqlPart): Promise<Row[]> {
  const { rows } = await send<Row>(em, sql, parameters);
  return rows;
}

/**
 * Replaces `?` by `$1`, `$2` …, so that a condition can be used twice in one text; after others, by those that follow.
 */
export function numbered<Part extends SqlPart>({ sql, parameters, ...part }: Part, after = 0) {
  let count = after;
  return { ...part, sql: sql.replaceAll('?', () => `$${++count}`), parameters };
}
